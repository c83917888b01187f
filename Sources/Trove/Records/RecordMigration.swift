// Records of other versions, read as the type is now. A read never writes: what is stored stays as it is until the record
// is written again. Three ways are tried in this order, and the one that reads the first record of a version reads all:
//
//     init(decoding:version:)     the type's own, out of the old bytes
//     migrate(_:from:)            the type's own, out of named values
//     the automatic rules         by the layout that the catalog holds for the version: RecordConversion

import LMDB
import TroveCoding

/// How the records of one version are read.
enum MigrationWay: Sendable {
    /// By the type's `init(decoding:version:)`.
    case initializer
    /// By the type's `migrate(_:from:)`.
    case function(VersionMigration)
    /// By the automatic rules.
    case rules(VersionMigration)
}

/// What the layout of one old version tells.
final class VersionMigration: Sendable {
    private let type: String
    private let version: UInt32
    private let old: RecordLayout
    /// The layout of each field as it is now.
    private let new: [RecordLayout]
    /// What the automatic rules do, or why they do not apply.
    private let conversion: Result<RecordConversion, ConversionError>

    /// - Throws: ``StoreError/unsupportedMigration(type:version:)`` where the version's layout is not known;
    ///   ``StoreError/noConversion(type:version:reason:)`` where it has a part that only the type itself can read.
    init(of table: RecordTable, from version: UInt32) throws {
        let schema = table.schema
        type = schema.name
        self.version = version
        let declared: RecordLayout
        do throws(CodingError) {
            guard let text = table.storedLayouts[version] else { throw CodingError(.malformed(expected: "a layout")) }
            old = try RecordLayout(text)
            declared = try RecordLayout(schema.layout)
        } catch {
            throw StoreError.unsupportedMigration(type: type, version: version)
        }
        if let reason = old.unknownPart { throw StoreError.noConversion(type: type, version: version, reason: reason) }
        new = declared.fields.map { RecordLayout(key: [], fields: [$0]) }
        do throws(ConversionError) {
            conversion = .success(
                try RecordConversion(
                    from: RecordLayout(key: [], fields: old.fields), to: RecordLayout(key: [], fields: declared.fields),
                    rules: schema.conversionRules(new)))
        } catch {
            conversion = .failure(error)
        }
    }

    /// The key's components and the fields, by name.
    func values(_ key: RawSpan, _ fields: RawSpan) throws(CodingError) -> StoredFields {
        try old.read(key: key, fields: fields)
    }

    /// The fields' bytes in the present layout.
    func convert(_ fields: RawSpan) throws -> ConvertedFields {
        let conversion: RecordConversion
        do throws(ConversionError) {
            conversion = try self.conversion.get()
        } catch {
            throw StoreError.noConversion(type: type, version: version, reason: error)
        }
        let values = try conversion.convert(old.readFields(fields))
        var converted = ConvertedFields()
        for (layout, field) in zip(new, values.fields) {
            do throws(CodingError) {
                converted.bytes += try layout.writeFields(StoredFields([field]))
            } catch {
                throw ConversionError(field: field.name, reason: .value(error))
            }
            converted.ends.append((field.name, converted.bytes.count))
        }
        return converted
    }

    /// The error of a record whose values do not become those of the type.
    func unconvertible(_ key: RawSpan, _ reason: ConversionError) -> StoreError {
        .unconvertible(type: type, version: version, key: copiedBytes(key), reason: reason)
    }
}

/// The bytes of converted fields.
struct ConvertedFields {
    var bytes: [UInt8] = []
    /// Where each field ends.
    var ends: [(name: String, offset: Int)] = []

    /// The error of bytes that the type refuses, such as a raw value that it does not know.
    func refused(_ error: CodingError) -> ConversionError {
        let field = ends.first { error.offset < $0.offset } ?? ends.last
        return ConversionError(field: field?.name ?? "", reason: .value(error))
    }
}

extension RecordSchema {
    /// What is known of the fields beyond their layout, by their stored names.
    ///
    /// - Parameter layouts: The layout of each field.
    fileprivate func conversionRules(_ layouts: [RecordLayout]) -> [String: RecordConversion.Rule] {
        var rules: [String: RecordConversion.Rule] = [:]
        for (property, layout) in zip(fields, layouts) {
            rules[property.name] = RecordConversion.Rule(
                oldName: property.oldName, makeDefault: property.defaultBytes.map { layout.value(of: $0) })
        }
        return rules
    }
}

extension RecordLayout {
    /// What makes the value of the only field anew out of its bytes.
    fileprivate func value(of bytes: @escaping DefaultBytes) -> RecordConversion.DefaultValue {
        { () throws(CodingError) in
            let bytes = try bytes()
            return try unsafe readFields(bytes.span.bytes).fields.first?.value ?? .null
        }
    }
}

extension IndexKeyRecord {
    /// The record out of bytes of another version.
    @usableFromInline
    static func migrate(_ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable) throws -> Self {
        do {
            switch table.migrations.withLock({ $0[version] }) {
            case .initializer?: return try readOld(key, fields, version)
            case .function(let migration)?: return try migrateValues(key, fields, version, migration)
            case .rules(let migration)?: return try convert(key, fields, migration)
            case nil: return try migrateFirst(key, fields, version, table)
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Reads the first record of a version, and remembers which way has read it.
    private static func migrateFirst(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable
    ) throws -> Self {
        let unsupported = unsupportedMigration(from: version)
        do {
            let record = try readOld(key, fields, version)
            table.migrations.withLock { $0[version] = .initializer }
            return record
        } catch let error as StoreError where error == unsupported {
            // The next way is tried.
        }
        let migration = try VersionMigration(of: table, from: version)
        do {
            let record = try migrateValues(key, fields, version, migration)
            table.migrations.withLock { $0[version] = .function(migration) }
            return record
        } catch let error as StoreError where error == unsupported {
            table.migrations.withLock { $0[version] = .rules(migration) }
        }
        return try convert(key, fields, migration)
    }

    private static func readOld(_ key: RawSpan, _ fields: RawSpan, _ version: UInt32) throws -> Self {
        try RecordReader.readPart(key: key, fields: fields) { reader in
            try Self(decoding: &reader, version: version)
        }
    }

    private static func migrateValues(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ migration: VersionMigration
    ) throws -> Self {
        let values = try migration.values(key, fields)
        do {
            return try migrate(values, from: version)
        } catch let error as ConversionError {
            throw migration.unconvertible(key, error)
        }
    }

    private static func convert(_ key: RawSpan, _ fields: RawSpan, _ migration: VersionMigration) throws -> Self {
        do {
            let converted = try migration.convert(fields)
            do throws(CodingError) {
                return try RecordReader.read(key: key, fields: unsafe converted.bytes.span.bytes) {
                    (reader) throws(CodingError) in try Self(decoding: &reader)
                }
            } catch {
                // A key that cannot be read is damaged, and told as that.
                _ = try migration.values(key, fields)
                throw converted.refused(error)
            }
        } catch let error as ConversionError {
            throw migration.unconvertible(key, error)
        }
    }
}
