// liblmdb's environment and transactions, called directly: the common part of the peers without a wrapper.

import CTroveLMDB
import Foundation

final class LiblmdbEnvironment: @unchecked Sendable {
    private let environment: OpaquePointer
    /// The tables, in the order of their names in the initializer.
    let tables: [MDB_dbi]

    init(at place: Place, tables names: [String]) throws {
        var made: OpaquePointer?
        try check(trove_mdb_env_create(&made), "mdb_env_create")
        guard let environment = made else { throw BenchmarkError("mdb_env_create made nothing") }
        self.environment = environment
        try check(trove_mdb_env_set_mapsize(environment, 1 << 36), "mdb_env_set_mapsize")
        try check(trove_mdb_env_set_maxdbs(environment, UInt32(names.count)), "mdb_env_set_maxdbs")
        let flags = MDB_NOSUBDIR | MDB_NOTLS | (place.isDurable ? 0 : MDB_NOSYNC)
        try check(trove_mdb_env_open(environment, place.file.path, UInt32(flags), 0o600), "mdb_env_open")
        var transaction: OpaquePointer?
        try check(trove_mdb_txn_begin(environment, nil, 0, &transaction), "mdb_txn_begin")
        var tables: [MDB_dbi] = []
        for name in names {
            var table = MDB_dbi()
            try check(trove_mdb_dbi_open(transaction, name, UInt32(MDB_CREATE), &table), "mdb_dbi_open")
            tables.append(table)
        }
        try check(trove_mdb_txn_commit(transaction), "mdb_txn_commit")
        self.tables = tables
    }

    deinit { trove_mdb_env_close(environment) }

    func write(_ body: (OpaquePointer) throws -> Void) throws {
        var made: OpaquePointer?
        try check(trove_mdb_txn_begin(environment, nil, 0, &made), "mdb_txn_begin")
        guard let transaction = made else { return }
        do {
            try body(transaction)
        } catch {
            trove_mdb_txn_abort(transaction)
            throw error
        }
        try check(trove_mdb_txn_commit(transaction), "mdb_txn_commit")
    }

    func read<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
        var made: OpaquePointer?
        try check(trove_mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &made), "mdb_txn_begin")
        guard let transaction = made else { throw BenchmarkError("mdb_txn_begin made nothing") }
        defer { trove_mdb_txn_abort(transaction) }
        return try body(transaction)
    }
}

/// Runs a closure with a cursor.
func withCursor<R>(_ transaction: OpaquePointer, _ table: MDB_dbi, _ body: (OpaquePointer) throws -> R) throws -> R {
    var made: OpaquePointer?
    try check(trove_mdb_cursor_open(transaction, table, &made), "mdb_cursor_open")
    guard let cursor = made else { throw BenchmarkError("mdb_cursor_open made nothing") }
    defer { trove_mdb_cursor_close(cursor) }
    return try body(cursor)
}

/// Moves a cursor. Returns false if there is no entry.
@inline(__always)
func move(
    _ cursor: OpaquePointer, _ key: inout MDB_val, _ value: inout MDB_val, _ operation: MDB_cursor_op
) throws -> Bool {
    let code = trove_mdb_cursor_get(cursor, &key, &value, operation)
    if code == MDB_NOTFOUND { return false }
    try check(code, "mdb_cursor_get")
    return true
}

func check(_ code: Int32, _ call: String) throws {
    guard code == 0 else { throw BenchmarkError("\(call): \(String(cString: trove_mdb_strerror(code)))") }
}
