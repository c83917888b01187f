// Values out of what a person types, by their layout.

extension FieldValue {
    /// Reads a text as a value of a type: a number, `true` or `false`, a UUID, a date as ISO 8601, with any number of
    /// decimal places, or as seconds since the reference date, bytes as Base64, `null` for an optional; a string is the
    /// text itself.
    ///
    /// - Throws: ``CodingError`` where the text is no such value, or the type has none that can be typed.
    public init(text: String, as type: LayoutType) throws(CodingError) {
        guard let value = Self.value(text, type) else {
            throw CodingError(.unencodable("“\(text)” is not a value of the type \(type)"))
        }
        self = value
    }

    private static func value(_ text: String, _ type: LayoutType) -> FieldValue? {
        switch type {
        case .scalar(let scalar): scalar.type.value(of: text)
        case .optional(let wrapped): text == "null" ? .null : value(text, wrapped)
        case .rawValue(let base), .descending(let base): value(text, base)
        case .array, .set, .dictionary, .record, .enumeration, .tuple, .json, .enclosing, .other: nil
        }
    }
}
