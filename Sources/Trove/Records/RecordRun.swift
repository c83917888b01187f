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

    /// How many records from a place on are of the present version, and intact where that is verified.
    private static func currentCount(_ batch: EntryBatch, from start: Int, _ table: RecordTable) throws -> Int {
        for index in start..<batch.count {
            let value = unsafe batch.entries[index].value
            guard value.count >= StoredValue.headerSize,
                UInt32(littleEndian: unsafe value.loadUnaligned(as: UInt32.self)) == table.fieldsVersion
            else { return index - start }
            if table.verifiesChecksums {
                try table.verify(unsafe batch.entries[index].key.bytes, unsafe value.bytes)
            }
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
    @unsafe func fields(at index: Int) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: entries[index].value[StoredValue.headerSize...])
    }

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
            var reader = unsafe KeyReader(entries[index].key, at: positions[index])
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
            let value = unsafe entries[index].value
            let fields = unsafe UnsafeRawBufferPointer(rebasing: value[StoredValue.headerSize...])
            var reader = unsafe ValueReader(fields, at: positions[index])
            try body(&reader)
            if advancing { unsafe positions[index] = reader.offset }
        }
    }

    /// The error of the record that could not be read.
    @usableFromInline
    func corrupted(_ table: RecordTable, _ reason: CodingError) -> StoreError {
        table.corrupted(unsafe entries[current].key.bytes, reason)
    }
}
