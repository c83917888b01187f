// Keys of records in one piece of memory.

import LMDB
import TroveCoding

/// The key bytes of records, in order.
@usableFromInline
struct KeyList: Sendable, RandomAccessCollection {
    /// The bytes of all keys, one after the other. There can be more memory than keys.
    private var bytes: [UInt8] = []
    /// The offset after the last byte of each key.
    private var ends: [Int] = []
    /// The size of the longest key.
    private(set) var longest = 0

    /// Creates an empty list.
    init() {}

    /// Creates a list of several keys.
    ///
    /// - Parameter encode: Writes the key at an index. It runs again if the keys need more memory than expected.
    @usableFromInline
    init(count: Int, _ encode: (_ index: Int, inout KeyWriter) -> Void) {
        bytes = Array(repeating: 0, count: count * MemoryLayout<UInt64>.size)
        var ends: [Int] = []
        var longest = 0
        _ = KeyWriter.write(into: &bytes, at: 0) { writer in
            ends.removeAll(keepingCapacity: true)
            ends.reserveCapacity(count)
            for index in 0..<count {
                let start = writer.offset
                encode(index, &writer)
                ends.append(writer.offset)
                longest = Swift.max(longest, writer.offset - start)
            }
        }
        self.ends = ends
        self.longest = longest
    }

    /// Creates a list of a single key.
    init(_ key: some KeyComponent) { append(key) }

    /// Creates a list of keys.
    init(_ keys: some Sequence<some KeyComponent>) {
        ends.reserveCapacity(keys.underestimatedCount)
        for key in keys { append(key) }
    }

    /// Appends a key. It can be too long for a record.
    mutating func append(_ key: some KeyComponent) {
        let start = ends.last ?? 0
        let end = KeyWriter.write(into: &bytes, at: start) { key.encodeKey(into: &$0) }
        ends.append(end)
        longest = Swift.max(longest, end - start)
    }

    /// Appends the bytes of a key.
    mutating func append(bytes key: [UInt8]) { ByteView.with(key) { append($0) } }

    /// Appends the bytes of a key.
    mutating func append(_ key: ByteView) {
        let end = ends.last ?? 0
        if bytes.count > end { bytes.removeLast(bytes.count - end) }
        key.append(to: &bytes)
        ends.append(end + key.count)
        longest = Swift.max(longest, key.count)
    }

    /// The number of bytes of all keys.
    var byteCount: Int { ends.last ?? 0 }

    @usableFromInline var startIndex: Int { 0 }
    @usableFromInline var endIndex: Int { ends.count }

    /// The bytes of a key.
    @usableFromInline
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}

extension KeyList {
    /// Creates a list of the bytes of keys.
    init(bytes keys: some Sequence<[UInt8]>) {
        for key in keys { append(bytes: key) }
    }

    /// Returns the list of the keys that a closure includes.
    func including(_ isIncluded: ([UInt8]) throws -> Bool) rethrows -> KeyList {
        KeyList(bytes: try map(Array.init).filter(isIncluded))
    }

    /// Calls a closure with the bytes of a key.
    @inline(__always)
    func withKey<R>(_ index: Int, _ body: (ByteView) throws -> R) rethrows -> R {
        try ByteView.with(bytes) { bytes in try body(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }
    }

    /// Calls a closure with views of all keys.
    func withKeys<R>(_ body: (KeyViews) throws -> R) rethrows -> R {
        try ByteView.with(bytes) { try body(KeyViews(bytes: $0, ends: ends)) }
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
@usableFromInline
struct KeyViews {
    fileprivate let bytes: ByteView
    fileprivate let ends: [Int]

    @usableFromInline var count: Int { ends.count }

    /// The bytes of a key.
    @usableFromInline
    subscript(index: Int) -> ByteView { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

    /// Returns the indices of the keys in the order of their bytes.
    func sortedIndices() -> [Int32] { ByteView.order(of: count) { self[$0] } }
}
