// The generated members of an enum with `@RecordValue`: the index of the case, then its associated values in order.

/// Generates the coding of an enum with associated values.
enum EnumValueGeneration {
    static func members(of context: TypeContext, _ cases: [CaseDescription]) -> [String] {
        let access = context.access.memberPrefix
        let indexed = Array(cases.enumerated())
        return [
            SourceText.block(
                "\(access)static func describe(in layout: inout Trove.LayoutBuilder)",
                [SourceText.block("layout.enumeration(Self.self)", cases.map(description), parameter: "layout")]),
            SourceText.block(
                "\(access)var encodedSize: Int",
                [SourceText.block("get throws(Trove.CodingError)", selfSwitch(indexed.map(size)))]),
            SourceText.block(
                "\(access)func encode(into writer: inout Trove.ValueWriter)",
                ["guard writer.enter() else { return }"] + selfSwitch(indexed.map(encoding)) + ["writer.leave()"]),
            SourceText.block(
                "\(access)init(decoding reader: inout Trove.ValueReader) throws(Trove.CodingError)",
                ["try reader.enter()"] + indexSwitch(indexed.map(decoding), context) + ["reader.leave()"]),
            SourceText.block(
                "\(access)static func skip(in reader: inout Trove.ValueReader) throws(Trove.CodingError)",
                ["try reader.enter()"] + indexSwitch(indexed.map(skipping), context) + ["reader.leave()"]),
        ]
    }

    private static func selfSwitch(_ branches: [String]) -> [String] { ["switch self {"] + branches + ["}"] }

    private static func indexSwitch(_ branches: [String], _ context: TypeContext) -> [String] {
        let unknown = SourceText.literal("a case of \(context.name)")
        return ["switch try reader.readLength() {"] + branches
            + ["default:", SourceText.indented(["throw reader.malformed(\(unknown))"]), "}"]
    }

    private static func description(_ element: CaseDescription) -> String {
        let name = SourceText.literal(element.name)
        guard !element.payload.isEmpty else { return "layout.case(\(name))" }
        let values = element.payload.map { value in
            let coding = SourceText.coding(value.type)
            return value.label.map { "layout.field(\(SourceText.literal($0)), \(coding))" } ?? "layout.value(\(coding))"
        }
        return SourceText.block("layout.case(\(name))", values, parameter: "layout")
    }

    private static func size(_ index: Int, _ element: CaseDescription) -> String {
        let own = "Trove.ValueWriter.size(ofLength: \(index))"
        let sizes = element.payload.enumerated().map { number, value in
            "try \(SourceText.coding(value.type)).encodedSize(of: value\(number))"
        }
        guard !sizes.isEmpty else { return branch(pattern(element), ["return \(own)"]) }
        return branch(pattern(element), ["var size = \(own)"] + sizes.map { "size += \($0)" } + ["return size"])
    }

    private static func encoding(_ index: Int, _ element: CaseDescription) -> String {
        branch(
            pattern(element),
            ["writer.writeLength(\(index))"]
                + element.payload.enumerated().map { number, value in
                    SourceText.encoding(value.type, "value\(number)", number, at: value.location)
                })
    }

    private static func decoding(_ index: Int, _ element: CaseDescription) -> String {
        let values = element.payload.map { value in
            let label = value.argumentLabel.map { "\($0): " } ?? ""
            return "\(label)try \(SourceText.coding(value.type)).decode(from: &reader)"
        }
        let arguments = values.isEmpty ? "" : "(\n\(SourceText.indented([values.joined(separator: ",\n")])))"
        return branch("case \(index)", ["self = .\(element.code)\(arguments)"])
    }

    private static func skipping(_ index: Int, _ element: CaseDescription) -> String {
        let values = element.payload.map { "try \(SourceText.coding($0.type)).skip(in: &reader)" }
        return branch("case \(index)", values.isEmpty ? ["break"] : values)
    }

    private static func pattern(_ element: CaseDescription) -> String {
        let values = element.payload.enumerated().map { number, value in
            (value.argumentLabel.map { "\($0): " } ?? "") + "let value\(number)"
        }
        return "case .\(element.code)" + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))")
    }

    private static func branch(_ head: String, _ lines: [String]) -> String {
        "\(head):\n\(SourceText.indented(lines))"
    }
}
