// The forms of scalar values in CloudKit:
//
//     Bool                         integer   0 or 1
//     Int8 … Int64, UInt8 … UInt32 integer
//     UInt64, UInt                 integer   the same 64 bits: a value over Int64.max is negative
//     Float, Double                double
//     String                       string
//     Data                         data
//     Date                         date
//     any other                    string    the text in dumps: UUID, Decimal, URL, Int128, UInt128
//
// Devices share records in these forms: a form never changes.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import TroveCoding

/// The form of a value without parts.
enum CloudKitScalar: Equatable, Sendable {
    case bool, integer, unsigned, float, double, string, data, date
    /// The text of a value.
    case text(ScalarLayout)

    init(_ layout: ScalarLayout) {
        self =
            switch layout.description {
            case "Bool": .bool
            case "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32": .integer
            case "UInt64": .unsigned
            case "Float": .float
            case "Double": .double
            case "String": .string
            case "Data": .data
            case "Date": .date
            default: .text(layout)
            }
    }

    /// The type in words, for errors.
    var words: String {
        switch self {
        case .bool: "0 or 1"
        case .integer, .unsigned: "an integer"
        case .float, .double: "a number"
        case .string: "a String"
        case .data: "Data"
        case .date: "a Date"
        case .text(let layout): "the text of a \(layout)"
        }
    }

    /// Returns the form of a stored value; nil for a value of another type.
    func value(of stored: FieldValue) -> CloudKitValue? {
        switch (self, stored) {
        case (.bool, .bool(let value)): .integer(value ? 1 : 0)
        case (.integer, .integer(let value)): Int64(exactly: value).map { .integer($0) }
        case (.unsigned, .integer(let value)): UInt64(exactly: value).map { .integer(Int64(bitPattern: $0)) }
        case (.float, .float(let value)): .double(Double(value))
        case (.double, .double(let value)): .double(value)
        case (.string, .string(let value)): .string(value)
        case (.data, .data(let value)): .data(Data(value))
        case (.date, .date(let value)): .date(value)
        case (.text, _): stored.scalarText.map { .string($0) }
        default: nil
        }
    }

    /// Returns the stored value of a form; nil for a value of another type.
    func stored(_ value: CloudKitValue) -> FieldValue? {
        switch (self, value) {
        case (.bool, .integer(let value)): value == 0 || value == 1 ? .bool(value == 1) : nil
        case (.integer, .integer(let value)): .integer(Int128(value))
        case (.unsigned, .integer(let value)): .integer(Int128(UInt64(bitPattern: value)))
        case (.float, .double(let value)): .float(Float(value))
        case (.double, .double(let value)): .double(value)
        case (.string, .string(let value)): .string(value)
        case (.data, .data(let value)): .data([UInt8](value))
        case (.date, .date(let value)): .date(value)
        case (.text(let layout), .string(let value)): layout.value(of: value)
        // CloudKit can return a number without a fraction as an integer, and the reverse.
        case (.float, .integer(let value)): .float(Float(value))
        case (.double, .integer(let value)): Double(exactly: value).map { .double($0) }
        case (.bool, .double(let value)), (.integer, .double(let value)), (.unsigned, .double(let value)):
            Int64(exactly: value).flatMap { stored(.integer($0)) }
        default: nil
        }
    }
}
