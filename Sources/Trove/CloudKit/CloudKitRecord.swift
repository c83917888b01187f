// The protocol of records that become a `CKRecord` of CloudKit, and its macro. Neither uses CloudKit, so a declaration
// builds on every platform. The folder `Apple` has the calls with a `CKRecord`.

import TroveCoding

/// A type whose values can be converted to a `CKRecord` of CloudKit, and back.
///
/// Declare it with the macro, beside the macro of the record:
///
/// ```swift
/// @CloudKitRecord
/// @IndexKeyRecord("id")
/// struct Person {
///     let id: UUID
///     var name: String
///     var age: Int
/// }
/// ```
///
/// On platforms with CloudKit, the type then has `init(ckRecord:)`, `ckRecord(with:assetsIn:)` and
/// `update(_:assetsIn:)`. A type with a key also has `ckRecord(in:assetsIn:)`. The page CloudKit describes the
/// fields.
///
/// A conformance by hand declares the fields, for a record type or a ``/TroveCoding/RecordValue``:
///
/// ```swift
/// extension Person: CloudKitRecord {
///     static let ckFields = CloudKitFields(of: Person.self)
/// }
/// ```
public protocol CloudKitRecord: Sendable {
    /// The name of the record type in CloudKit: by default, the name of the Swift type without the enclosing names.
    ///
    /// The name must be an ASCII letter, followed by ASCII letters, digits and underscores.
    static var ckRecordType: String { get }

    /// The fields of the type in CloudKit. Declare it as a `static let`.
    static var ckFields: CloudKitFields { get }

    /// Returns the name of a property's field in CloudKit: by default, the stored name of the property.
    ///
    /// Implement it for properties whose names CloudKit does not accept: names of system fields such as `parent` or
    /// `creationDate`, and names with other characters than ASCII letters, digits and underscores. ``ckFields`` calls
    /// it once for each name.
    ///
    /// - Parameter property: The stored name of the property, or a former name of a property with `@Renamed`.
    static func ckFieldName(for property: String) -> String
}

extension CloudKitRecord {
    /// The name of the type without the enclosing names.
    public static var ckRecordType: String { String(describing: Self.self) }

    /// The stored name of the property.
    public static func ckFieldName(for property: String) -> String { property }
}

/// Declares a struct as a ``CloudKitRecord``: its values can be converted to a `CKRecord` of CloudKit, and back.
///
/// ```swift
/// @CloudKitRecord(assets: "photo")
/// @IndexKeyRecord("id")
/// struct Person {
///     let id: UUID
///     var name: String
///     var photo: Data?
/// }
/// ```
///
/// The struct can have any of the macros `@IndexKeyRecord`, `@EntityModel` and `@RecordValue`. Without any of them, the
/// struct becomes a ``/TroveCoding/RecordValue``, if it is not a record or a value by a conformance of your own. The
/// generated code does not use CloudKit: the same declaration builds on every platform.
///
/// A name that CloudKit does not accept gives a warning, and each conversion throws ``CloudKitRecordError``.
///
/// - Parameter assets: The names of properties that are stored in files, as a `CKAsset`. Their values must be bytes in
///   CloudKit: `Data`, nested values and `Codable` types. CloudKit limits a record without its assets to 1 MB.
@attached(
    extension, conformances: CloudKitRecord, RecordValue, IndexKeyRecord,
    names: named(ckFields), named(describe), named(encodedSize), named(encode), named(init), named(skip)
)
@attached(member, names: named(PropertyTypes), named(PropertyDefaults))
public macro CloudKitRecord(assets: String...) = #externalMacro(module: "TroveMacros", type: "CloudKitRecordMacro")
