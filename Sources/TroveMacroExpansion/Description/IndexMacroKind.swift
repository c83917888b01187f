// The macros for declaring indexes, a line each.

/// A macro that declares an index of a kind.
struct IndexMacroKind: Equatable {
    /// The macro's name.
    let macro: String
    /// The function of `RecordIndex` for an index of the kind.
    let function: String
    /// Whether no two records have the same values, so that a rule for collisions must be given.
    var isUnique = false
    /// Whether the index has the words of texts.
    var isText = false
    /// Whether the index has totals of groups: its properties have labels, and may be missing.
    var isTotals = false

    static let all = [
        IndexMacroKind(macro: "Index", function: "index"),
        IndexMacroKind(macro: "Unique", function: "unique", isUnique: true),
        IndexMacroKind(macro: "FullTextIndex", function: "fullText", isText: true),
        IndexMacroKind(macro: "Totals", function: "totals", isTotals: true),
    ]
}
