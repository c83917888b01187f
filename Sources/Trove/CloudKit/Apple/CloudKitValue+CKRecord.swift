// The values of fields as CloudKit's own types.
//
// A `CKRecord` returns each number as an `Int64` or a `Double`, and a list as an array of such values.

#if canImport(CloudKit)
import CloudKit
import Foundation

extension CloudKitValue {
    /// Creates the value of a field; nil for an absent field.
    init?(_ value: (any CKRecordValueProtocol)?) {
        switch value {
        case nil: return nil
        case let value as String: self = .string(value)
        case let value as Int64: self = .integer(value)
        case let value as Double: self = .double(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as CKAsset: self = .asset(value.fileURL)
        case let values as [any CKRecordValueProtocol]: self = .list(values.compactMap { CloudKitValue($0) })
        case let value?: self = .other("\(type(of: value))")
        }
    }

    /// The value as a value of a field.
    fileprivate var fieldValue: (any CKRecordValueProtocol)? {
        switch self {
        case .string(let value): value
        case .integer(let value): value
        case .double(let value): value
        case .date(let value): value
        case .data(let value): value
        case .asset(let file): file.map { CKAsset(fileURL: $0) }
        case .list(let values): Self.list(values)
        case .other: nil
        }
    }

    /// Returns a list whose elements have one type: the type of the first element.
    private static func list(_ values: [CloudKitValue]) -> any CKRecordValueProtocol {
        let values = values.compactMap(\.fieldValue)
        if let list = values as? [Int64] { return list }
        if let list = values as? [Double] { return list }
        if let list = values as? [Date] { return list }
        if let list = values as? [Data] { return list }
        return values as? [String] ?? []
    }
}

extension CKRecord {
    /// Sets a field; removes it for nil.
    func set(_ value: CloudKitValue?, for name: String) { self[name] = value?.fieldValue }
}
#endif
