// Records of other versions, as the type is now: read, or as bytes to be written. Three ways are tried in this order, and
// the one that reads the first record of a version reads all:
//
//     init(decoding:version:)     the type's own, out of the old bytes
//     migrate(_:from:)            the type's own, out of named values
//     the automatic rules         by the layout that the catalog holds for the version: RecordConversion

import LMDB
import TroveCoding

/// How the records of one version are read.
enum MigrationMethod: Sendable {
    /// By the type's `init(decoding:version:)`.
    case initializer
    /// By the type's `migrate(_:from:)`.
    case function(VersionMigration)
    /// By the automatic rules.
    case rules(VersionMigration)
}

extension IndexKeyRecord {
    /// The record out of bytes of another version. A read never writes: what is stored stays as it is.
    static func migrate(_ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable) throws -> Self {
        do {
            let method = try method(key, fields, version, table)
            if case .rules(let migration) = method {
                try migration.checkIsReadable()
                var new = EncodedRecord()
                try migration.convert(key, fields, into: &new)
                return try migration.decode(key, fields, new)
            }
            return try migrateByHand(key, fields, version, method, table)
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Makes the bytes of a record out of those of another version.
    ///
    /// - Parameter new: Receives the bytes; those of the key only where keys change.
    static func rewrite(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ method: MigrationMethod, _ table: RecordTable,
        into new: inout EncodedRecord
    ) throws {
        do {
            if case .rules(let migration) = method {
                try migration.convert(key, fields, into: &new)
                // What the type refuses would be lost.
                if try migration.conversion.canFail { _ = try migration.decode(key, fields, new) as Self }
                return
            }
            let record = try migrateByHand(key, fields, version, method, table)
            do {
                try record.encode(into: &new)
            } catch let error as CodingError {
                let reason = ConversionError(field: "what migrate(_:from:) has made", reason: .value(error))
                throw StoreError.unconvertible(
                    type: schema.name, version: version, key: copiedBytes(key), reason: reason)
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Which way reads the records of a version: what reads this one.
    static func method(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable
    ) throws -> MigrationMethod {
        if let known = table.migrations.withLock({ $0[version] }) { return known }
        do {
            let method = try findMethod(key, fields, version, table)
            table.migrations.withLock { $0[version] = method }
            return method
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    private static func findMethod(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable
    ) throws -> MigrationMethod {
        let unsupported = unsupportedMigration(from: version)
        do {
            _ = try readOld(key, fields, version)
            return .initializer
        } catch let error as StoreError where error == unsupported {
            // The next way is tried.
        }
        let migration = try VersionMigration(of: table, from: version)
        // Whoever asks the rules is told why they do not apply.
        guard migration.hasNamedValues else { return .rules(migration) }
        do {
            _ = try migrateValues(key, fields, migration)
            return .function(migration)
        } catch let error as StoreError where error == unsupported {
            return .rules(migration)
        }
    }

    private static func migrateByHand(
        _ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ method: MigrationMethod, _ table: RecordTable
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
            return try migrate(values, from: migration.version)
        } catch let error as ConversionError {
            throw migration.unconvertible(key, error)
        }
    }

    /// The record's bytes in the present layout.
    func currentBytes() throws -> EncodedRecord {
        var bytes = EncodedRecord()
        do {
            try encode(into: &bytes)
        } catch let error as CodingError {
            throw StoreError(writing: Self.schema.name, error)
        }
        return bytes
    }

    private func encode(into new: inout EncodedRecord) throws {
        new.key = try KeyWriter.withKey({ encodeKey(into: &$0) }) { copiedBytes($0) }
        new.fields = try ValueWriter.bytes(count: fieldsSize()) { encodeFields(into: &$0) }
    }

    /// Refuses a record that is not where its key says.
    private func checkKey(_ key: RawSpan, _ version: UInt32) throws {
        let isSame = try KeyWriter.withKey({ encodeKey(into: &$0) }) { copiedBytes($0) == copiedBytes(key) }
        guard isSame else {
            let reason = ConversionError(field: Self.schema.key.first?.name ?? "", reason: .otherKey)
            throw StoreError.unconvertible(
                type: Self.schema.name, version: version, key: copiedBytes(key), reason: reason)
        }
    }
}
