// Keys of entities in one piece of memory.

import LMDB
import TroveCoding

/// The key bytes of entities, in order.
struct KeyList: Sendable, RandomAccessCollection {
    /// The bytes of all keys, one after the other. There can be more memory than keys.
    private var bytes: [UInt8] = []
    /// The offset after the last byte of each key.
    private var ends: [Int] = []

    /// Creates an empty list.
    init() {}

    /// Creates a list of a single key.
    init(_ key: some KeyComponent) { append(key) }

    /// Creates a list of keys.
    init(_ keys: some Sequence<some KeyComponent>) {
        ends.reserveCapacity(keys.underestimatedCount)
        for key in keys { append(key) }
    }

    /// Appends a key. It can be too long for a record.
    mutating func append(_ key: some KeyComponent) {
        ends.append(KeyWriter.write(into: &bytes, at: ends.last ?? 0) { key.encodeKey(into: &$0) })
    }

    /// Appends the bytes of a key.
    mutating func append(bytes key: [UInt8]) { ByteView.with(key) { append($0) } }

    /// Appends the bytes of a key.
    mutating func append(_ key: ByteView) {
        let end = ends.last ?? 0
        if bytes.count > end { bytes.removeLast(bytes.count - end) }
        key.append(to: &bytes)
        ends.append(end + key.count)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { ends.count }

    /// The bytes of a key.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}

extension KeyList {
    /// Creates a list of the bytes of keys.
    init(bytes keys: some Sequence<[UInt8]>) {
        for key in keys { append(bytes: key) }
    }

    /// Calls a closure with the bytes of a key.
    func withKey<R>(_ index: Int, _ body: (ByteView) throws -> R) rethrows -> R {
        try ByteView.with(bytes) { bytes in try body(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }
    }

    /// Calls a closure with views of all keys.
    func withKeys<R>(_ body: (KeyViews) throws -> R) rethrows -> R {
        try ByteView.with(bytes) { try body(KeyViews(bytes: $0, ends: ends)) }
    }

    /// Returns whether a key is the key of another list at an index.
    func hasKey(_ index: Int, of other: KeyList, at otherIndex: Int) -> Bool {
        withKey(index) { key in other.withKey(otherIndex) { key.equals($0) } }
    }

    /// Returns the indices of the keys in the order of their bytes.
    func sortedIndices() -> [Int] {
        let heads = indices.map { withKey($0) { $0.head } }
        return indices.sorted { left, right in
            if heads[left] != heads[right] { return heads[left] < heads[right] }
            return withKey(left) { key in withKey(right) { key.compare($0) < 0 } }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the key component whose bytes these are.
    func component<Component: KeyComponent>() throws(CodingError) -> Component {
        try withRawSpan { (bytes) throws(CodingError) in
            try KeyReader.read(bytes) { (reader) throws(CodingError) in try Component(decodingKey: &reader) }
        }
    }
}

/// Views of the keys of a list.
struct KeyViews {
    fileprivate let bytes: ByteView
    fileprivate let ends: [Int]

    var count: Int { ends.count }

    /// The bytes of a key.
    subscript(index: Int) -> ByteView { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}
