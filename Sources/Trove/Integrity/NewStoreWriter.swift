// The write transactions that fill a new store, which no other process knows yet: a salvage, or a copy of changes.

import LMDB
import TroveCoding

/// Writes the tables of a new store, in several transactions.
final class NewStoreWriter {
    /// The number of bytes written per transaction.
    private static let batchSize = 64 << 20

    private let environment: Environment
    private var core: TransactionCore
    private var isWriting = true

    init(into file: borrowing UnfinishedFile) throws {
        // No other process knows the file, and it is flushed once, when it is complete.
        var options = EnvironmentOptions(maximumDatabases: 1 << 15, durability: .noSync)
        options.isLockless = true
        options.initialTable = try CatalogStorage.initial()
        try file.createEnvironment(options)
        environment = try Environment(path: file.path, options: options)
        core = try environment.shared.beginWrite()
    }

    deinit {
        if isWriting { core.endWrite() }
    }

    var path: String { environment.path }
    var keyspace: Keyspace { Keyspace(core) }

    /// Whether the transaction has written enough for a commit.
    var isFull: Bool { core.writtenBytes > Self.batchSize }

    /// Commits, and begins the next transaction.
    func commit() throws(LMDBError) {
        try core.commit()
        core.endWrite()
        isWriting = false
        core = try environment.shared.beginWrite()
        isWriting = true
    }

    /// Commits the last transaction, and flushes the file.
    func finish() throws {
        try core.commit()
        try environment.synchronize()
    }

    /// Stores an entry, in a new transaction if this one is full.
    func put(_ table: Database, _ key: RawSpan, _ value: RawSpan) throws {
        if isFull { try commit() }
        _ = try keyspace.put(table, key, size: value.byteCount) { copyBytes(value, into: &$0) }
    }
}

extension Keyspace {
    /// Creates the tables of a type's indexes in a new store, empty as before a build.
    func createIndexes(of type: inout CatalogType, _ keyPrefix: UInt32) throws {
        for (number, index) in type.indexes {
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
            _ = try createTable(named: name.text)
            type.indexes[number] = index.emptied
        }
        for name in type.indexes.parts(keyPrefix) { _ = try createTable(named: name.text) }
        for (number, index) in type.indexes {
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
            try index.kind.tables.prepare(index, name, self)
        }
    }
}
