// Values out of what a person types, by their layout.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FieldValue {
    /// Reads a text as a value of a type: a number, `true` or `false`, a UUID, a date as ISO 8601, with any number of
    /// decimal places, or as seconds since the reference date, bytes as Base64, `null` for an optional; a string is the
    /// text itself.
    ///
    /// - Throws: ``CodingError`` where the text is no such value, or the type has none that can be typed.
    public init(text: String, as type: LayoutType) throws(CodingError) {
        guard let value = Self.value(text, type) else {
            throw CodingError(.unencodable("“\(text)” is no value of the type \(type)"))
        }
        self = value
    }

    private static func value(_ text: String, _ type: LayoutType) -> FieldValue? {
        switch type {
        case .integer(let bits, let isSigned): IntegerRange(bits, isSigned: isSigned).value(of: text)
        case .float: Float(text).map { .float($0) }
        case .double: Double(text).map { .double($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .string: .string(text)
        case .data: Data(base64Encoded: text).map { .data([UInt8]($0)) }
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .date: date(text).map { .date($0) }
        case .decimal: Decimal(string: text).map { .decimal($0) }
        case .url: URL(string: text).map { .url($0) }
        case .optional(let wrapped): text == "null" ? .null : value(text, wrapped)
        case .rawValue(let base), .descending(let base): value(text, base)
        case .array, .set, .dictionary, .record, .enumeration, .tuple, .json, .enclosing, .other: nil
        }
    }

    private static func date(_ text: String) -> Date? {
        let seconds = Double(text) ?? ISO8601Text.seconds(text)
        return seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
}
