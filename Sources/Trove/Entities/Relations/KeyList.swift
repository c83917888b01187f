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
    mutating func append(bytes key: [UInt8]) {
        let end = ends.last ?? 0
        bytes.replaceSubrange(end..., with: key)
        ends.append(end + key.count)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { ends.count }

    /// The bytes of a key.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}

extension ArraySlice<UInt8> {
    /// Returns the key component whose bytes these are.
    func component<Component: KeyComponent>() throws(CodingError) -> Component {
        try withRawSpan { (bytes) throws(CodingError) in
            try KeyReader.read(bytes) { (reader) throws(CodingError) in try Component(decodingKey: &reader) }
        }
    }
}
