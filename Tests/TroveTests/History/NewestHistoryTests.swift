// The commits of a history from the newest on, and the parts of a commit that tools read.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Histories from their ends") struct NewestHistoryTests {
    private typealias Note = Noted.Note
    private let store: Store

    init() throws {
        store = try Store.temporary(records: Noted.types, options: StoreOptions(history: Noted.policy()))
    }

    private func note(_ id: Int, _ text: String = "text") -> Note { Note(id: id, folder: "inbox", text: text) }

    /// Writes a commit with several rows.
    private func writeLargeCommit() throws {
        try store.write { context in
            let history = try #require(context.recorder as? TransactionHistory)
            history.limit = 10_000
            try context.insert(contentsOf: (0..<5_000).map { note($0) }, onConflict: .replace)
            try Note.filter(\.id < 2_000).delete(in: context)
        }
    }

    /// Returns the numbers of the commits before a commit, and the commits or the errors of reading them.
    private func results(
        before sequence: UInt64? = nil, bytes: Int = .max, limit: Int = .max
    ) throws -> [(sequence: UInt64, commit: Result<HistoryCommit, any Error>)] {
        try store.read { context in
            var results: [(sequence: UInt64, commit: Result<HistoryCommit, any Error>)] = []
            try context.forEachHistoryResult(before: sequence, bytes: bytes) { sequence, commit in
                results.append((sequence, commit))
                return results.count < limit
            }
            return results
        }
    }

    private func table() throws -> RecordTable { try #require(try store.read { try $0.table(for: HistoryRow.schema) }) }

    @Test func commits_comeNewestFirst_fromAnyCommit() throws {
        for id in 0..<20 { try store.insert(note(id)) }
        try writeLargeCommit()
        for id in 0..<20 { try store.insert(note(id), onConflict: .replace) }
        let oldestFirst = try store.read { try $0.history() }
        let commits = try results().map { try $0.commit.get() }
        #expect(commits.map(\.token) == oldestFirst.reversed().map(\.token))
        #expect(commits.map { $0.entries.map { "\($0)" } } == oldestFirst.reversed().map { $0.entries.map { "\($0)" } })
        #expect(!commits.contains { $0.isCut })
        for (rank, commit) in commits.enumerated() {
            let rest = try results(before: commit.sequence, limit: 3).map(\.sequence)
            #expect(rest == commits.dropFirst(rank + 1).prefix(3).map(\.sequence))
        }
        #expect(try results(before: 0).isEmpty)
    }

    @Test func theRunningTransaction_isNotAmongThem() throws {
        try store.insert(note(-1))
        let last = try store.read { try $0.historyToken }
        try store.write { context in
            let history = try #require(context.recorder as? TransactionHistory)
            history.limit = 1_000
            try context.insert(contentsOf: (0..<5_000).map { note($0) })
            var sequences: [UInt64] = []
            try context.forEachHistoryResult(bytes: .max) { sequence, _ in
                sequences.append(sequence)
                return false
            }
            #expect(sequences == [last.commit])
            #expect(try context.historyToken == last)
        }
    }

    @Test func aLargeCommit_isCut() throws {
        try writeLargeCommit()
        try store.insert(note(-1))
        let token = try #require(try store.read { try $0.history() }.dropLast().last?.token)
        let whole = try store.read { try $0.historyCommit(before: token, bytes: .max) }
        #expect(!whole.isCut)
        #expect(whole.changeCount == 3_000)
        let cut = try store.read { try $0.historyCommit(before: token, bytes: 20_000) }
        #expect(cut.isCut)
        #expect(cut.token == token)
        #expect(cut.readBytes >= 20_000 && cut.readBytes < whole.readBytes)
        let results = try results(bytes: 0)
        #expect(try results.map { try $0.commit.get().isCut } == [false, true, false])
    }

    /// The oldest commits are removed row by row, beginning with the head.
    @Test func theRestOfACommit_isLeftOut() throws {
        try writeLargeCommit()
        let token = try store.read { try $0.historyToken }
        try store.insert(note(-1))
        let table = try table()
        try store.write { context in
            for sequence in 0...token.sequence {
                try context.keyspace.delete(table.database, HistoryRow.key(sequence, 0))
            }
            context.noteChange()
        }
        let oldest = token.sequence + 1
        #expect(try results().map(\.sequence) == [oldest])
        #expect(
            throws: StoreError.history(.expired(path: store.path, commit: token.sequence, oldest: oldest))
        ) { try store.read { try $0.historyCommit(before: token, bytes: .max) } }
    }

    @Test func aDamagedCommit_isAnError_andTheOthersAreRead() throws {
        for id in 0..<3 { try store.insert(note(id)) }
        let damaged = try #require(try store.read { try $0.history() }.dropLast().last).sequence
        let table = try table()
        try store.write { context in
            let key = HistoryRow.key(damaged, 0)
            var value: [UInt8] = []
            _ = try context.keyspace.withEntry(table.database, key) { _, stored in value = copiedBytes(stored) }
            value[value.count - 1] ^= 1
            try context.keyspace.put(table.database, key, value)
            context.noteChange()
        }
        let failures = try results().filter { if case .failure = $0.commit { true } else { false } }
        #expect(failures.map(\.sequence) == [damaged])
        #expect(try results().count == 4)
    }

    // MARK: Counts

    @Test func changes_areCounted_andFoundByKey() throws {
        try store.insert(Noted.Cache(id: 1, value: 1))
        try store.insert(contentsOf: (0..<5).map { note($0) })
        try store.write { context in
            try context.insert(contentsOf: (10..<13).map { note($0) })
            for id in 0..<2 { try context.insert(note(id, "new"), onConflict: .replace) }
            _ = try context.delete(Note.self, key: 4)
            try context.insert(Noted.Plain(name: "a", number: 1, value: 1))
        }
        let last = try #require(try store.read { try $0.history() }.last)
        let counts = Dictionary(uniqueKeysWithValues: last.storedCounts.map { ($0.type, $0) })
        #expect(counts.count == 2)
        let notes = try #require(counts["TroveTests.Noted.Note"])
        #expect([notes.inserted, notes.updated, notes.deleted] == [3, 2, 1])
        #expect(!notes.isOfAnyRecord)
        #expect(counts["TroveTests.Noted.Plain"]?.inserted == 1)
        #expect(last.changeCount == 7)
        #expect(last.storedChanges(2..<5).map(\.key) == Array(last.storedChanges.map(\.key)[2..<5]))
        try store.read { context in
            let type = try #require(try context.storedType(withName: "TroveTests.Noted.Note"))
            let kinds = try [0, 4, 11, 3].map { id in
                last.storedChange(ofRecord: try StoredKeyRange(of: type, from: ["\(id)"]).lowerBytes, of: type)?.kind
            }
            #expect(kinds == [.updated, .deleted, .inserted, nil])
            let cache = try #require(try context.storedType(withName: "TroveTests.Noted.Cache"))
            #expect(context.keepsHistory(of: type) && !context.keepsHistory(of: cache))
        }
        #expect(try store.keepsHistory)
        #expect(try Store.temporary(records: Noted.types).keepsHistory == false)
    }
}
