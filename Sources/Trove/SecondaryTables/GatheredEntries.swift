// The entries of many records for one table: bytes one after the other, and a short list of where they are, so that to
// sort them moves little.
//
//     entry = sizes value recordKey       sizes: a number of 8 bytes, the size of the value × 65,536 + that of the key

import LMDB
import TroveCoding

/// The entries that the making of a table has gathered.
struct GatheredEntries {
    struct Place {
        /// Eight bytes of the entry as a number that sorts as they do: the first ones, before the entries are sorted.
        var head: UInt64
        /// Where the sizes stand.
        var start: Int
    }

    private static let sizesSize = 8

    /// As many bytes as were ever needed: those of the entries, and then any.
    private var bytes: [UInt8] = []
    private var end = 0
    var places: [Place] = []
    /// Whether one of them is too long for the key of a row.
    private(set) var hasLongOnes = false

    /// The bytes that they take.
    var memory: Int { end + places.count * MemoryLayout<Place>.stride }

    var indices: Range<Int> { places.indices }

    /// Makes room for so many entries that are like those which are there.
    mutating func reserve(_ count: Int) {
        guard !places.isEmpty else { return }
        places.reserveCapacity(count)
        let size = count * (end / places.count + 1)
        if size > bytes.count { bytes.append(contentsOf: repeatElement(0, count: size - bytes.count)) }
    }

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - key: The record's key, which sorts after those that were added before.
    ///   - encode: Writes the value; gives whether there is an entry at all. It may run twice.
    mutating func add(_ key: RawSpan, _ encode: (inout KeyWriter) -> Bool) {
        let start = end
        var hasEntry = false
        var valueSize = 0
        end = unsafe key.withUnsafeBytes { key in
            KeyWriter.write(into: &bytes, at: start) { writer in
                writer.writeInteger(0)
                hasEntry = encode(&writer)
                valueSize = writer.offset - Self.sizesSize
                unsafe writer.writeBytes(key.bytes)
            }
        }
        guard hasEntry else { return end = start }
        unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: valueSize << 16 | key.byteCount, toByteOffset: start, as: Int.self)
            let entry = unsafe UnsafeRawBufferPointer(rebasing: bytes[(start + Self.sizesSize)..<end])
            places.append(Place(head: unsafe head(of: entry), start: start))
            if entry.count > KeyWriter.sizeLimit { hasLongOnes = true }
        }
    }

    private func sizes(of place: Place) -> (value: Int, key: Int) {
        let sizes = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place.start, as: Int.self) }
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

    /// How many bytes the value of an entry has.
    func valueSize(of index: Int) -> Int { sizes(of: places[index]).value }

    /// The key of the record that an entry follows from.
    func recordKey(of index: Int) -> ArraySlice<UInt8> { bytes(of: index).dropFirst(valueSize(of: index)) }

    /// Calls a closure with the bytes of entries, which it asks for by their places.
    func withBytes<Result>(_ body: ((Place) -> UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe body { place in unsafe UnsafeRawBufferPointer(rebasing: bytes[range(of: place)]) }
        }
    }

    /// The first entry that has the same value as the one before.
    var firstRepetition: (first: Int, second: Int)? {
        for (first, second) in zip(indices, indices.dropFirst()) where value(of: first) == value(of: second) {
            return (first, second)
        }
        return nil
    }
}
