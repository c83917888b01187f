// A stored value without the Swift type that wrote it, read by its layout.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that is read by its layout alone.
///
/// Records and enums may be nested up to ``ValueWriter/depthLimit`` levels, as in the code of the types. Here all
/// levels together have a limit too, three times as high: optionals, arrays, sets, dictionaries, tuples, records and
/// enums. Reading and writing of deeper values throws ``CodingError`` with `tooDeep`.
public enum FieldValue: Hashable, Sendable {
    /// The nil of an optional.
    case null
    /// The value of an optional in an optional. It can itself be nil.
    indirect case some(FieldValue)
    /// True or false.
    case bool(Bool)
    /// An integer of any type, except for a `UInt128` greater than `Int128.max`.
    case integer(Int128)
    /// A `UInt128` greater than `Int128.max`.
    case unsigned(UInt128)
    /// A `Float`.
    case float(Float)
    /// A `Double`.
    case double(Double)
    /// Text.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// A UUID.
    case uuid(UUID)
    /// A moment.
    case date(Date)
    /// A decimal number.
    case decimal(Decimal)
    /// A URL.
    case url(URL)
    /// The elements of an array, a set (in the order of their bytes) or a tuple.
    case array([FieldValue])
    /// The entries of a dictionary, in the order of their bytes.
    case dictionary([Entry])
    /// The fields of a nested record.
    case record(StoredFields)
    /// A case of an enum, with its associated values.
    case enumeration(String, [AssociatedValue])
    /// The JSON of a `Codable` type.
    case json(String)

    /// The layout of a value without parts: for an integer, the widest. Nil for JSON, nil, and values with parts.
    var scalar: ScalarLayout? {
        switch self {
        case .bool: ScalarLayout(Bool.self)
        case .integer: ScalarLayout(Int128.self)
        case .unsigned: ScalarLayout(UInt128.self)
        case .float: ScalarLayout(Float.self)
        case .double: ScalarLayout(Double.self)
        case .string: ScalarLayout(String.self)
        case .data: ScalarLayout([UInt8].self)
        case .uuid: ScalarLayout(UUID.self)
        case .date: ScalarLayout(Date.self)
        case .decimal: ScalarLayout(Decimal.self)
        case .url: ScalarLayout(URL.self)
        case .null, .some, .array, .dictionary, .record, .enumeration, .json: nil
        }
    }

    /// A key of a dictionary, and its value.
    public struct Entry: Hashable, Sendable {
        /// The key.
        public var key: FieldValue
        /// The value.
        public var value: FieldValue

        /// Creates an entry.
        public init(key: FieldValue, value: FieldValue) {
            self.key = key
            self.value = value
        }
    }

    /// An associated value of a case.
    public struct AssociatedValue: Hashable, Sendable {
        /// The label; nil if there is none.
        public var label: String?
        /// The value.
        public var value: FieldValue

        /// Creates a value.
        public init(label: String? = nil, value: FieldValue) {
            self.label = label
            self.value = value
        }
    }
}
