// The entries of many records for one table: bytes one after the other, and a short list of where they are, so that to
// sort them moves little.
//
//     entry = sizes value recordKey       sizes: a number of 8 bytes, the size of the value × 65,536 + that of the key

import LMDB
import TroveCoding

/// The entries that the making of a table has gathered, in the order of their records' keys.
struct EntrySorter {
    struct Place {
        /// Eight bytes of the entry as a number that sorts as they do: the first ones, before the entries are sorted.
        var head: UInt64
        /// Where the entry begins, with its sizes.
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

    // MARK: Adding

    /// Makes room for so many times what was added.
    mutating func reserve(times: Int) {
        places.reserveCapacity(places.count * times)
        makeRoom(end * (times - 1))
    }

    private mutating func makeRoom(_ size: Int) {
        let missing = end + size - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: max(missing, bytes.count))) }
    }

    /// Adds the entry of a record.
    ///
    /// - Parameters:
    ///   - key: The record's key.
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
        if hasEntry { note(valueSize, key.byteCount, at: start) } else { end = start }
    }

    /// Adds the entries of the records of a run.
    ///
    /// - Parameters:
    ///   - columns: The records' properties.
    ///   - nilBytes: By column, the first byte of nil, where a record with it has no entry.
    mutating func add(_ run: borrowing RecordRun, _ columns: PropertyColumns, excluding nilBytes: [UInt8?]) {
        let (entries, count) = unsafe (run.entries, run.count)
        makeRoom((0..<count).reduce(columns.size) { unsafe $0 + Self.sizesSize + entries[$1].key.count })
        for index in 0..<count {
            let start = end
            let key = unsafe entries[index].key.pointer
            let valueSize = unsafe bytes.withUnsafeMutableBytes { bytes in
                let memory = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(start + Self.sizesSize)...])
                let size = unsafe columns.write(index, of: count, to: memory, excluding: nilBytes)
                if let size { unsafe UnsafeMutableRawBufferPointer(rebasing: memory[size...]).copyMemory(from: key) }
                return size
            }
            guard let valueSize else { continue }
            end += Self.sizesSize + valueSize + key.count
            note(valueSize, key.count, at: start)
        }
    }

    /// Notes the entry that was written last.
    private mutating func note(_ valueSize: Int, _ keySize: Int, at start: Int) {
        let head = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.storeBytes(of: valueSize << 16 | keySize, toByteOffset: start, as: Int.self)
            return unsafe ByteView(UnsafeRawBufferPointer(bytes))[start + Self.sizesSize..<end].head
        }
        places.append(Place(head: head, start: start))
        if valueSize + keySize > KeyWriter.sizeLimit { hasLongOnes = true }
    }

    // MARK: Reading

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

    /// Calls a closure with another that gives the bytes of the entry at a place.
    func withBytes<Result>(_ body: ((Place) -> UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe body { place in unsafe UnsafeRawBufferPointer(rebasing: bytes[range(of: place)]) }
        }
    }

    /// How far ahead of an entry others are fetched.
    private static let reach = 16

    /// Calls a closure with a function that returns the bytes of each entry of a range, in turn; nil at the end.
    func withEach<Result>(in range: Range<Int>, _ body: (() -> UnsafeRawBufferPointer?) throws -> Result) rethrows
        -> Result
    {
        try unsafe bytes.withUnsafeBytes { bytes in
            var next = range.lowerBound
            return try unsafe body {
                guard next < range.upperBound else { return nil }
                // Sorted entries lie anywhere: without this, the CPU would wait for each.
                if next + Self.reach < places.count, let base = bytes.baseAddress {
                    unsafe prefetch(base + places[next + Self.reach].start)
                }
                next += 1
                return unsafe UnsafeRawBufferPointer(rebasing: bytes[self.range(of: places[next - 1])])
            }
        }
    }
}
