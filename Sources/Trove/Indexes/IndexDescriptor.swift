// The description of an index, without the type of its records.

/// The description of a declared index.
@usableFromInline
struct IndexDescriptor: Hashable, Sendable {
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
    /// The rule of a full-text index; nil for other kinds.
    let rule: TextRule?

    init(
        _ kind: IndexKind, _ definition: IndexDefinition, _ rule: TextRule? = nil, allowsDuplicates: Bool = false
    ) {
        self.kind = kind
        name = definition.name
        self.definition = definition.text
        isPartial = definition.condition != nil
        properties = definition.columns.map(\.property)
        self.allowsDuplicates = allowsDuplicates
        self.rule = rule
    }

    /// Whether the text of the index is gathered by a closure.
    var isGathered: Bool { rule?.gathering != nil }

    /// Whether the index has the words of all records' own texts.
    var hasAllWords: Bool { kind.isText && !isPartial && !isGathered && rule?.analyzer.makesWords == true }

    /// Returns whether properties have these names, or had them in older layouts.
    func hasProperties(named names: [String]) -> Bool {
        names == properties
            || names.count == oldNames.count
                && names.indices.allSatisfy { names[$0] == properties[$0] || oldNames[$0].contains(names[$0]) }
    }

    /// Whether a build replaces all rows of an older layout: each record has a document, whose texts alone may differ.
    var keepsRowsOfOlderLayouts: Bool { kind.isText && !isPartial && !isGathered }

    /// Whether no two records may have the same values.
    var forbidsDuplicates: Bool { kind.isUnique && !allowsDuplicates }

    /// The index's name in errors and plans.
    var text: String { "\(kind.name)(\(name))" }
}
