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

/// A property by which an index is sorted.
struct IndexedPropertyDescription: Equatable {
    var property: PropertyDescription
    var isDescending: Bool
}

/// The condition for a record to be in an index.
struct ConditionDescription: Equatable {
    /// The closure in one line, the same for every format of the source: it distinguishes conditions.
    var text: String
    /// The closure as it is written.
    var closure: String
    /// A filter that says the same; nil for a closure that no filter can say.
    var filter: ConditionFilterDescription?
}

/// A filter that matches only records for which a condition holds.
struct ConditionFilterDescription: Equatable {
    /// The filter as code.
    var code: String
    /// Whether it matches all records for which the condition holds.
    var isExact: Bool
}
