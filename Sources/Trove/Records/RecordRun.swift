// Adjacent stored records, read one property at a time. Queries for single properties read a batch this way.
//
// The loops below are compiled into the closures that know the property's type, so a single closure call reads many
// records.

import LMDB
import TroveCoding

/// Adjacent records of the current layout in a batch. Each has its own reader.
@usableFromInline
@safe struct RecordRun: ~Copyable {
    @usableFromInline let entries: UnsafePointer<Entry>
    @usableFromInline let count: Int
    /// The number of bytes read of each record.
    @usableFromInline let positions: UnsafeMutablePointer<Int>
    /// The record being read.
    @usableFromInline var current = 0

    /// Creates a run of records of the current layout, known to be intact.
    @usableFromInline
    @unsafe init(_ entries: UnsafePointer<Entry>, count: Int) {
        unsafe self.entries = entries
        self.count = count
        unsafe positions = .allocate(capacity: count)
    }

    /// Creates a run of all records of a batch. They must have the current layout and be intact.
    @usableFromInline
    init(_ batch: EntryBatch) { unsafe self.init(batch.entries, count: batch.count) }

    @inlinable
    deinit { unsafe positions.deallocate() }

    /// A bit for each record.
    var all: UInt64 { count == UInt64.bitWidth ? .max : (1 &<< UInt64(count)) &- 1 }

    /// The number of bytes read of each record.
    var offsets: [Int] { unsafe Array(UnsafeBufferPointer(start: positions, count: count)) }

    /// Returns the fields of a record.
    @inlinable
    @inline(__always)
    func fields(at index: Int) -> ByteView { unsafe entries[index].value.dropFirst(StoredValue.headerSize) }

    /// Returns the key of a record.
    @inlinable
    @inline(__always)
    func key(at index: Int) -> ByteView { unsafe entries[index].key }

    /// Returns the number of bytes read of a record.
    @inlinable
    @inline(__always)
    func position(at index: Int) -> Int { unsafe positions[index] }

    /// Resets every reader to the beginning.
    mutating func rewind() {
        unsafe positions.initialize(repeating: 0, count: count)
    }

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
            if advancing { unsafe positions[index] = reader.offset }
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
            if advancing { unsafe positions[index] = reader.offset }
        }
    }
}
