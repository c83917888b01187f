// The state of one tree's verification.

/// The current tree of the verification.
struct TreeState {
    enum Kind { case freePages, tables, records }

    var name: String
    var kind: Kind
    var totals = TreeTotals()
    /// The level of the first leaf; all leaves must be on the same level.
    var leafLevel: Int?

    var order: KeyOrder { kind == .freePages ? .numbers : .bytes }
}
