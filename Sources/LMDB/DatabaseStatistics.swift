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

    init() {}

    init(_ stat: MDB_stat) {
        entries = stat.ms_entries
        depth = Int(stat.ms_depth)
        branchPages = stat.ms_branch_pages
        leafPages = stat.ms_leaf_pages
        overflowPages = stat.ms_overflow_pages
        pageSize = Int(stat.ms_psize)
    }
}
