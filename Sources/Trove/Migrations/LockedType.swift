// A record type in a schema lock.

import TroveCoding

/// The identity and the layout of a record type, as text.
struct LockedType: Decodable {
    var name: String
    var keyPrefix: UInt32
    var fieldsVersion: UInt32
    var key: [LockedProperty]
    var fields: [LockedProperty]
    /// The stored names of the relations, with their targets and inverses; nil for a type without relations.
    var relations: [LockedProperty]?

    init(_ schema: RecordSchema) {
        name = schema.qualifiedName
        keyPrefix = schema.keyPrefix
        fieldsVersion = schema.fieldsVersion
        key = schema.key.map { LockedProperty($0.name, $0.described.text) }
        fields = schema.fields.map { LockedProperty($0.name, $0.described.text) }
        let relations = schema.entity?.type.relationDescriptions.map(LockedProperty.init) ?? []
        self.relations = relations.isEmpty ? nil : relations
    }

    /// - Parameter layout: The layout of the records, as in a store.
    init(
        name: String, keyPrefix: UInt32, fieldsVersion: UInt32, _ layout: RecordLayout, relations: [LockedProperty]
    ) {
        (self.name, self.keyPrefix, self.fieldsVersion) = (name, keyPrefix, fieldsVersion)
        key = layout.key.map { LockedProperty(name: $0.name, type: "\($0.type)") }
        fields = layout.fields.map { LockedProperty(name: $0.name, type: "\($0.type)") }
        self.relations = relations.isEmpty ? nil : relations
    }

    /// The canonical text of the layout, as in a schema.
    var layout: String { keyLayout + "{" + fields.map(\.layout).joined(separator: ",") + "}" }

    /// The key's part of the layout's text.
    var keyLayout: String { "(" + key.map(\.layout).joined(separator: ",") + ")" }
}

extension LockedProperty {
    /// - Parameter relation: A relation, such as `to one Chats.Chat, inverse messages`.
    fileprivate init(_ relation: RelationDescription) {
        let target = "to \(relation.isToMany ? "many" : "one") \(relation.target.schema.qualifiedName)"
        let inverse = relation.inverse?.name ?? relation.inverseProperty
        self.init(name: relation.name, type: inverse.map { "\(target), inverse \($0)" } ?? target)
    }
}
