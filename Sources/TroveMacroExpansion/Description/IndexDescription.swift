// An index or a unique constraint, as the generators see it.

/// What `#Index` or `#Unique` declares.
struct IndexDescription: Equatable {
    /// What the table is for.
    enum Kind: Equatable {
        case index
        /// No two records have the same values; the rule for a second one, as it is spelled.
        case unique(collisions: String)
    }

    var kind: Kind
    /// What it is sorted by, the most important first.
    var properties: [IndexedPropertyDescription]
    /// Which records are in it; nil for all.
    var condition: ConditionDescription?

    var isUnique: Bool { kind != .index }

    /// Whether both have the same entries.
    func isSameTable(as other: Self) -> Bool {
        isUnique == other.isUnique && properties == other.properties && condition?.text == other.condition?.text
    }
}

/// A property by which a table is sorted.
struct IndexedPropertyDescription: Equatable {
    var property: PropertyDescription
    var isDescending: Bool
}

/// Which records are in a table.
struct ConditionDescription: Equatable {
    /// The closure in one line, the same however the source is formatted: it tells conditions apart.
    var text: String
    /// The closure as it is written.
    var closure: String
    /// The filter that says the same; nil where there is none.
    var filter: ConditionFilterDescription?
}

/// What a query must ask for at least, so that a condition holds for all that it wants.
struct ConditionFilterDescription: Equatable {
    /// The filter as code.
    var code: String
    /// Whether it matches all records for which the condition holds.
    var isExact: Bool
}
