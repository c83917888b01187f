// A parser of keys as a person writes them. `KeyText` has the grammar.

/// A recursive-descent parser of keys by their layout. Any text at all gives a value or nil.
struct KeyTextParser {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    /// Whether nothing but space is left.
    var isAtEnd: Bool { rest.allSatisfy(Self.isSpace) }

    /// Parses a whole key, or the first components of a key in parentheses.
    mutating func key(of layout: [LayoutField]) -> StoredFields? {
        if take("(") { return components(layout, mayEndEarly: true) }
        guard layout.count == 1, takeName(layout[0].name), let value = value(layout[0].type) else { return nil }
        return StoredFields([StoredFields.Field(layout[0].name, value)])
    }

    /// Parses a value of a type.
    mutating func value(_ type: LayoutType) -> FieldValue? {
        switch type {
        case .optional(let wrapped): optional(wrapped)
        case .rawValue(let base), .descending(let base): value(base)
        case .tuple(let types):
            take("(")
                ? components(types.map { LayoutField("", $0) }).map { .array($0.fields.map(\.value)) } : nil
        case .record(let fields): take("(") ? components(fields).map(FieldValue.record) : nil
        case .scalar(let scalar): self.scalar(scalar)
        case .array, .set, .dictionary, .enumeration, .json, .enclosing, .other: nil
        }
    }

    private mutating func optional(_ wrapped: LayoutType) -> FieldValue? {
        let start = rest
        if token() == "nil" { return .null }
        rest = start
        if wrapped.hasNull, take(".some(") {
            guard let inner = value(wrapped), take(")") else { return nil }
            return FieldValue.some(inner)
        }
        return value(wrapped).map { wrapped.hasNull ? FieldValue.some($0) : $0 }
    }

    /// Parses components after their opening parenthesis.
    private mutating func components(_ layout: [LayoutField], mayEndEarly: Bool = false) -> StoredFields? {
        var components = StoredFields()
        while components.fields.count < layout.count {
            let field = layout[components.fields.count]
            if mayEndEarly, take(")") { return components }
            if !components.fields.isEmpty, !take(",") { return nil }
            _ = takeName(field.name)
            guard let value = value(field.type) else { return nil }
            components.fields.append(StoredFields.Field(field.name, value))
        }
        return take(")") ? components : nil
    }

    /// Parses a value without parts: a string, or for most types a token.
    private mutating func scalar(_ scalar: ScalarLayout) -> FieldValue? {
        skipSpace()
        let isText = LayoutType.scalar(scalar) == .string || LayoutType.scalar(scalar) == .url
        guard rest.first == "\"" || !isText else { return nil }
        return (rest.first == "\"" ? string() : token()).flatMap { scalar.type.fieldValue(of: $0) }
    }

    // MARK: Tokens

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\n" }

    private mutating func skipSpace() { rest = rest.drop(while: Self.isSpace) }

    private mutating func take(_ token: String) -> Bool {
        skipSpace()
        guard rest.starts(with: token.unicodeScalars) else { return false }
        rest = rest.dropFirst(token.unicodeScalars.count)
        return true
    }

    /// Parses `name:`, and leaves any other text.
    private mutating func takeName(_ name: String) -> Bool {
        let start = rest
        if !name.isEmpty, take(KeyText.name(name)), take(":") { return true }
        rest = start
        return false
    }

    /// Parses the text before a comma or a closing parenthesis.
    private mutating func token() -> String? {
        skipSpace()
        let token = rest.prefix { $0 != "," && $0 != ")" }
        rest = rest.dropFirst(token.count)
        let end = token.lastIndex { !Self.isSpace($0) }.map(token.index(after:)) ?? token.startIndex
        return end == token.startIndex ? nil : String(token[..<end])
    }

    /// Parses a string in quotes.
    private mutating func string() -> String? {
        guard take("\"") else { return nil }
        var text = ""
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return text
            case "\\":
                guard let escaped = escapedScalar() else { return nil }
                text.unicodeScalars.append(escaped)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return nil
    }

    private mutating func escapedScalar() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "n"?: return "\n"
        case "r"?: return "\r"
        case "t"?: return "\t"
        case "0"?: return "\0"
        case "u"?:
            guard rest.popFirst() == "{" else { return nil }
            let digits = rest.prefix { $0 != "}" }
            rest = rest.dropFirst(digits.count + 1)
            return UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
        case let scalar?: return scalar
        case nil: return nil
        }
    }
}
