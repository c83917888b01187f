// The record of a tree, in the meta pages and in the main tree (liblmdb's `MDB_db`).
//
//     record = pad 4 · flags 2 · depth 2 · branch pages 8 · leaf pages 8 · overflow pages 8 · entries 8 · root page 8
//
// in the machine's byte order. The pad of the freelist's tree is the page size.

/// A tree as its record describes it.
struct TreeRecord: Hashable {
    static let byteCount = 48
    /// The root of an empty tree.
    static let noPage = UInt64.max
    /// liblmdb's own limit on the number of levels. No tree reaches it.
    static let mostLevels = 32

    var flags: UInt16
    var depth: Int
    var totals: TreeTotals
    var root: UInt64

    var isEmpty: Bool { root == Self.noPage }

    /// Reads the record at an offset; nil if the bytes are too few.
    init?(_ bytes: [UInt8], at offset: Int) {
        guard let flags = bytes.integer(UInt16.self, at: offset + 4),
            let depth = bytes.integer(UInt16.self, at: offset + 6),
            let branchPages = bytes.integer(UInt64.self, at: offset + 8),
            let leafPages = bytes.integer(UInt64.self, at: offset + 16),
            let overflowPages = bytes.integer(UInt64.self, at: offset + 24),
            let entries = bytes.integer(UInt64.self, at: offset + 32),
            let root = bytes.integer(UInt64.self, at: offset + 40)
        else { return nil }
        self.flags = flags
        self.depth = Int(depth)
        totals = TreeTotals(
            entries: entries, branchPages: branchPages, leafPages: leafPages, overflowPages: overflowPages)
        self.root = root
    }
}
