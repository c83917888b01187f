// Sums over a tree under verification.

/// The numbers of entries and pages of a tree.
public struct TreeTotals: Hashable, Sendable, Codable {
    /// The number of keys.
    public var entries: UInt64 = 0
    /// The number of inner pages.
    public var branchPages: UInt64 = 0
    /// The number of pages with keys.
    public var leafPages: UInt64 = 0
    /// The number of pages with values too large for a leaf.
    public var overflowPages: UInt64 = 0
}
