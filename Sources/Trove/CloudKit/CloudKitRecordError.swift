// The errors of converting a record to a `CKRecord`, and back.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error of converting a record to a `CKRecord`, or back. Later versions can add cases.
///
/// `type` is the name of the record type in CloudKit, `field` the name of the field in CloudKit.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum CloudKitRecordError: Error, Hashable, Sendable {
    /// The `CKRecord` has another record type.
    case wrongRecordType(expected: String, found: String)
    /// The `CKRecord` lacks a field that cannot be nil and has no initial value.
    case missingField(type: String, field: String)
    /// The value of a field has another type. `expected` and `found` are in words, such as “a String”.
    case wrongFieldType(type: String, field: String, expected: String, found: String)
    /// The value of a field has its type in CloudKit, and is not a value of the property.
    ///
    /// `field` can be the stored name of the property, or the path to a part of a nested value, such as `home.city`.
    case invalidValue(type: String, field: String, reason: String)
    /// A value of the record has no form in CloudKit. `field` is empty if it is not known.
    case unencodable(type: String, field: String, reason: String)
    /// CloudKit accepts no field of this name, or no record type; two properties have the same field.
    case invalidName(type: String, name: String)
    /// The file of a field's `CKAsset` cannot be read or written. `path` is empty if the asset has no file.
    case assetFailed(type: String, field: String, path: String, reason: String)
}

extension CloudKitRecordError: CustomStringConvertible, LocalizedError {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .wrongRecordType(let expected, let found):
            "The CKRecord is of the type \(found), not \(expected). Choose the Swift type by its recordType."
        case .missingField(let type, let field):
            "The CKRecord of the type \(type) lacks the field \(field). Give the property an initial value, or make it optional."
        case .wrongFieldType(let type, let field, let expected, let found):
            "The field \(field) of a CKRecord of the type \(type) is \(found), not \(expected). Compare the property with the schema in CloudKit."
        case .invalidValue(let type, let field, let reason):
            "The field \(field) of a CKRecord of the type \(type) is not a value of its property: \(reason)"
        case .unencodable(let type, let field, let reason):
            "A record of the type \(type) cannot become a CKRecord: \(field.isEmpty ? "" : field + ": ")\(reason)"
        case .invalidName(let type, let name) where type == name:
            "CloudKit accepts no record type of the name \(name). Implement ckRecordType: a letter, then letters, digits and underscores of ASCII."
        case .invalidName(let type, let name):
            "CloudKit accepts no field of the name \(name) in the type \(type), or another property has it. Implement ckFieldName(for:): a letter, then letters, digits and underscores of ASCII; no name of a system field."
        case .assetFailed(let type, let field, let path, let reason):
            "The asset of the field \(field) of the type \(type)\(path.isEmpty ? "" : " at \(path)") failed: \(reason)"
        }
    }

    /// The description, for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}
