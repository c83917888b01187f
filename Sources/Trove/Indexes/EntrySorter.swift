// The entries of many records for one index: their bytes, and a short list of their places, so sorting moves little.
//
//     entry = sizes value recordKey       sizes: a number of 8 bytes, the value's size × 65,536 + the record key's size

import LMDB
import TroveCoding

/// The entries collected by a build for one index, in the order of their records' keys until they are sorted.
struct EntrySorter {
    struct Place {
        /// Eight bytes of the entry as a number with the same order: the first eight, before the entries are sorted.
        var head: UInt64
        /// The offset of the entry's sizes.
        var start: Int
    }

    private static let sizesSize = 8

    /// The bytes of the entries, and unused bytes after them.
    private var bytes: [UInt8] = []
    private var end = 0
    var places: [Place] = []
    /// Whether an entry is too long to be stored whole.
    private(set) var hasLongEntries = false

    /// The number of bytes of all entries.
    var memory: Int { end + places.count * MemoryLayout<Place>.stride }

    var indices: Range<Int> { places.indices }

    // MARK: Adding

    /// Reserves memory for a multiple of the entries added so far.
    mutating func reserve(times: Int) {
        places.reserveCapacity(places.count * times)
        bytes.reserveCapacity(end * times)
    }

    /// Adds the entry of a record.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - encode: Writes the value. Returns whether the record has an entry. It may be called twice.
    mutating func add(_ key: ByteView, _ encode: (inout KeyWriter) -> Bool) {
        let start = end
        var hasEntry = false
        var valueSize = 0
        end = KeyWriter.write(into: &bytes, at: start) { writer in
            writer.writeInteger(0)
            hasEntry = encode(&writer)
            valueSize = writer.offset - Self.sizesSize
            key.withSpan { writer.writeBytes($0) }
        }
        if hasEntry { note(valueSize, key.count, at: start) } else { end = start }
    }

    /// Adds the entries of another list.
    mutating func add(_ other: EntrySorter) {
        bytes.removeSubrange(end...)
        bytes += other.bytes[..<other.end]
        places += other.places.map { Place(head: $0.head, start: $0.start + end) }
        end += other.end
        hasLongEntries = hasLongEntries || other.hasLongEntries
    }

    /// Adds the last written entry to the list.
    private mutating func note(_ valueSize: Int, _ keySize: Int, at start: Int) {
        let sizes = (valueSize << 16 | keySize).littleEndian
        bytes.withMutableRawSpan { $0.storeBytes(of: sizes, toByteOffset: start, as: Int.self) }
        let head = ByteView.with(bytes) { $0[start + Self.sizesSize..<end].head }
        places.append(Place(head: head, start: start))
        if valueSize + keySize > KeyWriter.sizeLimit { hasLongEntries = true }
    }

    // MARK: Reading

    private func sizes(of place: Place) -> (value: Int, key: Int) {
        let sizes = ByteView.with(bytes) { $0.integer(at: place.start, as: Int.self) }
        return (sizes >> 16, sizes & 0xFFFF)
    }

    private func range(of place: Place) -> Range<Int> {
        let start = place.start + Self.sizesSize
        let sizes = sizes(of: place)
        return start..<start + sizes.value + sizes.key
    }

    /// The bytes of an entry.
    func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[range(of: places[index])] }

    /// The bytes of an entry's value.
    func value(of index: Int) -> ArraySlice<UInt8> { bytes(of: index).prefix(valueSize(of: index)) }

    /// The number of bytes of an entry's value.
    func valueSize(of index: Int) -> Int { sizes(of: places[index]).value }

    /// The key of the entry's record.
    func recordKey(of index: Int) -> ArraySlice<UInt8> { bytes(of: index).dropFirst(valueSize(of: index)) }

    /// Calls a closure with a function from places to the bytes of entries.
    func withBytes<Result>(_ body: ((Place) -> ByteView) throws -> Result) rethrows -> Result {
        try ByteView.with(bytes) { bytes in try body { bytes[range(of: $0)] } }
    }

    /// The number of entries to fetch ahead.
    private static let reach = 16

    /// Calls a closure with a function for the bytes of each entry in turn; nil at the end.
    func withEach<Result>(in range: Range<Int>, _ body: (() -> ByteView?) throws -> Result) rethrows -> Result {
        try ByteView.with(bytes) { bytes in
            var next = range.lowerBound
            return try body {
                guard next < range.upperBound else { return nil }
                // Sorted entries lie anywhere: without the prefetch, the CPU would wait for each.
                if next + Self.reach < places.count { bytes.prefetch(at: places[next + Self.reach].start) }
                next += 1
                return bytes[self.range(of: places[next - 1])]
            }
        }
    }
}
