// `schema`: what the store knows about the type.

/// Writes the schema of a record.
enum SchemaGeneration {
    static func members(of record: RecordDescription) -> [String] {
        var arguments = ["name: \(SourceText.literal(record.context.lexicalPath))", "fileID: #fileID"]
        if let keyPrefix = record.keyPrefix { arguments.append("keyPrefix: \(keyPrefix)") }
        if let version = record.fieldsVersion { arguments.append("fieldsVersion: \(version)") }
        let key = record.key.map { property($0, "Trove.KeyProperty", "\($0.type).self") }
        let fields = record.fields.map { field in
            let makeDefault = field.defaultValue.map { ["default: { \($0) }"] } ?? []
            return property(field, "Trove.FieldProperty", SourceText.coding(field.type), makeDefault)
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

    private static func property(
        _ property: PropertyDescription, _ kind: String, _ type: String, _ others: [String] = []
    ) -> String {
        let oldName = property.oldName.map { ["renamedFrom: \(SourceText.literal($0))"] } ?? []
        let arguments = [SourceText.literal(property.storedName), type] + oldName + others
        return "\(kind)(\(arguments.joined(separator: ", ")))"
    }

    private static func list(_ label: String, _ elements: [String]) -> String {
        guard !elements.isEmpty else { return "\(label): []" }
        return "\(label): [\n\(SourceText.indented([elements.joined(separator: ",\n")]))\n]"
    }
}
