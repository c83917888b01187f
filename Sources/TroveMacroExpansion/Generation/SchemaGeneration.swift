// `schema`: the record type's description for the store.

/// Generates the schema of a record.
enum SchemaGeneration {
    static func members(of record: RecordDescription) -> [String] {
        var arguments = ["of: Self.self", "name: \(SourceText.literal(record.context.lexicalPath))", "fileID: #fileID"]
        if let keyPrefix = record.keyPrefix { arguments.append("keyPrefix: \(keyPrefix)") }
        if let version = record.fieldsVersion { arguments.append("fieldsVersion: \(version)") }
        let key = record.key.map { property($0, "Trove.KeyProperty", "\\Self.\($0.code)") }
        let fields = record.fields.map {
            property($0, "Trove.FieldProperty", "\\Self.\($0.code), \(SourceText.coding($0.type))")
        }
        return [
            "\(record.context.access.memberPrefix)static let schema: Trove.RecordSchema = .init(\n"
                + SourceText.indented([
                    arguments.joined(separator: ", ") + ",",
                    list("key", key) + ",",
                    list("fields", fields) + ")",
                ])
        ]
    }

    /// Returns a call to describe a property.
    ///
    /// - Parameters:
    ///   - function: The function to call.
    ///   - type: The argument for the property's type.
    static func property(_ property: PropertyDescription, _ function: String, _ type: String) -> String {
        var arguments = [SourceText.literal(property.storedName), type]
        if !property.oldNames.isEmpty {
            let names = property.oldNames.map(SourceText.literal).joined(separator: ", ")
            arguments.append("renamedFrom: [\(names)]")
        }
        if let value = property.defaultValue {
            // A value can end with `#endif`, or with a comment.
            let isLong = value.contains(where: \.isNewline)
            arguments.append("default: " + (isLong ? SourceText.closure([value]) : "{ \(value) }"))
        }
        return "\(function)(\(arguments.joined(separator: ", ")))"
    }

    private static func list(_ label: String, _ elements: [String]) -> String {
        guard !elements.isEmpty else { return "\(label): []" }
        return "\(label): [\n\(SourceText.indented([elements.joined(separator: ",\n")]))\n]"
    }
}
