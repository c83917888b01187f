// An index or a unique constraint, for the generators.

/// An index declared by a macro such as `#Index`.
struct IndexDescription: Equatable {
    var kind: IndexMacroKind
    /// The properties in the sort order, the most important first.
    var properties: [IndexedPropertyDescription]
    /// The rule for a second record with the same values, in its source spelling; nil for an index that is not unique.
    var collisions: String?
    /// The arguments of a full-text index in their source spelling, such as `analyzer: .standard`.
    var textOptions: [String] = []
    /// The condition for a record to be in the index; nil for all records.
    var condition: ConditionDescription?

    /// Returns whether two indexes have the same entries.
    func hasSameEntries(as other: Self) -> Bool {
        kind == other.kind && properties == other.properties && condition?.text == other.condition?.text
            && textOptions == other.textOptions
    }
}
