// The changes of migrations in a history.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Histories and migrations") struct HistoryMigrationTests {
    private func migrated<Record: IndexKeyRecord>(to type: Record.Type) throws -> [[HistoryChange<Record>]] {
        let file = try MigratedFile()
        var store = try Store(
            path: file.path, records: [PlainSize.self], options: StoreOptions(history: .keep()))
        try store.insert(PlainSize(id: 1, size: 1))
        let token = try store.read { try $0.historyToken }
        try store.close()
        store = try Store(path: file.path, records: [type], migrations: .onOpen)
        return try store.read { try $0.history(after: token).map { try $0.changes(of: type) } }
    }

    /// The code of a program can give all records other values.
    @Test func aMigrationByTheProgram_mayBeAnyChange() throws {
        #expect(try migrated(to: CodedSize.self) == [[.any]])
    }

    /// The automatic rules change no value.
    @Test func aMigrationByTheRules_isNoChange() throws {
        #expect(try migrated(to: RuledSize.self) == [])
    }
}

@IndexKeyRecord(keyPrefix: 6_900_003, "id")
private struct PlainSize {
    let id: Int
    var size: Int
}

@IndexKeyRecord(keyPrefix: 6_900_003, "id")
private struct CodedSize {
    let id: Int
    var size: Int
    var double: Int

    static func migrate(_ old: StoredFields, from version: UInt32) throws -> CodedSize {
        let size = try old.value("size", as: Int.self)
        return CodedSize(id: try old.value("id", as: Int.self), size: -size, double: 2 * size)
    }
}

@IndexKeyRecord(keyPrefix: 6_900_003, "id")
private struct RuledSize {
    let id: Int
    var size: Int
    var double: Int = 0
}
