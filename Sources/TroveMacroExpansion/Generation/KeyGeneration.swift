// `IndexKey`, `indexKey`, `id` and `encodeKey`.

/// Generates the members of a record's key.
enum KeyGeneration {
    static func members(of record: RecordDescription) -> [String] {
        let access = record.context.access.memberPrefix
        let type = type(of: record.key)
        let value = value(of: record.key)
        // An alias of a type that is not a key component would be an error of its own: the compiler infers `IndexKey`
        // from the key, or from the fallback.
        var members =
            record.mayLackOrder
            ? ["\(access)var indexKey: \(type) { \(value) }"]
            : ["\(access)typealias IndexKey = \(type)", "\(access)var indexKey: IndexKey { \(value) }"]
        if record.identity == .generated { members.append("\(access)var id: IndexKey { self.indexKey }") }
        members.append(
            SourceText.block(
                "\(access)func encodeKey(into writer: inout Trove.KeyWriter)",
                record.key.map { encoding($0, "self.\($0.code)", into: "writer") }))
        return members
    }

    /// Returns the statement that writes a component.
    static func encoding(_ property: PropertyDescription, _ value: String, into writer: String) -> String {
        property.mayLackOrder
            ? "\(coding(property)).encode(\(value), into: &\(writer))" : "\(value).encodeKey(into: &\(writer))"
    }

    /// Returns the statement that reads a component.
    ///
    /// - Parameter variable: The variable to set.
    static func decoding(_ property: PropertyDescription, into variable: String) -> String {
        let value =
            property.mayLackOrder
            ? "\(coding(property)).decode(from: &reader.key)" : "\(property.type)(decodingKey: &reader.key)"
        return SourceText.statement("\(variable) = try \(value)", at: property.location)
    }

    /// Returns the expression for the library's coding of a component's type.
    private static func coding(_ property: PropertyDescription) -> String {
        "Trove.keyCoding(of: \(property.type).self)"
    }

    private static func type(of key: [PropertyDescription]) -> String {
        key.count == 1 ? key[0].type : "Trove.Tuple<\(key.map(\.type).joined(separator: ", "))>"
    }

    private static func value(of key: [PropertyDescription]) -> String {
        let components = key.map { "self.\($0.code)" }
        return key.count == 1 ? components[0] : "Trove.Tuple(\(components.joined(separator: ", ")))"
    }
}
