// The levels of the entries of a ranked index.
//
// About one of 32 entries has the level 1, one of 32 of these the level 2, and so on. The level follows from the bytes
// of the entry alone. So equal stores have equal rows, whatever the order of their writes, and nothing is ever
// rebalanced.
//
// The method is that of the skip list: W. Pugh, “Skip lists: a probabilistic alternative to balanced trees”,
// Communications of the ACM 33 (1990), with the counts of its “linear list operations”. A hash replaces the
// random numbers.

import LMDB
import TroveCoding

/// The levels of entries.
enum RankLevel {
    /// The greatest level: one entry of 2³⁰ has it.
    static let highest = 6
    /// The bits of a hash that decide about a level.
    private static let bits = 5
    /// The size of the longest entry with a level: the key of its row has one byte more, and the next key another.
    private static let sizeLimit = KeyWriter.sizeLimit - 2

    /// Returns the level of an entry: 0 for most entries.
    ///
    /// - Parameter entry: The key of the stored entry.
    static func of(_ entry: ByteView) -> Int {
        guard entry.count <= sizeLimit else { return 0 }
        var checksum = CRC32C()
        entry.withSpan { checksum.update($0) }
        return min(highest, mixed(checksum.value).trailingZeroBitCount / bits)
    }

    /// Returns a number of which each bit depends on all bits of a checksum. A checksum alone is linear: keys with a
    /// regular difference could lack levels.
    private static func mixed(_ checksum: UInt32) -> UInt32 {
        var bits = checksum
        bits ^= bits >> 16
        bits = bits &* 0x7FEB_352D
        bits ^= bits >> 15
        bits = bits &* 0x846C_A68B
        return bits ^ bits >> 16
    }
}
