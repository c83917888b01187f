// The forms of stored values, and what SQL does with their columns.

import TroveCoding

/// The form of a value's bytes, without optionals, raw values and descending orders around it.
enum ValueKind: UInt8 {
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64, int128, uint128
    case float, double, bool, string, data, uuid, date, decimal, url
    /// A value with parts, or JSON: text of JSON.
    case complex
    /// A value without an order in an index: escaped bytes.
    case opaque
    /// A value that only its own type can read, or that follows such a value.
    case unreadable

    private static let named: [String: ValueKind] = [
        "Int8": .int8, "Int16": .int16, "Int32": .int32, "Int64": .int64, "UInt8": .uint8, "UInt16": .uint16,
        "UInt32": .uint32, "UInt64": .uint64, "Int128": .int128, "UInt128": .uint128, "Float": .float,
        "Double": .double, "Bool": .bool, "String": .string, "Data": .data, "UUID": .uuid, "Date": .date,
        "Decimal": .decimal, "URL": .url,
    ]

    init(_ scalar: ScalarLayout) { self = Self.named["\(scalar)"] ?? .complex }

    /// The number of bytes of a value, in fields and in keys alike; nil if values differ.
    @inline(__always)
    var fixedSize: Int? {
        switch self {
        case .int8, .uint8, .bool: 1
        case .int16, .uint16: 2
        case .int32, .uint32, .float: 4
        case .int64, .uint64, .double, .date: 8
        case .int128, .uint128, .uuid: 16
        case .string, .data, .decimal, .url, .complex, .opaque, .unreadable: nil
        }
    }

    /// The declared type of the column.
    var declaredType: String {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: "INTEGER"
        // With a type of numbers, SQLite would compare the digits of great numbers as reals.
        case .uint64, .int128, .uint128: ""
        case .float, .double: "REAL"
        case .bool: "BOOLEAN"
        case .data: "BLOB"
        case .decimal: "NUMERIC"
        case .string, .uuid, .date, .url, .complex, .opaque, .unreadable: "TEXT"
        }
    }

    /// What comparisons do with the values.
    var comparison: ComparisonClass {
        switch self {
        case .int8: .integer(-128, 127)
        case .int16: .integer(-32_768, 32_767)
        case .int32: .integer(Int128(Int32.min), Int128(Int32.max))
        case .int64: .integer(Int128(Int64.min), Int128(Int64.max))
        case .uint8: .integer(0, 255)
        case .uint16: .integer(0, 65_535)
        case .uint32: .integer(0, Int128(UInt32.max))
        case .bool: .integer(0, 1)
        case .uint64: .wide(0, Int128(UInt64.max))
        case .int128: .wide(.min, .max)
        case .uint128: .wide(0, .max)
        case .float, .double: .real
        case .string: .text
        case .data: .blob
        case .uuid: .uuid
        case .date: .date
        case .decimal, .url, .complex, .opaque, .unreadable: .none
        }
    }

    /// Whether the order of key bytes is the order of SQL, apart from values that ``needsOrderGuard`` names.
    var sortsAsSQL: Bool {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .uint128, .float, .double, .bool,
            .string, .data, .uuid, .date:
            true
        case .int128, .decimal, .url, .complex, .opaque, .unreadable: false
        }
    }

    /// Whether the order of SQL holds only between a least and a greatest value: NaN is NULL, and moments outside the
    /// years 0000 to 9999 have other texts.
    var needsOrderGuard: Bool {
        switch self {
        case .float, .double, .date: true
        default: false
        }
    }
}

/// What comparisons do with the values of a column.
enum ComparisonClass: Hashable {
    /// Integers from a least to a greatest value, all within 64 bits.
    case integer(Int128, Int128)
    /// Integers of which some are text in SQL.
    case wide(Int128, Int128)
    case real, text, uuid, date, blob
    /// Comparisons are left to SQLite.
    case none

    /// Whether SQLite converts the other side to a number if it can.
    var isNumeric: Bool {
        switch self {
        case .integer, .real: true
        case .wide, .text, .uuid, .date, .blob, .none: false
        }
    }

    /// Whether the values are text.
    var isText: Bool {
        switch self {
        case .text, .uuid, .date: true
        case .integer, .wide, .real, .blob, .none: false
        }
    }
}

/// A step over a value: a field, or a component of a key or an entry.
struct ValueStep {
    var kind: ValueKind
    var isOptional = false
    /// 0xFF for a descending component, whose bytes are complemented.
    var mask: UInt8 = 0
}

extension ValueStep {
    /// Creates the step of a field.
    init(field type: LayoutType) {
        var type = type
        var isOptional = false
        while true {
            switch type {
            case .rawValue(let base), .descending(let base): type = base
            case .optional(let wrapped) where !isOptional:
                isOptional = true
                type = wrapped
            case .scalar(let scalar):
                self.init(kind: ValueKind(scalar), isOptional: isOptional)
                return
            case .other:
                self.init(kind: .unreadable)
                return
            default:
                self.init(kind: .complex)
                return
            }
        }
    }

    /// Creates the step of a component of a key.
    init(component type: LayoutType) {
        var type = type
        var isOptional = false
        var mask: UInt8 = 0
        while true {
            switch type {
            case .rawValue(let base): type = base
            case .descending(let base) where !isOptional:
                mask = ~mask
                type = base
            case .optional(let wrapped) where !isOptional:
                isOptional = true
                type = wrapped
            case .scalar(let scalar):
                let kind = ValueKind(scalar)
                // The digits of a decimal number have an end of their own.
                self.init(kind: kind == .url ? .unreadable : kind, isOptional: isOptional, mask: mask)
                return
            default:
                self.init(kind: .complex)
                return
            }
        }
    }
}
