// A record type in a schema lock.

/// The identity and the layout of a record type, as text.
struct LockedType: Decodable {
    var name: String
    var keyPrefix: UInt32
    var fieldsVersion: UInt32
    var key: [LockedProperty]
    var fields: [LockedProperty]

    init(_ schema: RecordSchema) {
        name = schema.qualifiedName
        keyPrefix = schema.keyPrefix
        fieldsVersion = schema.fieldsVersion
        key = schema.key.map { LockedProperty($0.name, $0.described.text) }
        fields = schema.fields.map { LockedProperty($0.name, $0.described.text) }
    }

    /// The canonical text of the layout, as in a schema.
    var layout: String { keyLayout + "{" + fields.map(\.layout).joined(separator: ",") + "}" }

    /// The key's part of the layout's text.
    var keyLayout: String { "(" + key.map(\.layout).joined(separator: ",") + ")" }
}
