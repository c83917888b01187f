// A store's file, opened by several programs in turn, each with its own types.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

/// A store in a directory of its own. Each function opens it, as a separate program would, and closes it again.
struct MigratedFile {
    /// The canonical path, as it appears in errors.
    let path: String
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = try Store(path: directory.path("store.trove"), options: StoreOptions(durability: .noSync)).path
    }

    /// Creates a file with some records.
    init<Record: IndexKeyRecord>(of records: [Record]) throws {
        try self.init()
        try write(records)
    }

    func open(
        _ records: any IndexKeyRecord.Type..., migrations: MigrationPolicy = .onOpen, isReadOnly: Bool = false,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws -> Store {
        try Store(
            path: path, records: records, migrations: migrations,
            options: StoreOptions(durability: .noSync, isReadOnly: isReadOnly), progress: progress)
    }

    /// Opens the store with declared types, and closes it again.
    func migrate(_ records: any IndexKeyRecord.Type..., migrations: MigrationPolicy = .onOpen) throws {
        _ = try Store(
            path: path, records: records, migrations: migrations, options: StoreOptions(durability: .noSync))
    }

    /// Opens the store with a declared type in a task that is cancelled after some batches of the migration, unless the
    /// migration finishes first. Closes the store again.
    func migrate(
        _ type: any IndexKeyRecord.Type, migrations: MigrationPolicy = .onOpen, cancellingAfter last: Int
    ) async throws {
        let steps = MigrationSteps()
        let result = await Task {
            _ = try open(type, migrations: migrations) { step in
                if step.phase == .rewriting { steps.take(step) }
                if steps.all.count == last { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }.result
        do { try result.get() } catch is CancellationError {}
    }

    /// Writes records, as a program without declared types.
    func write<Record: IndexKeyRecord>(_ records: [Record], migrations: MigrationPolicy = .onOpen) throws {
        try open(migrations: migrations).insert(contentsOf: records)
    }

    /// Reads all records of a type, as a program without declared types.
    func read<Record: IndexKeyRecord>(_ type: Record.Type) throws -> [Record] {
        try Query<Record>().resolve(in: open())
    }

    /// Returns the catalog's description of a type.
    func type(_ prefix: UInt32) throws -> StoredType { try open().storedType(prefix) }

    /// Returns all stored records of a type, in the order of their keys.
    func stored(_ prefix: UInt32) throws -> [StoredRecord] { try open().storedRecords(prefix) }

    /// Returns the record tables by name, with the number of records in each.
    func tables() throws -> [String: Int] {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        var tables: [String: Int] = [:]
        for name in try environment.databaseNames() where name != "trove" {
            let table = try environment.openDatabase(name)
            tables[name] = try environment.read { transaction in try transaction.count(of: table) }
        }
        return tables
    }

    /// Returns every byte of the file.
    func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Returns the damage that `verify` finds.
    func damage() throws -> [String] { try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } }
}

extension Store {
    /// Returns the catalog's description of a type.
    func storedType(_ prefix: UInt32) throws -> StoredType {
        try read { context in try #require(try context.storedTypes().first { $0.keyPrefix == prefix }) }
    }

    /// Returns all stored records of a type, in the order of their keys.
    func storedRecords(_ prefix: UInt32) throws -> [StoredRecord] {
        try read { context in
            guard let type = try context.storedTypes().first(where: { $0.keyPrefix == prefix }) else { return [] }
            var records: [StoredRecord] = []
            try context.forEachStoredRecord(of: type) { record in
                records.append(record)
                return true
            }
            return records
        }
    }
}

extension StoredType {
    /// Whether every record has the newest layout, and no migration is running.
    var isMigrated: Bool { possibleVersions.count == 1 && migration == nil }
}

extension IndexKeyRecord {
    /// The bytes of the record's key.
    var keyBytes: [UInt8] { KeyWriter.bytes { encodeKey(into: &$0) } }
}
