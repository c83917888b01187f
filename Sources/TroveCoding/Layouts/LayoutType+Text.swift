// Layouts as canonical text, the input of the parser.

extension RecordLayout: CustomStringConvertible {
    /// The canonical text.
    public var description: String { keyDescription + LayoutText.list("{", fields.map(\.description), "}") }

    /// The canonical text of the key.
    package var keyDescription: String { LayoutText.list("(", key.map(\.description), ")") }
}

extension LayoutField: CustomStringConvertible {
    /// The canonical text.
    public var description: String { LayoutText.name(name) + ":" + type.description }
}

extension LayoutType: CustomStringConvertible {
    /// The canonical text.
    public var description: String {
        switch self {
        case .scalar(let scalar): scalar.description
        case .optional(let wrapped): wrapped.description + "?"
        case .array(let element): "[\(element)]"
        case .set(let element): "Set<\(element)>"
        case .dictionary(let key, let value): "[\(key):\(value)]"
        case .record(let fields): LayoutText.list("{", fields.map(\.description), "}")
        case .enumeration(let cases): LayoutText.list("enum{", cases.map(LayoutText.enumCase), "}")
        case .rawValue(let raw): "enum<\(raw)>"
        case .tuple(let types): LayoutText.list("(", types.map(\.description), ")")
        case .descending(let base): "desc<\(base)>"
        case .json(let name): "json<\(LayoutText.name(name))>"
        case .enclosing(let level): "^\(level)"
        case .other(let name): name
        }
    }
}

private enum LayoutText {
    static func name(_ name: String) -> String {
        var builder = LayoutBuilder()
        builder.append(name: name)
        return builder.text
    }

    static func list(_ open: String, _ elements: [String], _ close: String) -> String {
        open + elements.joined(separator: ",") + close
    }

    static func enumCase(_ element: LayoutCase) -> String {
        guard !element.values.isEmpty else { return name(element.name) }
        let values = element.values.map { value in
            (value.label.map { name($0) + ":" } ?? "") + value.type.description
        }
        return name(element.name) + list("(", values, ")")
    }
}
