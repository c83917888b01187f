// The limits of a history, and its rows in large transactions.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@EntityModel(keepsMetadata: true, keepsDeleted: true)
struct NotedMember: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.members) var team: NotedTeam?
}

@EntityModel
struct NotedTeam: Equatable {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.team) var members: [NotedMember]?
}

@Suite("Limits of histories") struct HistoryLimitTests {
    private typealias Note = Noted.Note
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ policy: HistoryPolicy?, _ types: [any IndexKeyRecord.Type] = Noted.types
    ) throws -> Store {
        try Store(
            path: directory.path("a.trove"), records: types,
            options: StoreOptions(durability: .noSync, history: policy))
    }

    private func note(_ id: Int, size: Int = 0) -> Note {
        Note(id: id, folder: "", text: String(repeating: "x", count: size))
    }

    private func size(_ store: Store) throws -> Int {
        try store.read { context in
            let table = try #require(try context.table(for: HistoryRow.schema))
            return try context.keyspace.statistics(of: table.database).size
        }
    }

    // MARK: Limits

    @Test(arguments: [HistoryPolicy.keep(commits: 1), .keep(days: 1 / 86_400_000), .keep(bytes: 1)])
    func aFollowerThatHasSeenEverything_isNeverExpired(_ policy: HistoryPolicy) throws {
        let store = try open(policy)
        for id in 0..<20 {
            let token = try store.read { try $0.historyToken }
            try store.insert(note(id))
            #expect(try store.read { try $0.history(after: token) }.count == 1)
        }
        let rows = try historyRows(store)
        let newest = try #require(rows.last).savedAt
        // The limit of a millisecond keeps the commits of the last millisecond.
        let isOfAge = policy == .keep(days: 1 / 86_400_000)
        #expect(rows.count { !isOfAge || newest.timeIntervalSince($0.savedAt) * 1000 >= 1 } <= 3)
    }

    @Test func theLimitInBytes_holds_forRowsOfAllSizes() throws {
        let store = try open(.keep(bytes: 400_000).keepingDeleted(Note.self))
        for id in 0..<3_000 { try store.insert(note(id)) }
        try store.insert(contentsOf: (10_000..<10_100).map { note($0, size: 20_000) })
        for id in 10_000..<10_100 { try store.delete(Note.self, key: id) }
        #expect(try size(store) < 600_000)
        #expect(try store.check() == [])
    }

    @Test(arguments: [4e9, -.infinity, .nan])
    func aCommitOfAWrongClock_doesNotStay(_ time: Double) throws {
        let store = try open(.keep(days: 1))
        try store.insert(note(0))
        try store.write { context in
            let table = try #require(try context.table(for: HistoryRow.schema))
            var rows = try Query<HistoryRow>().resolve(in: context)
            for index in rows.indices {
                rows[index].savedAt = Date(timeIntervalSinceReferenceDate: time)
                let key = HistoryRow.key(rows[index].commit, rows[index].part)
                let fields = try ValueWriter.bytes(count: rows[index].fieldsSize()) {
                    rows[index].encodeFields(into: &$0)
                }
                var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
                StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
                try context.keyspace.put(table.database, key, value)
            }
            context.noteChange()
        }
        #expect(try historyRows(store).count == 2)
        for id in 1..<5 { try store.insert(note(id)) }
        // The newest commit beyond the limit stays.
        let rows = try historyRows(store)
        #expect(rows.count == 5)
        #expect(rows.count { abs($0.savedAt.timeIntervalSinceNow) < 1_000 } == 4)
    }

    @Test func anUnreadableRow_doesNotKeepTheStoreFromWriting() throws {
        let store = try open(.keep(commits: 3))
        try store.write { context in
            let table = try #require(try context.table(for: HistoryRow.schema))
            try context.keyspace.put(table.database, [0], [2])
            try context.keyspace.put(table.database, HistoryRow.key(0, 7), [UInt8](repeating: 9, count: 10))
            context.noteChange()
        }
        for id in 0..<9 { try store.insert(note(id)) }
        #expect(try historyRows(store).count == 4)
        #expect(try store.read { try $0.history() }.count == 4)
    }

    // MARK: Openings

    @Test func leftOutEntities_leaveNothing_exceptLinks() throws {
        let types: [any IndexKeyRecord.Type] = [NotedMember.self, NotedTeam.self]
        let store = try open(.keep().excluding(NotedMember.self), types)
        let before = try store.read { try $0.historyToken }
        try NotedMember(id: 1, name: "Ann").save(to: store)
        try store.delete(NotedMember.self, key: 1)
        #expect(try store.read { try $0.history(after: before) }.isEmpty)
        try NotedMember(id: 1, name: "Ann", team: .id(2)).save(to: store)
        let names = try store.read { try $0.history(after: before) }.map(\.types)
        #expect(names == [["TroveTests.NotedMember.team"]])
    }

    @Test func rules_areStoredOnce() throws {
        let types: [any IndexKeyRecord.Type] = [NotedMember.self, NotedTeam.self]
        let policy = HistoryPolicy.keep().excluding(NotedMember.self)
        let store = try open(policy, types)
        let sequence = try store.commitSequence
        try store.close()
        let second = try open(policy, types)
        #expect(try second.commitSequence == sequence)
        try second.close()
        // A change of the rules is no change of records.
        let third = try open(.keep(commits: 9), types)
        #expect(try third.commitSequence == sequence + 1)
        #expect(try third.read { try $0.history() }.count == 1)
    }

    @Test func aStoreThatMayOnlyBeRead_isOpened() throws {
        let store = try open(nil)
        try store.insert(note(1))
        try store.write { context in
            let catalog = try context.catalogStorage()
            var entry = try catalog.storeEntry()
            entry.features.insert(StoreFeature(901, .neededToWrite))
            try catalog.setStoreEntry(entry)
            try context.beginSchemaEpoch(catalog)
        }
        try store.close()
        let opened = try open(.keep())
        #expect(try Note.select(in: opened) == [note(1)])
        #expect(throws: StoreError.self) { try opened.insert(note(2)) }
    }

    // MARK: Large transactions

    @Test func cascadesAndLinks_becomeRowsWhileTheyGoOn() throws {
        let types: [any IndexKeyRecord.Type] = [NotedMember.self, NotedTeam.self]
        let store = try open(.keep().keepingDeleted(NotedMember.self), types)
        func write(_ body: @escaping (TransactionContext) throws -> Void) throws -> (rows: Int, commit: HistoryCommit) {
            let token = try store.read { try $0.historyToken }
            try store.write { context in
                let history = try #require(context.recorder as? TransactionHistory)
                history.limit = 4_000
                try body(context)
                #expect(history.size < 6_000)
            }
            let commits = try store.read { try $0.history(after: token) }
            #expect(commits.count == 1)
            let commit = try #require(commits.first)
            return (try historyRows(store).count { $0.commit == commit.sequence }, commit)
        }
        let saved = try write { context in
            try NotedTeam(id: 1, members: .relation((0..<500).map { NotedMember(id: $0, name: "member") })).save(
                to: context)
        }
        #expect(saved.rows > 3)
        #expect(try saved.commit.changes(of: NotedMember.self).count == 500)
        let deleted = try write { try $0.delete(NotedTeam.self, key: 1) }
        #expect(deleted.rows > 3)
        let changes = try deleted.commit.changes(of: NotedMember.self)
        #expect(changes.count == 500)
        for case .deleted(_, let kept) in changes { #expect(kept?.record?.name == "member") }
        let links = deleted.commit.entries.filter { $0.keyPrefix != NotedMember.schema.keyPrefix }
        #expect(links.count { $0.kind == .deleted } > 500)
        #expect(try store.check() == [])
    }

    @Test func theLinksOfAnEmptiedType_areListed() throws {
        let types: [any IndexKeyRecord.Type] = [NotedMember.self, NotedTeam.self]
        let store = try open(.keep(), types)
        try NotedTeam(id: 1, members: .relation((0..<9).map { NotedMember(id: $0, name: "") })).save(to: store)
        let token = try store.read { try $0.historyToken }
        try NotedMember.query().delete(in: store)
        let commit = try #require(try store.read { try $0.history(after: token) }.first)
        #expect(commit.entries.allSatisfy { $0.kind != .any })
        #expect(Set(commit.types).isSuperset(of: ["TroveTests.NotedMember", "TroveTests.NotedMember.team"]))
    }

    @Test func anUndoneNestedTransaction_leavesNoCommit() throws {
        struct Undone: Error {}
        let store = try open(.keep().excluding(Noted.Cache.self))
        let token = try store.read { try $0.historyToken }
        try store.write { context in
            let history = try #require(context.recorder as? TransactionHistory)
            history.limit = 0
            #expect(throws: Undone.self) {
                try context.nested { nested in
                    try nested.insert(contentsOf: (0..<20).map { note($0) })
                    throw Undone()
                }
            }
            try context.insert(Noted.Cache(id: 1, value: 1))
        }
        #expect(try store.read { try $0.history(after: token) }.isEmpty)
        #expect(try historyRows(store).count == 1)
    }
}
