// Foreign tables and data, written by another program through liblmdb, of kinds that this library never creates:
// reported by name, and not modified.

import CTroveLMDB
import LMDB
import Testing
import TroveTestSupport

@Suite struct ForeignTableTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("foreign.mdb")
    }

    private struct Failed: Error {
        var code: Int32
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Failed(code: code) }
    }

    /// Puts an entry into a table with the flags, or into the main table if there is no name.
    private func putByOtherProgram(_ name: String?, flags: Int32) throws {
        var made: OpaquePointer?
        try check(unsafe trove_mdb_env_create(&made))
        guard let environment = unsafe made else { throw Failed(code: 0) }
        defer { unsafe trove_mdb_env_close(environment) }
        try check(unsafe trove_mdb_env_set_maxdbs(environment, 8))
        try check(unsafe trove_mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600))
        var transaction: OpaquePointer?
        try check(unsafe trove_mdb_txn_begin(environment, nil, 0, &transaction))
        var table: MDB_dbi = 0
        try check(unsafe trove_mdb_dbi_open(transaction, name, UInt32(MDB_CREATE | flags), &table))
        var number = UInt64(7)
        try unsafe withUnsafeMutableBytes(of: &number) { bytes in
            var key = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
            var value = unsafe key
            try check(unsafe trove_mdb_put(transaction, table, &key, &value, 0))
        }
        try check(unsafe trove_mdb_txn_commit(transaction))
    }

    @Test(arguments: [MDB_DUPSORT, MDB_INTEGERKEY, MDB_REVERSEKEY, MDB_DUPSORT | MDB_DUPFIXED])
    func tableOfAnotherKind_isRefused_andTheRestIsOfUse(flags: Int32) throws {
        try putByOtherProgram("theirs", flags: flags)
        let environment = try Environment(path: path)
        let ours = try environment.createDatabase("ours")
        for _ in 0..<2 {
            #expect(failure { _ = try environment.openDatabase("theirs") }?.code == .incompatible)
            #expect(failure { _ = try environment.createDatabase("theirs") }?.code == .incompatible)
            try environment.write { try $0.put([1], for: [1], in: ours) }
        }
        #expect(try environment.read { try $0.get([1], from: ours) } == [1])
        #expect(try environment.databaseNames() == ["ours", "theirs"])
    }

    @Test func dataBesideTheTables_isNeverATable() throws {
        try putByOtherProgram(nil, flags: 0)
        let environment = try Environment(path: path)
        let ours = try environment.createDatabase("ours")
        try environment.write { try $0.put([1], for: [1], in: ours) }
        // The bytes of the key, as a name. No table can have this name, since it contains a NUL.
        #expect(failure { _ = try environment.openDatabase("\u{7}\0\0\0\0\0\0\0") }?.code == .badDatabaseName)
        #expect(try environment.read { try $0.pairs(of: ours) } == [Pair(key: [1], value: [1])])
    }

    @Test func plainTable_staysPlain_whateverAnotherProgramAsksOfIt() throws {
        do {
            let environment = try Environment(path: path)
            let ours = try environment.createDatabase("ours")
            try environment.write { try $0.put([1], for: [1], in: ours) }
        }
        // liblmdb reports no error when an existing table is opened with other flags.
        try putByOtherProgram("ours", flags: MDB_DUPSORT)
        let environment = try Environment(path: path)
        let ours = try environment.openDatabase("ours")
        #expect(try environment.read { try $0.count(of: ours) } == 2)
    }
}
