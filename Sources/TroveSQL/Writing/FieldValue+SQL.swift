// Stored values from values of SQL: the inverse of what columns show. `Docs/SQL.md` has the table.

import Trove
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason why a value of SQL is not stored in a property.
enum RefusedValue: Error {
    /// The value is NULL, and the property is not optional.
    case null
    /// The property has another type, or the JSON is not one of its layout.
    case mismatch(expected: String)
    /// Only the program can write the type of the property.
    case unknownLayout
}

extension FieldValue {
    /// Creates the stored value of a value of SQL.
    init(_ value: SQLValue, as type: LayoutType) throws(RefusedValue) {
        switch type {
        case .rawValue(let base), .descending(let base): try self.init(value, as: base)
        case .optional(let wrapped):
            if value == .null {
                self = .null
            } else if !wrapped.hasNull {
                try self.init(value, as: wrapped)
            } else if case .text(let text) = value, text.hasPrefix("[") {
                self = try Self.json(text, as: type)
            } else if case .text(let text) = value, text.hasPrefix("\""), !wrapped.isShownPlainly {
                self = try Self.json("[\(text)]", as: type)
            } else {
                self = .some(try FieldValue(value, as: wrapped))
            }
        case .other: throw .unknownLayout
        case _ where value == .null: throw .null
        case .scalar(let scalar):
            let kind = ValueKind(scalar)
            guard let stored = Self.scalar(value, kind) else { throw .mismatch(expected: kind.expected) }
            self = stored
        case .enumeration:
            let text = try value.jsonText(of: type)
            self = try Self.json(["{", "\""].contains(text.first) ? text : text.quotedAsJSON, as: type)
        default: self = try Self.json(value.jsonText(of: type), as: type)
        }
    }

    private static func json(_ text: String, as type: LayoutType) throws(RefusedValue) -> FieldValue {
        do throws(JSONError) {
            let layout = RecordLayout(key: [], fields: [LayoutField("value", type)])
            return try layout.read(json: "{\"value\":\(text)}").fields[0].value
        } catch {
            let path = error.field.dropFirst("value".count)
            let part = path.hasPrefix(".") ? String(path.dropFirst()) : String(path)
            throw .mismatch(expected: "JSON with \(error.expected)\(part.isEmpty ? "" : " at \(part)")")
        }
    }

    private static func scalar(_ value: SQLValue, _ kind: ValueKind) -> FieldValue? {
        switch kind {
        case .int8: integer(value, Int8.self)
        case .int16: integer(value, Int16.self)
        case .int32: integer(value, Int32.self)
        case .int64: integer(value, Int64.self)
        case .uint8: integer(value, UInt8.self)
        case .uint16: integer(value, UInt16.self)
        case .uint32: integer(value, UInt32.self)
        case .uint64: integer(value, UInt64.self)
        case .int128: integer(value, Int128.self)
        case .uint128: integer(value, UInt128.self)
        case .float:
            value.number.flatMap { number in
                let nearest = Float(number)
                return nearest.isInfinite && number.isFinite ? nil : .float(nearest)
            }
        case .double: value.number.map { .double($0) }
        case .bool: UInt8(wholeNumber: value).flatMap { $0 > 1 ? nil : .bool($0 == 1) }
        case .string: String(sqlValue: value).map { .string($0) }
        case .data: Data(sqlValue: value).map { .data([UInt8]($0)) }
        case .uuid: UUID(sqlValue: value).map { .uuid($0) }
        case .date: Date(sqlValue: value).map { .date($0) }
        case .decimal: Decimal(sqlValue: value.trimmed).map { .decimal($0) }
        case .url: URL(sqlValue: value).map { .url($0) }
        case .complex, .opaque, .unreadable: nil
        }
    }

    private static func integer(_ value: SQLValue, _ type: (some FixedWidthInteger).Type) -> FieldValue? {
        guard let number = type.init(wholeNumber: value) else { return nil }
        return Int128(exactly: number).map { .integer($0) } ?? UInt128(exactly: number).map { .unsigned($0) }
    }
}

extension FixedWidthInteger {
    /// Creates the number of an integer, of a real without a fraction, or of a text of either.
    fileprivate init?(wholeNumber value: SQLValue) {
        switch value {
        case .integer(let number): self.init(exactly: number)
        case .real(let number): self.init(exactly: number)
        case .text(let text):
            let digits = text.withoutSpaces
            if let number = Self(digits) {
                self = number
            } else {
                guard let number = value.number else { return nil }
                self.init(exactly: number)
            }
        case .null, .blob: return nil
        }
    }
}

extension SQLValue {
    /// The number of an integer, of a real, or of a text of either, as SQLite converts text for a numeric column.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .text(let text): isNumberOrDigits ? Double(text.withoutSpaces) : nil
        case .null, .blob: nil
        }
    }

    /// The value without spaces around a text.
    fileprivate var trimmed: SQLValue { if case .text(let text) = self { .text(text.withoutSpaces) } else { self } }

    /// Whether the value is a number, or a text with no other characters than those of decimal numbers.
    fileprivate var isNumberOrDigits: Bool {
        switch self {
        case .integer, .real: true
        case .text(let text): text.withoutSpaces.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        case .null, .blob: false
        }
    }

    /// Returns the JSON in a text or a number.
    fileprivate func jsonText(of type: LayoutType) throws(RefusedValue) -> String {
        switch self {
        case .text(let text): return text
        case .integer, .real: return json
        case .null, .blob: throw .mismatch(expected: "JSON of \(type)")
        }
    }
}

extension String {
    /// The text without spaces around it, as SQLite reads a number.
    fileprivate var withoutSpaces: String {
        let isSpace: (Unicode.Scalar) -> Bool = { [" ", "\t", "\n", "\u{B}", "\u{C}", "\r"].contains($0) }
        let head = unicodeScalars.drop(while: isSpace)
        guard let last = head.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(head[...last])
    }
}

extension LayoutType {
    /// Whether the texts of the type, inside of optionals, are shown without the quotes of JSON.
    fileprivate var isShownPlainly: Bool {
        switch self {
        case .optional(let base), .rawValue(let base), .descending(let base): base.isShownPlainly
        case .scalar(let scalar): [.string, .url].contains(ValueKind(scalar))
        default: false
        }
    }
}

extension ValueKind {
    /// The expected values in words, for errors.
    fileprivate var expected: String {
        switch self {
        case .int8: "an integer from -128 to 127"
        case .int16: "an integer from -32768 to 32767"
        case .int32: "an integer from \(Int32.min) to \(Int32.max)"
        case .int64: "an integer from \(Int64.min) to \(Int64.max)"
        case .uint8: "an integer from 0 to 255"
        case .uint16: "an integer from 0 to 65535"
        case .uint32: "an integer from 0 to \(UInt32.max)"
        case .uint64: "an integer from 0 to \(UInt64.max)"
        case .int128: "an integer of 128 bits"
        case .uint128: "an integer of 128 bits, not negative"
        case .float, .double, .decimal: "a number"
        case .bool: "0 or 1"
        case .string: "a text"
        case .data: "a blob or a text"
        case .uuid: "a UUID as text, or its 16 bytes"
        case .date: "a moment such as '2024-05-01 12:00:00', or the seconds since 1970"
        case .url: "a URL"
        case .complex, .opaque, .unreadable: "a value of the property"
        }
    }
}
