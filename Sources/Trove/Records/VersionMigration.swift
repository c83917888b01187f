// The migration of an older version by its layout: the values of its records by name, and the conversion by the
// automatic rules.

import LMDB
import TroveCoding

/// The conversion of a version's records to the current layout.
final class VersionMigration: Sendable {
    let version: UInt32
    private let type: String
    private let old: RecordLayout
    /// Whether records keep their keys.
    private let keepsKeys: Bool
    /// The conversion by the automatic rules; nil if they do not apply.
    private let rules: RecordConversion?
    /// The reason why the automatic rules do not apply; nil if they apply.
    private let obstacle: StoreError?
    /// The error to throw if the version is newer than the program's layout; nil otherwise.
    private let newer: StoreError?

    /// The changes of the layouts; nil if there are none.
    let adaptation: LayoutAdaptation?
    /// The conversion of the part of the record that the store adds to an entity; nil without an adaptation.
    let addedFields: Result<RecordConversion, ConversionError>?

    /// Whether the values can be read by name, without the type itself.
    let hasNamedValues: Bool

    /// - Parameters:
    ///   - schema: The type of the records.
    ///   - version: The version of the records.
    ///   - layout: The version's layout; nil if it is not known.
    ///   - keepsKeys: Whether records keep their keys.
    ///   - newer: The error to throw if the version is newer than the program's layout; nil otherwise.
    ///   - adaptation: The changes of the layouts.
    /// - Throws: ``StoreError/SchemaError/unsupportedMigration(type:version:)`` if the version's layout is not known.
    init(
        of schema: RecordSchema, from version: UInt32, _ layout: String?, keepsKeys: Bool, newer: StoreError?,
        _ adaptation: LayoutAdaptation? = nil
    ) throws {
        type = schema.name
        self.adaptation = adaptation
        self.keepsKeys = keepsKeys
        self.newer = newer
        self.version = version
        let original: RecordLayout
        let new: RecordLayout
        do throws(CodingError) {
            guard let layout else { throw CodingError(.malformed(expected: "a layout")) }
            original = try RecordLayout(layout)
            let declared = try schema.parsedLayout()
            new = adaptation?.new(declared) ?? declared
        } catch {
            throw StoreError.schema(.unsupportedMigration(type: type, version: version))
        }
        old = original
        let unknown = original.unknownPart
        hasNamedValues = unknown == nil
        let source = adaptation?.old(original) ?? original
        addedFields = adaptation.map { adaptation in
            Result { () throws(ConversionError) in
                try adaptation.conversionOfAddedFields(from: source, original, to: new)
            }
        }
        do throws(ConversionError) {
            if let unknown { throw unknown }
            rules = try RecordConversion(from: source, to: new, keepingKeys: keepsKeys)
            obstacle = nil
        } catch {
            rules = nil
            obstacle = .schema(.noConversion(type: type, version: version, reason: error))
        }
    }

    /// The conversion by the automatic rules.
    ///
    /// - Throws: ``StoreError`` if they do not apply.
    var conversion: RecordConversion {
        get throws(StoreError) {
            guard let rules else { throw obstacle ?? .schema(.unsupportedMigration(type: type, version: version)) }
            return rules
        }
    }

    /// Throws if the automatic rules do not convert the version. An older program does not know the new names of
    /// fields, so it throws the error for older programs instead, if there is one.
    func checkIsReadable() throws(StoreError) {
        if let obstacle { throw newer ?? obstacle }
    }

    /// Reads the key components and the fields, by name.
    func values(_ key: RawSpan, _ fields: RawSpan) throws(CodingError) -> StoredFields {
        try old.read(key: key, fields: fields)
    }

    /// Converts the bytes of a record to the current layout; the key's bytes only if keys change.
    func convert(_ key: RawSpan, _ fields: RawSpan, into new: inout EncodedRecord) throws {
        let conversion = try conversion
        do {
            new.fields.removeAll(keepingCapacity: true)
            try conversion.convertFields(key: key, fields: fields, into: &new.fields)
            guard !keepsKeys else { return }
            new.key.removeAll(keepingCapacity: true)
            try conversion.convertKey(key: key, fields: fields, into: &new.key)
        } catch let error as ConversionError {
            throw unconvertible(key, error)
        } catch let error as CodingError {
            // The new key is too long: the stored bytes are intact.
            guard case .keyTooLarge = error.reason else { throw error }
            throw unconvertible(key, ConversionError(field: "the key", reason: .value(error)))
        }
    }

    /// Decodes a record from the result of the automatic rules.
    func decode<Record: IndexKeyRecord>(_ key: RawSpan, _ fields: RawSpan, _ new: EncodedRecord) throws -> Record {
        let conversion = try conversion
        do throws(CodingError) {
            func decode(_ reader: inout RecordReader) throws(CodingError) -> Record { try Record(decoding: &reader) }
            if keepsKeys { return try RecordReader.read(key: key, fields: new.fields, decode) }
            return try RecordReader.read(key: new.key, fields: new.fields, decode)
        } catch {
            // If the old key cannot be read, the record is damaged, and this throws the error.
            _ = try values(key, fields)
            let field = conversion.fieldName(at: error.offset, in: new.fields)
            throw unconvertible(key, ConversionError(field: field, reason: .value(error)))
        }
    }

    /// Creates the error for a record whose values cannot be converted.
    func unconvertible(_ key: RawSpan, _ reason: ConversionError) -> StoreError {
        let key = StoredKey(copiedBytes(key), of: type, layout: old.keyDescription)
        return .schema(.unconvertible(type: type, version: version, key: key, reason: reason))
    }
}
