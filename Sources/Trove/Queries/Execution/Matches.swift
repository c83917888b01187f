// The matches of a filter in a batch of records.

import LMDB
import TroveCoding

/// A batch of records, and a bit set of the matching records.
@usableFromInline
@safe struct Matches {
    @usableFromInline let batch: EntryBatch
    /// A bit for each matching record, the lowest for the first.
    @usableFromInline var bits: UInt64

    init(_ batch: EntryBatch, bits: UInt64) {
        self.batch = batch
        self.bits = bits
    }

    /// Creates matches of all records of a batch, which is not empty.
    init(all batch: EntryBatch) { self.init(batch, bits: .max &>> UInt64(UInt64.bitWidth - batch.count)) }

    /// The record at an index.
    @inlinable
    subscript(_ index: Int) -> Entry { batch[index] }

    /// Removes the next match, and returns its index; nil after the last.
    @inlinable
    mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let index = bits.trailingZeroBitCount
        bits &= bits &- 1
        return index
    }

    /// Returns a run of a single record, to read its properties.
    @usableFromInline
    func run(at index: Int) -> RecordRun { RecordRun(batch.part(index..<index + 1)) }

    /// Skips the first `offset` matches, and removes all matches after the next `remaining` matches. Both numbers are
    /// reduced accordingly.
    mutating func trim(_ offset: inout Int, _ remaining: inout Int) {
        if offset >= bits.nonzeroBitCount {
            offset -= bits.nonzeroBitCount
            return bits = 0
        }
        while offset > 0 {
            _ = popFirst()
            offset -= 1
        }
        while bits.nonzeroBitCount > remaining { bits ^= 1 &<< UInt64(63 - bits.leadingZeroBitCount) }
        remaining -= bits.nonzeroBitCount
    }
}
