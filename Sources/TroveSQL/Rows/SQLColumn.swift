// The Swift types of columns and arguments.

import Trove
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type of the values of columns and arguments.
///
/// Integers, floating-point numbers, `Bool`, `String`, `Date`, `UUID`, `Data`, `Decimal`, `URL` and their optionals
/// conform. An enum with a raw value conforms by declaration:
///
/// ```swift
/// enum State: String, SQLColumn { case open, closed }
/// ```
///
/// A `Codable` type whose column has JSON is read as ``SQLJSON``.
public protocol SQLColumn {
    /// The value as SQLite has it.
    var sqlValue: SQLValue { get }

    /// Creates the value; nil if the column's value is not one of the type.
    init?(sqlValue: SQLValue)

    /// Creates the value, for generic code: an optional of an unknown type costs such code more than the value itself.
    ///
    /// - Throws: Any error if the column's value is not one of the type.
    init(_requiring sqlValue: SQLValue) throws
}

extension SQLColumn {
    /// Creates the value by `init(sqlValue:)`.
    public init(_requiring sqlValue: SQLValue) throws {
        guard let value = Self(sqlValue: sqlValue) else { throw ColumnMismatch() }
        self = value
    }
}

/// The error of a value that is not one of the type.
private struct ColumnMismatch: Error {}

extension SQLColumn where Self: RawRepresentable, RawValue: SQLColumn {
    /// The raw value.
    public var sqlValue: SQLValue { rawValue.sqlValue }

    /// Creates the value of a raw value; nil if there is none.
    public init?(sqlValue: SQLValue) {
        guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: raw)
    }
}

extension SQLValue: SQLColumn {
    /// The value itself.
    public var sqlValue: SQLValue { self }

    /// Creates the value itself.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Optional: SQLColumn where Wrapped: SQLColumn {
    /// The value, or NULL for nil.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }

    /// Creates nil for NULL.
    public init?(sqlValue: SQLValue) {
        if sqlValue == .null {
            self = Optional.none
        } else if let value = Wrapped(sqlValue: sqlValue) {
            self = Optional.some(value)
        } else {
            return nil
        }
    }
}

extension SQLColumn where Self: FixedWidthInteger {
    /// The number; beyond 64 bits its digits, as columns of wide integers have them.
    public var sqlValue: SQLValue {
        if let number = Int64(exactly: self) { return .integer(number) }
        let digits = "\(magnitude)"
        let width = Self.bitWidth > 64 ? 39 : 20
        let sign = self < 0 ? "-" : ""
        return .text(sign + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits)
    }

    /// Creates the number of an integer, of a real without a fraction, or of the digits of a wide integer.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(let number): self.init(exactly: number)
        case .real(let number): self.init(exactly: number)
        case .text(let text): self.init(text)
        case .null, .blob: return nil
        }
    }
}

extension Int: SQLColumn {}
extension Int8: SQLColumn {}
extension Int16: SQLColumn {}
extension Int32: SQLColumn {}
extension Int64: SQLColumn {}
extension Int128: SQLColumn {}
extension UInt: SQLColumn {}
extension UInt8: SQLColumn {}
extension UInt16: SQLColumn {}
extension UInt32: SQLColumn {}
extension UInt64: SQLColumn {}
extension UInt128: SQLColumn {}

extension Double: SQLColumn {
    /// The number; NULL for NaN.
    public var sqlValue: SQLValue { isNaN ? .null : .real(self) }

    /// Creates the number of an integer or a real.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(let number): self = Double(number)
        case .real(let number): self = number
        default: return nil
        }
    }
}

extension Float: SQLColumn {
    /// The number; NULL for NaN.
    public var sqlValue: SQLValue { Double(self).sqlValue }

    /// Creates the nearest number of an integer or a real.
    public init?(sqlValue: SQLValue) {
        guard let number = Double(sqlValue: sqlValue) else { return nil }
        self = Float(number)
    }
}

extension Bool: SQLColumn {
    /// 0 or 1.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

    /// Creates the value of 0 or 1.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension String: SQLColumn {
    /// The text.
    public var sqlValue: SQLValue { .text(self) }

    /// Creates the text of a text.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension Data: SQLColumn {
    /// The bytes.
    public var sqlValue: SQLValue { .blob([UInt8](self)) }

    /// Creates the bytes of a blob, or of a text's UTF-8.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .blob(let bytes): self = Data(bytes)
        case .text(let text): self = Data(text.utf8)
        default: return nil
        }
    }
}

extension UUID: SQLColumn {
    /// The upper-case text.
    public var sqlValue: SQLValue { .text(uuidString) }

    /// Creates the UUID of a text in either case, or of 16 bytes.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .text(let text): self.init(uuidString: text)
        case .blob(let bytes) where bytes.count == 16:
            self.init(
                uuid: (
                    bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                    bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
                ))
        default: return nil
        }
    }
}

extension Date: SQLColumn {
    /// The text in UTC, such as `2024-05-01 12:00:00`.
    public var sqlValue: SQLValue { .text(DateText.text(timeIntervalSinceReferenceDate)) }

    /// Creates the moment of a text, or of the seconds since 1970.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .text(let text):
            if let seconds = DateText.seconds(text) {
                self.init(timeIntervalSinceReferenceDate: seconds)
            } else if let seconds = Double(text), seconds.isFinite {
                // As `strftime('%s', …)` returns them.
                self.init(timeIntervalSince1970: seconds)
            } else {
                return nil
            }
        case .integer(let seconds): self.init(timeIntervalSince1970: Double(seconds))
        case .real(let seconds): self.init(timeIntervalSince1970: seconds)
        default: return nil
        }
    }
}

extension Decimal: SQLColumn {
    /// A number if it has at most 15 significant digits, else its digits as text.
    public var sqlValue: SQLValue { DecimalText.value(description) }

    /// Creates the number of a number or of its digits.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .integer(let number): self.init(number)
        case .real(let number):
            // The shortest digits of the real are those of the decimal number that became the real.
            guard number.isFinite, let value = Decimal(string: "\(number)") else { return nil }
            self = value
        case .text(let text):
            // Foundation reads a number at the beginning of a text, and ignores the rest.
            guard DecimalText.isNumber(text), let value = Decimal(string: text) else { return nil }
            self = value
        case .null, .blob: return nil
        }
    }
}

extension URL: SQLColumn {
    /// The text.
    public var sqlValue: SQLValue {
        .text(baseURL.map { "\(relativeString) <\($0.absoluteString)>" } ?? relativeString)
    }

    /// Creates the URL of a text.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        guard text.hasSuffix(">"), let gap = text.firstRange(of: " <") else {
            self.init(string: text)
            return
        }
        self.init(
            string: String(text[..<gap.lowerBound]),
            relativeTo: URL(string: String(text[gap.upperBound...].dropLast())))
    }
}

/// The value of a `Codable` type in a column of JSON.
///
/// ```swift
/// let homes = try store.sql("SELECT address FROM User", as: SQLJSON<Address>.self).map(\.value)
/// ```
public struct SQLJSON<Value: Codable>: SQLColumn, Decodable {
    /// The value.
    public var value: Value

    /// Wraps a value.
    public init(_ value: Value) { self.value = value }

    /// Reads the value itself.
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    /// The JSON as text; NULL if the value has none.
    public var sqlValue: SQLValue {
        do {
            return .text(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            return .null
        }
    }

    /// Creates the value of a JSON text; nil if the text is not the JSON of the type.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        do {
            value = try SQLRowDecoder.json(Value.self, text)
        } catch {
            return nil
        }
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
