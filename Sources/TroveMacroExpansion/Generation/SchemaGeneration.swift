// `schema`: what the store knows about the type.

/// Writes the schema of a record.
enum SchemaGeneration {
    static func members(of record: RecordDescription) -> [String] {
        var arguments = ["name: \(SourceText.literal(record.context.lexicalPath))", "fileID: #fileID"]
        if let keyPrefix = record.keyPrefix { arguments.append("keyPrefix: \(keyPrefix)") }
        if let version = record.fieldsVersion { arguments.append("fieldsVersion: \(version)") }
        let key = record.key.map { "Trove.KeyProperty(\(SourceText.literal($0.name)), \($0.type).self)" }
        let fields = record.fields.map {
            "Trove.FieldProperty(\(SourceText.literal($0.name)), \(SourceText.coding($0.type)))"
        }
        return [
            "\(record.context.access.memberPrefix)static let schema = Trove.RecordSchema(\n"
                + SourceText.indented([
                    arguments.joined(separator: ", ") + ",",
                    list("key", key) + ",",
                    list("fields", fields) + ")",
                ])
        ]
    }

    private static func list(_ label: String, _ elements: [String]) -> String {
        guard !elements.isEmpty else { return "\(label): []" }
        return "\(label): [\n\(SourceText.indented([elements.joined(separator: ",\n")]))\n]"
    }
}
