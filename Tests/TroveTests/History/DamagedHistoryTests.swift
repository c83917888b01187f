// Damaged rows of a history.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Damaged histories") struct DamagedHistoryTests {
    private let store: Store
    private let sequences: [UInt64]

    /// A store with five commits: that of its option, and four with a note.
    init() throws {
        store = try Store.temporary(records: Noted.types, options: StoreOptions(history: .keep()))
        for id in 0..<4 { try store.insert(Noted.Note(id: id, folder: "", text: "")) }
        sequences = try store.read { try $0.history().map(\.sequence) }
    }

    /// Changes the last byte of a commit's row.
    private func damage(_ sequence: UInt64) throws {
        try store.write { context in
            let table = try context.tableForWriting(HistoryRow.schema).table
            let key = HistoryRow.key(sequence, 0)
            var value: [UInt8] = []
            _ = try context.keyspace.withEntry(table.database, key) { value = copiedBytes($1) }
            value[value.count - 1] ^= 1
            try context.keyspace.put(table.database, key, value)
            context.noteChange()
        }
    }

    /// The row after the last requested commit is not read.
    @Test(arguments: 1...4) func commitsBeforeADamagedRow_areRead(_ limit: Int) throws {
        try damage(sequences[limit])
        let commits = try store.read { try $0.history(limit: limit) }
        #expect(commits.map(\.sequence) == Array(sequences.prefix(limit)))
        #expect(throws: StoreError.self) { try store.read { try $0.history(limit: limit + 1) } }
        let token = try #require(commits.last?.token)
        #expect(throws: StoreError.self) { try store.read { try $0.history(after: token) } }
    }

    @Test func theSizeOfABatch_countsBeforeTheNextRow() throws {
        try damage(sequences[2])
        let commits = try store.read { try $0.history(after: nil, limit: .max, bytes: 1) }
        // The first commit has no change, and so no size.
        #expect(commits.map(\.sequence) == Array(sequences.prefix(2)))
    }
}
