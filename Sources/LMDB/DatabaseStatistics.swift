// Figures of a database's tree.

import CTroveLMDB
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The shape of a database's tree.
public struct DatabaseStatistics: Hashable, Sendable {
    /// The number of keys.
    public var entries = 0
    /// The number of levels.
    public var depth = 0
    /// The number of inner pages.
    public var branchPages = 0
    /// The number of pages with keys.
    public var leafPages = 0
    /// The number of pages with values too large for a leaf.
    public var overflowPages = 0
    /// The size of a page in bytes.
    public var pageSize = 0

    /// The size of all pages in bytes.
    package var size: Int { [branchPages, leafPages, overflowPages].clampedSum().multipliedClamped(by: pageSize) }

    init() {}

    /// Creates the figures of a tree. A damaged file can have any numbers: those beyond the range are clamped to it.
    init(_ stat: MDB_stat) {
        entries = Self.clamped(stat.ms_entries)
        depth = Int(stat.ms_depth)
        branchPages = Self.clamped(stat.ms_branch_pages)
        leafPages = Self.clamped(stat.ms_leaf_pages)
        overflowPages = Self.clamped(stat.ms_overflow_pages)
        pageSize = Int(stat.ms_psize)
    }

    /// Returns an unsigned number of C, which is imported as a signed one.
    private static func clamped(_ number: Int) -> Int { Int(clamping: UInt(bitPattern: number)) }
}
