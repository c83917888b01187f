// `fieldsSize`, `encodeFields` and `init(decoding:)`.
//
// `init(decoding:)` hands the decoded values to an initializer that cannot throw. The compiler would otherwise copy a
// struct of more than a few words at the end of the initializer, and release the original.

/// Generates the coding of a record's fields.
enum FieldsGeneration {
    static func members(of record: RecordDescription) -> [String] {
        let access = record.context.access.memberPrefix
        return [
            SourceText.block(
                "\(access)func fieldsSize() throws(Trove.CodingError) -> Int", sizeLines(record.fields)),
            SourceText.block(
                "\(access)func encodeFields(into writer: inout Trove.ValueWriter)", encodeLines(record.fields)),
            SourceText.block(
                "\(access)init(decoding reader: inout Trove.RecordReader) throws(Trove.CodingError)",
                decodeValueLines(record) + checkIDLines(record) + unsetLines(record)),
            valuesInitializer(record),
        ]
    }

    /// Returns the key's properties that are stored, and the fields.
    private static func decodedKey(_ record: RecordDescription) -> [PropertyDescription] {
        record.entity?.hasComputedID == true ? [] : record.key
    }

    private static func decodeValueLines(_ record: RecordDescription) -> [String] {
        let key = decodedKey(record)
        let values = (0..<key.count + record.fields.count).map { "value\($0)" }
        return zip(values, key).map { KeyGeneration.decoding($1, into: "let \($0)") }
            + zip(values.dropFirst(key.count), record.fields).map { value, field in
                "let \(value) = try \(SourceText.coding(field.type)).decode(from: &reader.fields)"
            } + ["self.init(\((["decoded: ()"] + values).joined(separator: ", ")))"]
    }

    /// Returns the initializer of all stored properties, in the order of decoding.
    private static func valuesInitializer(_ record: RecordDescription) -> String {
        let properties = decodedKey(record) + record.fields
        let parameters = properties.enumerated().map { "_ value\($0): \($1.type)" }
        return SourceText.block(
            "@inline(__always) private init(\((["decoded: Void"] + parameters).joined(separator: ", ")))",
            properties.enumerated().map { "self.\($1.code) = value\($0)" })
    }

    /// Returns the check of a computed `id`, which is not decoded.
    private static func checkIDLines(_ record: RecordDescription) -> [String] {
        record.entity?.hasComputedID == true ? ["try reader.checkKey(self.id)"] : []
    }

    /// Returns statements for the relations with an initial value: a decoded entity has no relations.
    private static func unsetLines(_ record: RecordDescription) -> [String] {
        (record.entity?.relations ?? []).filter(\.hasInitialValue).map { "self.\($0.projection) = .none" }
    }

    /// Returns separate statements, because a long sum takes the type checker too long.
    static func sizeLines(_ properties: [PropertyDescription]) -> [String] {
        let sizes = properties.map { "try \(SourceText.coding($0.type)).encodedSize(of: self.\($0.code))" }
        switch sizes.count {
        case 0: return ["0"]
        case 1: return sizes
        default: return ["var size = \(sizes[0])"] + sizes.dropFirst().map { "size += \($0)" } + ["return size"]
        }
    }

    static func encodeLines(_ properties: [PropertyDescription]) -> [String] {
        properties.enumerated().map { number, property in
            SourceText.encoding(property.type, "self.\(property.code)", number, at: property.location)
        }
    }

    static func decodeLines(_ properties: [PropertyDescription], from reader: String) -> [String] {
        properties.map { "self.\($0.code) = try \(SourceText.coding($0.type)).decode(from: &\(reader))" }
    }
}
