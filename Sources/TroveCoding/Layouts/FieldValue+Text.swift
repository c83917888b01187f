// Values from text that a user types, by their layout, and their own text.

extension FieldValue {
    /// Creates the value of a text.
    ///
    /// The text is a number, `true` or `false`, a UUID, a URL, bytes as Base64, or `null` for an optional. A date is
    /// ISO 8601 with any number of decimal places, or seconds since the reference date. A string is the text itself. A
    /// tuple or a nested record is a list in parentheses, `("Dallas", 45)`, with its strings in quotes.
    ///
    /// - Throws: ``CodingError`` if the text is not a value of the type, or values of the type have no text.
    public init(text: String, as type: LayoutType) throws(CodingError) {
        guard let value = Self.value(text, type) else {
            throw CodingError(.unencodable("“\(text)” is not a value of the type \(type)"))
        }
        self = value
    }

    private static func value(_ text: String, _ type: LayoutType) -> FieldValue? {
        switch type {
        case .scalar(let scalar): scalar.type.fieldValue(of: text)
        case .optional(let wrapped): text == "null" ? .null : value(text, wrapped)
        case .rawValue(let base), .descending(let base): value(text, base)
        case .record, .tuple: listed(text, type)
        case .array, .set, .dictionary, .enumeration, .json, .enclosing, .other: nil
        }
    }
    private static func listed(_ text: String, _ type: LayoutType) -> FieldValue? {
        var parser = KeyTextParser(text)
        let value = parser.value(type)
        return parser.isAtEnd ? value : nil
    }
}

extension FieldValue {
    /// The text of a scalar, the inverse of ``init(text:as:)``; nil for nil, JSON, and values with parts.
    package var scalarText: String? {
        switch scalar?.type.jsonToken(of: self) {
        case .plain(let text), .string(let text): text
        case nil: nil
        }
    }
}

extension ScalarLayout {
    /// Returns the value of a text; nil if the text is not a value of the type.
    package func value(of text: String) -> FieldValue? { type.fieldValue(of: text) }
}

extension FieldValue: CustomStringConvertible {
    /// The value as ``json``.
    public var description: String { json }
}
