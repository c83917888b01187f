// A stand-in for CloudKit: the shapes of what Trove, its tests and its samples use, with a server in memory. Tests
// import it under the name of Apple's module. It is as strict as CloudKit: an invalid name or value ends the process.
//
// This file has the values of fields. As in CloudKit, a record returns each number as an `Int64` or a `Double`, and a
// list as an array of any values.

import Foundation

/// A value of a field.
public protocol CKRecordValueProtocol {}

extension String: CKRecordValueProtocol {}
extension Data: CKRecordValueProtocol {}
extension Date: CKRecordValueProtocol {}
extension Bool: CKRecordValueProtocol {}
extension Double: CKRecordValueProtocol {}
extension Float: CKRecordValueProtocol {}
extension Int: CKRecordValueProtocol {}
extension Int8: CKRecordValueProtocol {}
extension Int16: CKRecordValueProtocol {}
extension Int32: CKRecordValueProtocol {}
extension Int64: CKRecordValueProtocol {}
extension UInt8: CKRecordValueProtocol {}
extension UInt16: CKRecordValueProtocol {}
extension UInt32: CKRecordValueProtocol {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension CKAsset: CKRecordValueProtocol {}
extension CKRecord.Reference: CKRecordValueProtocol {}

/// A file in a field.
public final class CKAsset: Sendable {
    /// The file; nil if it has not been fetched.
    public let fileURL: URL?

    /// Creates the asset of a file.
    public init(fileURL: URL) { self.fileURL = fileURL }

    private init() { fileURL = nil }

    /// Returns an asset that has not been fetched.
    public static func withoutFile() -> CKAsset { CKAsset() }
}

/// A value as a record keeps it.
enum StoredRecordValue {
    case string(String), data(Data), date(Date), integer(Int64), double(Double)
    case list([StoredRecordValue])
    case object(any CKRecordValueProtocol & Sendable)

    init(_ value: any CKRecordValueProtocol) {
        switch value {
        case let value as String: self = .string(value)
        case let value as Data: self = .data(value)
        case let value as Date: self = .date(value)
        case let value as Bool: self = .integer(value ? 1 : 0)
        case let value as Double: self = .double(value)
        case let value as Float: self = .double(Double(value))
        case let value as any BinaryInteger: self = .integer(Int64(truncatingIfNeeded: value))
        case let value as CKAsset: self = .object(value)
        case let value as CKRecord.Reference: self = .object(value)
        case let values as [any CKRecordValueProtocol]:
            let elements = values.map(StoredRecordValue.init)
            let kinds = Set(elements.map(\.kind))
            // The server cannot know the type of a new field by an empty list.
            precondition(!elements.isEmpty, "a list has elements")
            precondition(kinds.count <= 1 && !kinds.contains("list"), "a list has elements of one type, and no lists")
            self = .list(elements)
        default: preconditionFailure("a field has no value of the type \(type(of: value))")
        }
    }

    private var kind: String {
        switch self {
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .integer: "integer"
        case .double: "double"
        case .list: "list"
        case .object: "object"
        }
    }

    /// The value as a record returns it.
    var value: any CKRecordValueProtocol {
        switch self {
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .list(let values): AnyValues.array(values.map(\.value))
        case .object(let value): value
        }
    }
}

/// A value of any type, as an element of a list.
private enum AnyValues {
    /// Returns an array of values of one type.
    static func array(_ values: [any CKRecordValueProtocol]) -> any CKRecordValueProtocol {
        if let values = values as? [String] { return values }
        if let values = values as? [Data] { return values }
        if let values = values as? [Date] { return values }
        if let values = values as? [Int64] { return values }
        if let values = values as? [Double] { return values }
        return values.compactMap { $0 as? CKAsset }
    }
}
