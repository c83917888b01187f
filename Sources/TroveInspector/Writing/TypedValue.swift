// A typed text as the value of a field.

#if Inspector
import Trove
import TroveCoding
import TroveSQL

/// A typed text as the value of a field without parts, and the text of a form for a stored value.
enum TypedValue {
    /// The maximum length of a text in a form, in bytes.
    static let limit = 20_000

    /// Returns the value of SQL for a typed text, which SQL then converts to the type of the field.
    ///
    /// - Throws: ``RefusedChange`` for a text that is not one of the type.
    static func value(of text: String, as field: LayoutField) throws -> SQLValue {
        switch field.type.scalar.map({ "\($0)" }) {
        case "Bool":
            switch text {
            case "true": return .integer(1)
            case "false": return .integer(0)
            default: throw RefusedChange(description: "\(field.name) is true or false.")
            }
        case "Data":
            guard let bytes = Hexadecimal.bytes(text) else {
                throw RefusedChange(description: "\(field.name) is data, in pairs of hexadecimal digits.")
            }
            return .blob(bytes)
        default: return .text(text.withLineFeeds)
        }
    }

    /// Returns the text of a form for a stored value; nil for a value that a form would change.
    static func text(of value: FieldValue) -> String? {
        switch value {
        case .some(let value): return text(of: value)
        case .null: return ""
        case .data(let bytes): return bytes.count <= limit / 2 ? Hexadecimal.text(bytes) : nil
        case .string(let text), .json(let text):
            let isPlain = text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
            }
            return isPlain && text.utf8.count <= limit ? text : nil
        default:
            let (text, size) = value.shortText(limit)
            return size == nil ? text : nil
        }
    }
}

extension String {
    /// The text with a line feed at the end of each line, where a form sends two characters. A page has no other end of
    /// a line.
    var withLineFeeds: String { replacing("\r\n", with: "\n").replacing("\r", with: "\n") }
}
#endif
