// An index or a unique constraint, as the generators see it.

/// An index that a macro such as `#Index` declares.
struct IndexDescription: Equatable {
    var kind: IndexMacroKind
    /// The properties by which the index is sorted, the most important first.
    var properties: [IndexedPropertyDescription]
    /// The rule for a second record with the same values, as it is spelled; nil for an index that is not unique.
    var collisions: String?
    /// The condition for a record to be in the index; nil for all records.
    var condition: ConditionDescription?

    /// Whether two indexes have the same entries.
    func isSameTable(as other: Self) -> Bool {
        kind == other.kind && properties == other.properties && condition?.text == other.condition?.text
    }
}
