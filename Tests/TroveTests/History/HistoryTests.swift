import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Histories") struct HistoryTests {
    private typealias Note = Noted.Note

    private func note(_ id: Int, _ text: String = "text", folder: String = "inbox") -> Note {
        Note(id: id, folder: folder, text: text)
    }

    private func temporary(_ policy: HistoryPolicy = Noted.policy()) throws -> Store {
        try Store.temporary(records: Noted.types, options: StoreOptions(history: policy))
    }

    private func commits(_ store: Store, after token: HistoryToken? = nil) throws -> [HistoryCommit] {
        try store.read { try $0.history(after: token) }
    }

    @Test func aStore_keepsEachCommit_withItsAuthor() throws {
        let store = try temporary()
        let start = try store.read { try $0.historyToken }
        let before = Date()
        try store.insert(note(1))
        try store.write(author: "sync") { context in
            try context.insert(note(2))
            try context.insert(note(1, "new"), onConflict: .replace)
        }
        try store.write { context in _ = try context.delete(Note.self, key: 1) }
        let commits = try commits(store, after: start)
        #expect(commits.map(\.author) == [nil, "sync", nil])
        #expect(commits.map(\.sequence) == [commits[0].sequence, commits[0].sequence + 1, commits[0].sequence + 2])
        #expect(commits.allSatisfy { $0.date >= before.addingTimeInterval(-1) && $0.date <= Date() })
        #expect(try words(commits[0], Note.self) == [1: "inserted"])
        #expect(try words(commits[1], Note.self) == [1: "updated", 2: "inserted"])
        #expect(try words(commits[2], Note.self) == [1: "deleted"])
        #expect(commits[1].types == ["TroveTests.Noted.Note"])
        guard case .deleted(1, let tombstone?) = try commits[2].changes(of: Note.self).first else {
            Issue.record("no tombstone")
            return
        }
        #expect(tombstone[\.text] == "new")
        #expect(tombstone[\.folder] == nil)
        #expect(tombstone.record == nil)
        #expect(try store.read { try $0.historyToken } == commits[2].token)
        #expect(try self.commits(store, after: commits[1].token).map(\.sequence) == [commits[2].sequence])
        #expect(try self.commits(store).count == 4, "the first commit is that of the option")
        #expect(try store.check() == [])
    }

    @Test func aTransaction_listsEachRecordOnce() throws {
        let store = try temporary()
        try store.insert(note(1))
        let token = try store.read { try $0.historyToken }
        try store.write { context in
            try context.insert(note(5))
            _ = try context.delete(Note.self, key: 5)
            _ = try context.delete(Note.self, key: 1)
            try context.insert(note(1, "again"))
            try context.insert(note(6))
            try context.insert(note(6, "b"), onConflict: .replace)
        }
        let last = try #require(try commits(store, after: token).first)
        #expect(try words(last, Note.self) == [1: "updated", 6: "inserted"])
    }

    @Test func aWholeRecord_isKept() throws {
        let store = try temporary(.keep().keepingDeleted(Note.self))
        try store.insert(note(1, "kept", folder: "old"))
        try Note.query().delete(in: store)
        let last = try #require(try commits(store).last)
        guard case .deleted(1, let tombstone?) = try last.changes(of: Note.self).first else {
            Issue.record("no tombstone")
            return
        }
        #expect(tombstone.record == note(1, "kept", folder: "old"))
        #expect(tombstone[\.folder] == "old")
        #expect(tombstone.fields?["text"] == .string("kept"))
    }

    @Test func rangesAndWholeTypes_areListedByKey() throws {
        let store = try temporary()
        try store.insert(contentsOf: (0..<20).map { Noted.Plain(name: "a", number: $0, value: 1) })
        try store.insert(contentsOf: (0..<20).map { note($0) })
        let token = try store.read { try $0.historyToken }
        try Noted.Plain.query(name: "a", number: .greaterThanOrEqual(15)).delete(in: store)
        try Note.query().delete(in: store)
        let commits = try commits(store, after: token)
        #expect(
            try words(commits[0], Noted.Plain.self)
                == Dictionary(uniqueKeysWithValues: (15..<20).map { (Tuple("a", Int16($0)), "deleted") }))
        #expect(try words(commits[1], Note.self) == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, "deleted") }))
    }

    @Test func excludedTypes_haveNoChanges() throws {
        let store = try temporary()
        let token = try store.read { try $0.historyToken }
        try store.insert(Noted.Cache(id: 1, value: 2))
        #expect(try commits(store, after: token).isEmpty)
        try store.write { context in
            try context.insert(Noted.Cache(id: 2, value: 2))
            try context.insert(note(1))
        }
        #expect(try commits(store, after: token).map(\.types) == [["TroveTests.Noted.Note"]])
    }

    @Test func undoneChanges_areNotInTheHistory() throws {
        struct Undone: Error {}
        let store = try temporary()
        let token = try store.read { try $0.historyToken }
        try store.write { context in
            try context.insert(note(1))
            #expect(throws: Undone.self) {
                try context.nested { nested in
                    try nested.insert(note(2))
                    throw Undone()
                }
            }
            try context.nested { try $0.insert(note(3)) }
        }
        #expect(throws: Undone.self) {
            try store.write { context in
                try context.insert(note(4))
                throw Undone()
            }
        }
        try store.write { _ in }
        let commits = try commits(store, after: token)
        #expect(commits.count == 1)
        #expect(try words(commits[0], Note.self) == [1: "inserted", 3: "inserted"])
    }

    // MARK: Tokens

    @Test func aToken_isAText() throws {
        let store = try temporary()
        try store.insert(note(1))
        let token = try store.read { try $0.historyToken }
        #expect(HistoryToken(rawValue: token.rawValue) == token)
        let json = try JSONEncoder().encode([token])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(token.rawValue)\"]")
        #expect(try JSONDecoder().decode([HistoryToken].self, from: json) == [token])
        for text in ["", "1.2.3", token.rawValue + "0.", token.rawValue.lowercased(), "x" + token.rawValue] {
            #expect(HistoryToken(rawValue: text) == nil, "\(text)")
        }
    }

    @Test func aToken_ofAnotherStore_throws() throws {
        let (store, other) = (try temporary(), try temporary())
        let token = try other.read { try $0.historyToken }
        #expect(throws: StoreError.history(.ofOtherStore(path: store.path))) { try commits(store, after: token) }
    }

    @Test func aStoreWithoutAHistory_throws() throws {
        let store = try Store.temporary(records: Noted.types)
        try store.insert(note(1))
        #expect(throws: StoreError.history(.notKept(path: store.path))) { try commits(store) }
        #expect(throws: StoreError.history(.notKept(path: store.path))) { try store.read { try $0.historyToken } }
        #expect(try store.read { $0.catalogSnapshot.features }.contains(.history) == false)
    }

    @Test func copies_shareTheirTokens_untilTheyDiffer() throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(history: Noted.policy())
        let store = try Store(path: directory.path("a.trove"), records: Noted.types, options: options)
        try store.insert(note(1))
        let shared = try store.read { try $0.historyToken }
        try store.copy(to: directory.path("b.trove"))
        let copy = try Store(path: directory.path("b.trove"), records: Noted.types, options: options)
        try store.insert(note(2))
        try copy.insert(note(3))
        #expect(try commits(copy, after: shared).count == 1)
        let token = try store.read { try $0.historyToken }
        #expect(
            throws: StoreError.history(
                .ofOtherCopy(path: copy.path, commit: token.sequence, newest: try copy.commitSequence))
        ) { try commits(copy, after: token) }
        try store.insert(note(4))
        let later = try store.read { try $0.historyToken }
        #expect(
            throws: StoreError.history(
                .ofOtherCopy(path: copy.path, commit: later.sequence, newest: try copy.commitSequence))
        ) { try commits(copy, after: later) }
    }

    // MARK: Limits

    @Test func oldCommits_areRemoved_byNumber() throws {
        let store = try temporary(.keep(commits: 10))
        let first = try store.read { try $0.historyToken }
        for id in 0..<50 { try store.insert(note(id)) }
        // Ten, and the newest commit beyond the limit.
        let commits = try commits(store)
        #expect(commits.count == 11)
        #expect(try words(commits[10], Note.self) == [49: "inserted"])
        #expect(
            throws: StoreError.history(
                .expired(path: store.path, commit: first.sequence, oldest: commits[0].sequence))
        ) { try self.commits(store, after: first) }
        #expect(try self.commits(store, after: commits[0].token).count == 10)
    }

    @Test func oldCommits_areRemoved_byAge() throws {
        let store = try temporary(.keep(days: 1))
        let start = Date()
        for id in 0..<20 {
            try store.write { context in
                // Six hours from one commit to the next.
                let time = start.addingTimeInterval(Double(id + 1) * 21_600)
                try #require(context.recorder as? TransactionHistory).clock = { time }
                try context.insert(note(id))
            }
        }
        // Those of less than a day, and the newest commit beyond the limit.
        let changes = try commits(store).map { try words($0, Note.self) }
        #expect(changes == (15..<20).map { [$0: "inserted"] })
    }

    @Test func oldCommits_areRemoved_bySize() throws {
        let store = try temporary(.keep(bytes: 100_000))
        for part in 0..<40 { try store.insert(contentsOf: (0..<1_000).map { note(1_000 * part + $0) }) }
        let table = try #require(try store.read { try $0.table(for: HistoryRow.schema) })
        let size = try store.read { try $0.keyspace.statistics(of: table.database).size }
        #expect(size <= 130_000)
        #expect(try commits(store).count > 2)
    }

    @Test func theHistory_canEnd_andBeginAgain() throws {
        let directory = try TemporaryDirectory()
        func open(_ policy: HistoryPolicy?) throws -> Store {
            try Store(path: directory.path("a.trove"), records: Noted.types, options: StoreOptions(history: policy))
        }
        var store = try open(.keep())
        try store.insert(note(1))
        let token = try store.read { try $0.historyToken }
        try store.close()
        // An opening without rules keeps those of the store.
        store = try open(nil)
        try store.insert(note(2))
        #expect(try commits(store, after: token).count == 1)
        try store.close()
        store = try open(.off)
        #expect(throws: StoreError.history(.notKept(path: store.path))) { try commits(store) }
        #expect(try historyRows(store).isEmpty)
        try store.insert(note(3))
        try store.close()
        store = try open(.keep())
        let first = try #require(try commits(store).first)
        #expect(
            throws: StoreError.history(
                .expired(path: store.path, commit: token.sequence, oldest: first.sequence))
        ) { try commits(store, after: token) }
        #expect(try commits(store).map { try words($0, Note.self) } == [[:]])
    }

    @Test func aTypeThatWasLeftOut_mayHaveAnyChange() throws {
        let directory = try TemporaryDirectory()
        func open(_ policy: HistoryPolicy) throws -> Store {
            try Store(path: directory.path("a.trove"), records: Noted.types, options: StoreOptions(history: policy))
        }
        var store = try open(.keep().excluding(Noted.Cache.self))
        try store.insert(Noted.Cache(id: 1, value: 1))
        let token = try store.read { try $0.historyToken }
        try store.close()
        store = try open(.keep())
        let commits = try commits(store, after: token)
        #expect(commits.count == 1)
        #expect(try commits[0].changes(of: Noted.Cache.self).map(\.word) == ["any"])
    }

    @Test(arguments: [
        HistoryPolicy.keep(days: 0), .keep(days: .nan), .keep(commits: 0), .keep(bytes: -1),
        HistoryPolicy.keep().keepingDeleted(Noted.Note.self, \.id),
    ]) func wrongRules_throw(_ policy: HistoryPolicy) throws {
        do {
            _ = try temporary(policy)
            Issue.record("no error")
        } catch StoreError.history(.invalidPolicy(_, let reason)) {
            #expect(reason.hasSuffix("."))
        }
    }

    // MARK: Programs without the feature

    @Test func aProgramWithoutTheFeature_onlyReads() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let store = try Store(path: path, records: Noted.types, options: StoreOptions(history: .keep()))
        try store.insert(note(1))
        try store.close()
        var options = StoreOptions()
        options.supportedFeatures.remove(.history)
        let older = try Store(path: path, options: options)
        #expect(try Note.get(in: older, id: 1) == note(1))
        #expect(
            throws: StoreError.file(
                .formatTooNew(path: older.path, format: 2, supported: 2, features: [.history]))
        ) { try older.insert(note(2)) }
    }

    @Test func aDump_hasNoHistory_andNoneIsLoaded() throws {
        let store = try temporary()
        try store.insert(note(1))
        var lines: [String] = []
        try store.read { context in try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) } }
        #expect(!lines.contains { $0.contains("~history") })
        #expect(try store.read { try $0.storedTypes() }.contains { $0.name.contains("~history") })
    }
}
