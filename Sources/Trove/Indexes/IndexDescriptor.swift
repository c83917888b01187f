// The description of an index, without the type of its records.

/// The description of a declared index.
@usableFromInline
struct IndexDescriptor: Sendable {
    let kind: IndexKind
    /// The persisted name, such as `lastName,firstName desc`.
    let name: String
    /// The persisted definition. When the definition changes, the index is built again.
    let definition: String
    /// Whether the index has a condition for its records.
    let isPartial: Bool
    /// The stored names of the properties.
    let properties: [String]
    /// The names of each property in older layouts.
    var oldNames: [[String]] = []
    /// Whether a closure decides about a second record with the same values: then both records may stay.
    let allowsDuplicates: Bool
    /// The number of properties whose numbers are added up: the last ones.
    let sumCount: Int
    /// The rule for the code of the kind; nil for a kind of entries.
    let kindRule: (any IndexRule)?

    init(
        _ kind: IndexKind, _ definition: IndexDefinition, _ rule: (any IndexRule)? = nil, allowsDuplicates: Bool = false
    ) {
        self.kind = kind
        name = definition.name
        self.definition = definition.text
        isPartial = definition.condition != nil
        properties = definition.columns.map(\.property)
        self.allowsDuplicates = allowsDuplicates
        sumCount = definition.sumCount
        kindRule = rule
    }

    /// Whether the index needs the keys of records alone, and none of their properties.
    var needsKeysOnly: Bool { kindRule?.needsKeysOnly ?? false }

    /// Returns whether properties have these names, or had them in older layouts.
    func hasProperties(named names: [String]) -> Bool {
        names == properties
            || names.count == oldNames.count
                && names.indices.allSatisfy { names[$0] == properties[$0] || oldNames[$0].contains(names[$0]) }
    }

    /// Whether no two records may have the same values.
    var forbidsDuplicates: Bool { kind.isUnique && !allowsDuplicates }

    /// The index's name in errors and plans.
    var text: String { "\(kind.name)(\(name))" }
}

extension IndexDescriptor: Hashable {
    /// Returns whether two indexes are declared in the same way. A rule is a part of the definition.
    @usableFromInline
    static func == (left: IndexDescriptor, right: IndexDescriptor) -> Bool {
        left.kind == right.kind && left.definition == right.definition && left.properties == right.properties
            && left.oldNames == right.oldNames && left.allowsDuplicates == right.allowsDuplicates
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(definition)
    }
}
