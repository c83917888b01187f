// What the layout of one old version tells: the values of its records by name, and the automatic rules' conversion.

import LMDB
import TroveCoding

/// How the records of one version become those of the present layout.
final class VersionMigration: Sendable {
    let version: UInt32
    private let type: String
    private let old: RecordLayout
    /// Whether records stay under the keys that they have.
    private let keepsKeys: Bool
    /// What the automatic rules do; nil where they do not apply.
    private let rules: RecordConversion?
    /// Why they do not apply, where they do not.
    private let obstacle: StoreError?
    /// The error of a program that knows only an older layout than this one.
    private let newer: StoreError?

    /// Whether the values can be read by name: the layout has no part that only the type itself can read.
    let hasNamedValues: Bool

    /// - Throws: ``StoreError/unsupportedMigration(type:version:)`` where the version's layout is not known.
    init(of table: RecordTable, from version: UInt32) throws {
        type = table.schema.name
        keepsKeys = table.keepsKeys
        newer = table.type.isNewer(version, than: table.schema) ? table.outdated : nil
        self.version = version
        let new: RecordLayout
        do throws(CodingError) {
            guard let text = table.type.layouts[version]?.text else {
                throw CodingError(.malformed(expected: "a layout"))
            }
            old = try RecordLayout(text)
            new = try table.schema.parsedLayout()
        } catch {
            throw StoreError.unsupportedMigration(type: type, version: version)
        }
        let unknown = old.unknownPart
        hasNamedValues = unknown == nil
        do throws(ConversionError) {
            if let unknown { throw unknown }
            rules = try RecordConversion(from: old, to: new, keepingKeys: keepsKeys)
            obstacle = nil
        } catch {
            rules = nil
            obstacle = .noConversion(type: type, version: version, reason: error)
        }
    }

    /// What the automatic rules do.
    ///
    /// - Throws: ``StoreError`` where they do not apply.
    var conversion: RecordConversion {
        get throws(StoreError) {
            guard let rules else { throw obstacle ?? .unsupportedMigration(type: type, version: version) }
            return rules
        }
    }

    /// Refuses to read what the automatic rules do not convert. A program does not know what fields were called later: to
    /// be told that it is the older one says more.
    func checkIsReadable() throws(StoreError) {
        if let obstacle { throw newer ?? obstacle }
    }

    /// The key's components and the fields, by name.
    func values(_ key: RawSpan, _ fields: RawSpan) throws(CodingError) -> StoredFields {
        try old.read(key: key, fields: fields)
    }

    /// Makes the bytes of a record in the present layout; those of the key only where keys change.
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
            // Of a key, and not of damaged bytes.
            guard case .keyTooLarge = error.reason else { throw error }
            throw unconvertible(key, ConversionError(field: "the key", reason: .value(error)))
        }
    }

    /// The record out of what the automatic rules have made.
    func decode<Record: IndexKeyRecord>(_ key: RawSpan, _ fields: RawSpan, _ new: EncodedRecord) throws -> Record {
        let conversion = try conversion
        do throws(CodingError) {
            func decode(_ reader: inout RecordReader) throws(CodingError) -> Record { try Record(decoding: &reader) }
            if keepsKeys { return try RecordReader.read(key: key, fields: new.fields, decode) }
            return try RecordReader.read(key: new.key, fields: new.fields, decode)
        } catch {
            // A key that cannot be read is damaged, and told as that.
            _ = try values(key, fields)
            let field = conversion.fieldName(at: error.offset, in: new.fields)
            throw unconvertible(key, ConversionError(field: field, reason: .value(error)))
        }
    }

    /// The error of a record whose values do not become those of the type.
    func unconvertible(_ key: RawSpan, _ reason: ConversionError) -> StoreError {
        .unconvertible(type: type, version: version, key: copiedBytes(key), reason: reason)
    }
}

extension CatalogType {
    /// Whether a version's layout was the newest after a schema's.
    fileprivate func isNewer(_ version: UInt32, than schema: RecordSchema) -> Bool {
        layouts[version]?.ordinal ?? 0 > layouts[schema.fieldsVersion]?.ordinal ?? .max
    }
}
