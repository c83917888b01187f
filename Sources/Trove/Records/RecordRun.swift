// Stored records side by side, read one property at a time: what a query for single properties does with a batch.
//
// The loops below are compiled into the closures that know the property's type, so that one closure is called for many
// records.

import LMDB
import TroveCoding

/// Records of the present version that stand together in a batch, each with a reader of its own.
@usableFromInline
@safe struct RecordRun: ~Copyable {
    @usableFromInline let entries: UnsafePointer<Entry>
    @usableFromInline let count: Int
    /// How far each record has been read.
    @usableFromInline let positions: UnsafeMutablePointer<Int>
    /// The record that is being read.
    @usableFromInline var current = 0

    /// Takes what stands at the beginning of a part of a batch, which may be nothing.
    @usableFromInline
    init(_ batch: EntryBatch, from start: Int, _ table: RecordTable) throws {
        let count = try Self.currentCount(batch, from: start, table)
        unsafe entries = batch.entries + start
        self.count = count
        unsafe positions = .allocate(capacity: count)
    }

    /// Takes records of the present version, which are known to be intact.
    @usableFromInline
    @unsafe init(_ entries: UnsafePointer<Entry>, count: Int) {
        unsafe self.entries = entries
        self.count = count
        unsafe positions = .allocate(capacity: count)
    }

    /// Takes one record of the present version, which is known to be intact.
    @usableFromInline
    init(_ batch: EntryBatch) { unsafe self.init(batch.entries, count: batch.count) }

    /// How many records from a place on are of the present version, and intact where that is verified.
    private static func currentCount(_ batch: EntryBatch, from start: Int, _ table: RecordTable) throws -> Int {
        for index in start..<batch.count {
            guard StoredValue.version(of: batch[index].value) == table.fieldsVersion else { return index - start }
            if table.verifiesChecksums { try table.verify(batch[index]) }
        }
        return batch.count - start
    }

    @inlinable
    deinit { unsafe positions.deallocate() }

    /// A bit for each record.
    var all: UInt64 { count == UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1 }

    /// How far each record has been read.
    var offsets: [Int] { unsafe Array(UnsafeBufferPointer(start: positions, count: count)) }

    /// The fields of a record.
    @inlinable
    @inline(__always)
    func fields(at index: Int) -> ByteView { unsafe entries[index].value.dropFirst(StoredValue.headerSize) }

    /// The key of a record.
    @inlinable
    @inline(__always)
    func key(at index: Int) -> ByteView { unsafe entries[index].key }

    /// How far a record has been read.
    @inlinable
    @inline(__always)
    func position(at index: Int) -> Int { unsafe positions[index] }

    /// Sets every reader back to the beginning.
    mutating func rewind() {
        unsafe positions.initialize(repeating: 0, count: count)
    }

    /// Calls a closure with the reader of each record's key.
    ///
    /// - Parameter advancing: Whether the next call goes on behind what this one has read.
    @inlinable
    @inline(__always)
    mutating func forEachKey(
        advancing: Bool, _ body: (inout KeyReader) throws(CodingError) -> Void
    ) throws(CodingError) {
        for index in 0..<count {
            current = index
            var reader = KeyReader(key(at: index), at: position(at: index))
            try body(&reader)
            if advancing { unsafe positions[index] = reader.offset }
        }
    }

    /// Calls a closure with the reader of each record's fields.
    ///
    /// - Parameter advancing: Whether the next call goes on behind what this one has read.
    @inlinable
    @inline(__always)
    mutating func forEachFields(
        advancing: Bool, _ body: (inout ValueReader) throws(CodingError) -> Void
    ) throws(CodingError) {
        for index in 0..<count {
            current = index
            var reader = ValueReader(fields(at: index), at: position(at: index))
            try body(&reader)
            if advancing { unsafe positions[index] = reader.offset }
        }
    }

    /// The error of the record that could not be read.
    @usableFromInline
    func corrupted(_ table: RecordTable, _ reason: CodingError) -> StoreError {
        table.corrupted(key(at: current), reason)
    }
}
