// Adjacent stored records, read one property at a time. Queries for single properties read a batch this way.
//
// The loops below are compiled into closures with a known property type, so a single closure call reads many records.

import LMDB
import TroveCoding

/// Adjacent records of the current layout in a batch. Each has its own reader.
@usableFromInline
struct RecordRun: ~Copyable {
    @usableFromInline let records: EntryBatch
    /// The number of bytes read of each record.
    @usableFromInline var positions: EntryOffsets
    /// The record being read.
    @usableFromInline var current = 0

    /// Creates a run of all records of a batch. They must have the current layout and be intact.
    @usableFromInline
    init(_ batch: EntryBatch) {
        records = batch
        positions = EntryOffsets(count: batch.count)
    }

    // Inlinable: with an implicit deinitializer, the compiler can fail to inline a query's loop into its caller.
    @inlinable
    deinit {}

    @inlinable
    @inline(__always)
    var count: Int { records.count }

    /// A bit for each record.
    var all: UInt64 { count == UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1 }

    /// The number of bytes read of each record.
    var offsets: [Int] { positions.copy() }

    /// Returns the fields of a record.
    @inlinable
    @inline(__always)
    func fields(at index: Int) -> ByteView { records[index].value.dropFirst(StoredValue.headerSize) }

    /// Returns the key of a record.
    @inlinable
    @inline(__always)
    func key(at index: Int) -> ByteView { records[index].key }

    /// Returns the number of bytes read of a record.
    @inlinable
    @inline(__always)
    func position(at index: Int) -> Int { positions[index] }

    /// Resets every reader to the beginning.
    mutating func rewind() { positions.reset() }

    /// Calls a closure with the reader of each record's key.
    ///
    /// - Parameter advancing: Whether the next call continues after the bytes read by this call.
    @inlinable
    @inline(__always)
    mutating func forEachKey(
        advancing: Bool, _ body: (inout KeyReader) throws(CodingError) -> Void
    ) throws(CodingError) {
        for index in 0..<count {
            current = index
            var reader = KeyReader(key(at: index), at: position(at: index))
            try body(&reader)
            if advancing { positions[index] = reader.offset }
        }
    }

    /// Calls a closure with the reader of each record's fields.
    ///
    /// - Parameter advancing: Whether the next call continues after the bytes read by this call.
    @inlinable
    @inline(__always)
    mutating func forEachFields(
        advancing: Bool, _ body: (inout ValueReader) throws(CodingError) -> Void
    ) throws(CodingError) {
        for index in 0..<count {
            current = index
            var reader = ValueReader(fields(at: index), at: position(at: index))
            try body(&reader)
            if advancing { positions[index] = reader.offset }
        }
    }
}
