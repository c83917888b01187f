// The requirements of a record type. `@IndexKeyRecord` generates all of them.

@_exported import TroveCoding
@_exported import TroveText

/// A type whose values are stored as records, found and sorted by key.
///
/// Declare it with the macro. Its arguments name the properties of the key, in order:
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
/// A conformance by hand stores the same bytes; the Cookbook shows an example.
public protocol IndexKeyRecord: Sendable {
    /// The key: the type of the component if there is only one, or a ``/TroveCoding/Tuple`` of the components.
    associatedtype IndexKey: KeyComponent

    /// The type's name, versions and properties.
    static var schema: RecordSchema { get }

    /// The record's key.
    var indexKey: IndexKey { get }

    /// Writes the key components in order.
    func encodeKey(into writer: inout KeyWriter)

    /// Returns the number of bytes that ``encodeFields(into:)`` writes.
    ///
    /// - Throws: ``/TroveCoding/CodingError`` if a field cannot be written.
    func fieldsSize() throws(CodingError) -> Int

    /// Writes the properties outside the key.
    func encodeFields(into writer: inout ValueWriter)

    /// Decodes a record of the current layout.
    init(decoding reader: inout RecordReader) throws(CodingError)

    /// Decodes a record stored with another `fieldsVersion`.
    ///
    /// Implement it to migrate from the old bytes. Read the key components from `reader.key` and the old fields from
    /// `reader.fields`, in their old order. For versions that it does not handle, throw
    /// ``unsupportedMigration(from:)``, as the default implementation does. Then ``migrate(_:from:)`` is called. The
    /// first record of a version decides between the two methods for that version.
    init(decoding reader: inout RecordReader, version: UInt32) throws

    /// Returns a record for values stored with another `fieldsVersion`.
    ///
    /// Implement it if the automatic rules do not suffice:
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
    ///   - old: The key components and the fields, by their stored names.
    ///   - version: The version of their layout.
    /// - Returns: The record. Its key must be its stored key, unless the type's key has changed.
    /// - Throws: ``unsupportedMigration(from:)`` for versions left to the automatic rules, as the default
    ///   implementation does. Other errors are thrown to the caller that reads the record.
    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self

    /// The indexes and unique constraints of the type. None by default.
    ///
    /// Declare it as a `static let`: ``schema`` reads it once and relies on the order.
    static var indexes: [RecordIndex<Self>] { get }

    /// Returns the part of the schema about relations and hooks; nil for a type that is not an entity. ``schema`` calls
    /// it once.
    static func _schemaPart() -> (any _SchemaPart)?
}

extension IndexKeyRecord {
    /// Throws the error for an unsupported version.
    public init(decoding reader: inout RecordReader, version: UInt32) throws {
        throw Self.unsupportedMigration(from: version)
    }

    /// Leaves every version to the automatic rules.
    public static func migrate(_ old: StoredFields, from version: UInt32) throws -> Self {
        throw Self.unsupportedMigration(from: version)
    }

    /// No indexes.
    public static var indexes: [RecordIndex<Self>] { [] }

    /// No part.
    public static func _schemaPart() -> (any _SchemaPart)? { nil }

    /// Creates the error for a version without a migration.
    public static func unsupportedMigration(from version: UInt32) -> StoreError {
        .schema(.unsupportedMigration(type: schema.name, version: version))
    }

    /// The stable identity of the type in a store.
    public static var keyPrefix: UInt32 { schema.keyPrefix }

    /// The version of the type's layout, stored with each record.
    public static var fieldsVersion: UInt32 { schema.fieldsVersion }
}

extension IndexKeyRecord {
    /// Returns ``fieldsSize()``, after a check of values that may be nested too deeply for it.
    ///
    /// - Throws: The errors of ``fieldsSize()``; `valueTooLarge` if LMDB cannot store so many bytes.
    @inlinable
    @inline(__always)
    func checkedFieldsSize() throws(CodingError) -> Int {
        if Self.schema.isRecursive { try ValueWriter.checkDepth { encodeFields(into: &$0) } }
        let size = try fieldsSize()
        guard size <= StoredValue.largestFields else { throw StoredValue.tooLarge(size) }
        return size
    }
}
