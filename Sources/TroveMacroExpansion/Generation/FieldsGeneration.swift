// `fieldsSize`, `encodeFields` and `init(decoding:)`.

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
                decodeKeyLines(record) + decodeLines(record.fields, from: "reader.fields")
                    + checkIDLines(record) + unsetLines(record)),
        ]
    }

    private static func decodeKeyLines(_ record: RecordDescription) -> [String] {
        guard record.entity?.hasComputedID != true else { return [] }
        return record.key.map(KeyGeneration.decoding)
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
        properties.map {
            SourceText.statement(
                "\(SourceText.coding($0.type)).encode(self.\($0.code), into: &writer)", at: $0.location)
        }
    }

    static func decodeLines(_ properties: [PropertyDescription], from reader: String) -> [String] {
        properties.map { "self.\($0.code) = try \(SourceText.coding($0.type)).decode(from: &\(reader))" }
    }
}
