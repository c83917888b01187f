// A value as SQLite has it.

import Trove

/// A value as SQLite has it.
public enum SQLValue: Hashable, Sendable {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue: CustomStringConvertible {
    /// The value as a literal of SQL.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): number == .infinity ? "9e999" : number == -.infinity ? "-9e999" : "\(number)"
        case .text(let text): "'" + text.replacingScalar("'", with: "''") + "'"
        case .blob(let bytes): "x'" + Self.hexadecimal(bytes) + "'"
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension SQLValue {
    /// The value as JSON: a blob in hexadecimal digits, an infinity as text.
    var json: String {
        switch self {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): number.isFinite ? "\(number)" : "\"\(number)\""
        case .text(let text): text.quotedAsJSON
        case .blob(let bytes): "\"" + Self.hexadecimal(bytes) + "\""
        }
    }

    /// Returns integers, or texts, as a JSON array, and their type; nil for other values, and for a text that SQLite
    /// would cut at a zero.
    static func jsonArray(of values: [SQLValue]) -> (json: String, type: String)? {
        var parts: [String] = []
        parts.reserveCapacity(values.count)
        var types: Set<String> = []
        for value in values {
            switch value {
            case .integer: types.insert("INTEGER")
            case .text(let text) where !text.utf8.contains(0): types.insert("TEXT")
            default: return nil
            }
            guard types.count == 1 else { return nil }
            parts.append(value.json)
        }
        return types.first.map { ("[" + parts.joined(separator: ",") + "]", $0) }
    }
}

extension String {
    /// The text as a string of JSON. All control characters are escaped: a terminal would execute them.
    var quotedAsJSON: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
