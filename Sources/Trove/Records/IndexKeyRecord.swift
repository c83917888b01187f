// What a type must provide to be stored. `@IndexKeyRecord` writes all of it.

@_exported import TroveCoding

/// A value that a store keeps, found by its key and sorted by it.
///
/// Declare it with the macro, whose arguments name the properties of the key in their order:
///
/// ```swift
/// @IndexKeyRecord("lastName", "firstName")
/// struct Person {
///     let lastName: String
///     let firstName: String
///     var age: Int
/// }
/// ```
///
/// A conformance by hand gives the same bytes; the Cookbook shows one.
public protocol IndexKeyRecord: Sendable {
    /// The key: the component's own type when there is one, a ``TroveCoding/Tuple`` of them when there are several.
    associatedtype IndexKey: KeyComponent

    /// The type's name, versions and properties.
    static var schema: RecordSchema { get }

    /// The record's key.
    var indexKey: IndexKey { get }

    /// Writes the key's components in their order.
    func encodeKey(into writer: inout KeyWriter)

    /// The number of bytes that ``encodeFields(into:)`` writes.
    ///
    /// - Throws: ``TroveCoding/CodingError`` when a field cannot be written.
    func fieldsSize() throws(CodingError) -> Int

    /// Writes the properties that are not in the key.
    func encodeFields(into writer: inout ValueWriter)

    /// Reads a record of this very layout.
    init(decoding reader: inout RecordReader) throws(CodingError)

    /// Reads a record that was stored with another `fieldsVersion`.
    ///
    /// Implement it to migrate out of the old bytes: read the key components from `reader.key` and the old fields from
    /// `reader.fields`, in their old order. For versions that it leaves to others, throw
    /// ``unsupportedMigration(from:)``, as it does without an implementation: then ``migrate(_:from:)`` is asked. Which
    /// of them reads a version is decided by the first record of it that is read.
    init(decoding reader: inout RecordReader, version: UInt32) throws

    /// Makes a record of what was stored with another `fieldsVersion`.
    ///
    /// Implement it where the automatic rules do not suffice:
    ///
    /// ```swift
    /// static func migrate(_ old: StoredFields, from version: UInt32) throws -> Person {
    ///     var fields = old
    ///     if version < 2 { fields["fullName"] = .string(…) }
    ///     if version < 3 { … }
    ///     return try Person(converting: fields)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - old: The components of the key, and the fields, by their stored names.
    ///   - version: The version of their layout.
    /// - Returns: The record, with the key that it was stored under, unless the type's key has changed.
    /// - Throws: ``unsupportedMigration(from:)`` for versions that it leaves to the automatic rules, as it does without
    ///   an implementation; other errors reach who reads the record.
    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self

    /// The tables that follow from the type's records: its indexes and unique constraints. None by default.
    ///
    /// A `static let`: ``schema`` takes them from here, once, and relies on their order.
    static var indexes: [RecordIndex<Self>] { get }

    /// How to read one stored property alone; nil for a property that is not stored.
    ///
    /// Filters, orders and projections read by it. None that is left out here can be named in a query.
    static func projection(of property: PartialKeyPath<Self>) -> (any PropertyProjection)?
}

extension IndexKeyRecord {
    /// Refuses to read a record of another version.
    public init(decoding reader: inout RecordReader, version: UInt32) throws {
        throw Self.unsupportedMigration(from: version)
    }

    /// Leaves every version to the automatic rules.
    public static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self {
        throw Self.unsupportedMigration(from: version)
    }

    /// No indexes.
    public static var indexes: [RecordIndex<Self>] { [] }

    /// Knows of no property.
    public static func projection(of property: PartialKeyPath<Self>) -> (any PropertyProjection)? { nil }

    /// The error for a version that no migration handles.
    public static func unsupportedMigration(from version: UInt32) -> StoreError {
        .unsupportedMigration(type: schema.name, version: version)
    }

    /// The stable identity of the type in a store.
    public static var keyPrefix: UInt32 { schema.keyPrefix }

    /// The version of the type's layout, stored with each record.
    public static var fieldsVersion: UInt32 { schema.fieldsVersion }
}
