// The generated members of a struct with `@RecordValue`: its properties in order.

/// Generates the coding of a nested struct.
enum StructValueGeneration {
    static func members(of context: TypeContext, _ properties: [PropertyDescription]) -> [String] {
        let access = context.access.memberPrefix
        let fields = properties.map {
            SchemaGeneration.property($0, "layout.field", SourceText.coding($0.type))
        }
        return [
            SourceText.block(
                "\(access)static func describe(in layout: inout Trove.LayoutBuilder)",
                [SourceText.block("layout.record(Self.self)", fields, parameter: "layout")]),
            SourceText.block(
                "\(access)var encodedSize: Int",
                [SourceText.block("get throws(Trove.CodingError)", FieldsGeneration.sizeLines(properties))]),
            SourceText.block(
                "\(access)func encode(into writer: inout Trove.ValueWriter)",
                ["guard writer.enter() else { return }"] + FieldsGeneration.encodeLines(properties)
                    + ["writer.leave()"]),
            SourceText.block(
                "\(access)init(decoding reader: inout Trove.ValueReader) throws(Trove.CodingError)",
                ["try reader.enter()"] + FieldsGeneration.decodeLines(properties, from: "reader")
                    + ["reader.leave()"]),
            SourceText.block(
                "\(access)static func skip(in reader: inout Trove.ValueReader) throws(Trove.CodingError)",
                ["try reader.enter()"] + properties.map { "try \(SourceText.coding($0.type)).skip(in: &reader)" }
                    + ["reader.leave()"]),
        ]
    }
}
