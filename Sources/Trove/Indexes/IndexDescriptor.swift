// The description of an index, without the type of its records.

/// The description of a declared index.
@usableFromInline
struct IndexDescriptor: Hashable, Sendable {
    let kind: IndexKind
    /// The persisted name, such as `lastName,firstName desc`.
    let name: String
    /// The persisted definition. When the definition changes, the index is built again.
    let definition: String
    /// The stored names of the properties, and their names in older layouts.
    let properties: [String]
    var oldProperties: [String] = []
    /// Whether a closure decides about a second record with the same values: then both records may stay.
    let allowsDuplicates: Bool

    init(_ kind: IndexKind, _ definition: IndexDefinition, allowsDuplicates: Bool = false) {
        self.kind = kind
        name = definition.name
        self.definition = definition.text
        properties = definition.columns.map(\.property)
        self.allowsDuplicates = allowsDuplicates
    }

    /// Whether no two records may have the same values.
    var forbidsDuplicates: Bool { kind.isUnique && !allowsDuplicates }

    /// The index's name in errors and plans.
    var text: String { "\(kind.name)(\(name))" }
}
