// The records of a batch that match a filter.

import LMDB
import TroveCoding

/// Records that stand together, and which of them are wanted.
@usableFromInline
@safe struct Matches {
    @usableFromInline let batch: EntryBatch
    /// A bit for each record that is wanted, the lowest for the first.
    @usableFromInline var bits: UInt64

    init(_ batch: EntryBatch, bits: UInt64) {
        self.batch = batch
        self.bits = bits
    }

    /// The record at an index.
    @inlinable
    subscript(_ index: Int) -> Entry { batch[index] }

    /// The place of the next record that is wanted.
    @inlinable
    mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let index = bits.trailingZeroBitCount
        bits &= bits &- 1
        return index
    }

    /// One of the records, to read properties of it.
    @usableFromInline
    func run(at index: Int) -> RecordRun { RecordRun(batch.part(index..<index + 1)) }

    /// Leaves out the first matches, and all behind the last one wanted.
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
