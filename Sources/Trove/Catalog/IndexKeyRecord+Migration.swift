// Conversion of records of other versions to the current type or its current bytes. Three methods are tried in this
// order. The first method to read a record of a version is used for all records of that version:
//
//     init(decoding:version:)     of the type, from the old bytes
//     migrate(_:from:)            of the type, from named values
//     the automatic rules         by the catalog's layout of the version: RecordConversion

import LMDB
import TroveCoding

extension IndexKeyRecord {
    /// Decodes a record from the bytes of another version. The stored bytes are not changed: a read never writes.
    static func migrate(
        _ key: RawSpan, _ fields: RawSpan, from version: UInt32, in table: RecordTable
    ) throws -> Self {
        do {
            let method = try method(for: key, fields, from: version, in: table)
            if case .rules(let migration) = method {
                try migration.checkIsReadable()
                var new = EncodedRecord()
                try migration.convert(key, fields, into: &new)
                return try migration.decode(key, fields, new)
            }
            return try migrateByHand(key, fields, from: version, by: method, in: table)
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Converts the bytes of a record from another version to the current layout.
    ///
    /// - Parameter new: Receives the bytes; the key's bytes only if keys change.
    static func rewrite(
        _ key: RawSpan, _ fields: RawSpan, from version: UInt32, by method: MigrationMethod, in table: RecordTable,
        into new: inout EncodedRecord
    ) throws {
        do {
            if case .rules(let migration) = method {
                try migration.convert(key, fields, into: &new)
                // A record that the type cannot decode would be lost.
                if try migration.conversion.canFail { _ = try migration.decode(key, fields, new) as Self }
                return
            }
            let record = try migrateByHand(key, fields, from: version, by: method, in: table)
            do {
                try record.encode(into: &new)
            } catch let error as CodingError {
                let reason = ConversionError(field: "the result of migrate(_:from:)", reason: .value(error))
                throw StoreError.schema(
                    .unconvertible(
                        type: schema.name, version: version, key: table.storedKey(copiedBytes(key)), reason: reason))
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Returns the method for reading the records of a version, determined with this record and cached.
    static func method(
        for key: RawSpan, _ fields: RawSpan, from version: UInt32, in table: RecordTable
    ) throws -> MigrationMethod {
        if let known = table.migrations.withLock({ $0[version] }) { return known }
        do {
            let method = try findMethod(for: key, fields, from: version, in: table)
            table.migrations.withLock { $0[version] = method }
            return method
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    private static func findMethod(
        for key: RawSpan, _ fields: RawSpan, from version: UInt32, in table: RecordTable
    ) throws -> MigrationMethod {
        let unsupported = unsupportedMigration(from: version)
        do {
            _ = try readOld(key, fields, version)
            return .initializer
        } catch let error as StoreError where error == unsupported {
            // The next method is tried.
        }
        let migration = try VersionMigration(of: table, from: version)
        // The rules report why they do not apply.
        guard migration.hasNamedValues else { return .rules(migration) }
        do {
            _ = try migrateValues(key, fields, migration)
            return .function(migration)
        } catch let error as StoreError where error == unsupported {
            return .rules(migration)
        }
    }

    private static func migrateByHand(
        _ key: RawSpan, _ fields: RawSpan, from version: UInt32, by method: MigrationMethod, in table: RecordTable
    ) throws -> Self {
        let record: Self
        if case .function(let migration) = method {
            record = try migrateValues(key, fields, migration)
        } else {
            record = try readOld(key, fields, version)
        }
        if table.keepsKeys { try record.checkKey(key, version) }
        return record
    }

    private static func readOld(_ key: RawSpan, _ fields: RawSpan, _ version: UInt32) throws -> Self {
        try RecordReader.readPart(key: key, fields: fields) { reader in
            try Self(decoding: &reader, version: version)
        }
    }

    private static func migrateValues(
        _ key: RawSpan, _ fields: RawSpan, _ migration: VersionMigration
    ) throws -> Self {
        let values = try migration.values(key, fields)
        do {
            if let type = Self.self as? any DelegatedMigration.Type {
                guard let record = try type.migrate(values, from: migration.version, migration) as? Self else {
                    throw unsupportedMigration(from: migration.version)
                }
                return record
            }
            return try migrate(values, from: migration.version)
        } catch let error as ConversionError {
            throw migration.unconvertible(key, error)
        }
    }

    /// Throws if the record's key differs from its stored key.
    private func checkKey(_ key: RawSpan, _ version: UInt32) throws {
        let isSame = try KeyWriter.withKey({ encodeKey(into: &$0) }) { copiedBytes($0) == copiedBytes(key) }
        guard isSame else {
            let reason = ConversionError(field: Self.schema.key.first?.name ?? "", reason: .otherKey)
            throw StoreError.schema(
                .unconvertible(
                    type: Self.schema.name, version: version, key: Self.schema.storedKey(copiedBytes(key)),
                    reason: reason))
        }
    }
}

extension VersionMigration {
    /// - Throws: ``StoreError/SchemaError/unsupportedMigration(type:version:)`` if the version's layout is not known.
    fileprivate convenience init(of table: RecordTable, from version: UInt32) throws {
        let isNewer = table.type.isNewer(version, than: table.schema)
        try self.init(
            of: table.schema, from: version, table.type.layouts[version]?.text, keepsKeys: table.keepsKeys,
            newer: isNewer ? table.outdated : nil, table.relations.keptIDs?.adaptation)
    }
}

extension CatalogType {
    /// Returns whether a version's layout became the newest layout after a schema's layout.
    fileprivate func isNewer(_ version: UInt32, than schema: RecordSchema) -> Bool {
        layouts[version]?.ordinal ?? 0 > layouts[schema.fieldsVersion]?.ordinal ?? .max
    }
}
