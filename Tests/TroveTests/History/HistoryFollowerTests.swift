// Loops over a history, and what other parts of the store write into it.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Failed: Error {}

@Suite("Followers of a history", .hangLimit) struct HistoryFollowerTests {
    private typealias Note = Noted.Note

    private func options() -> StoreOptions { StoreOptions(history: Noted.policy()) }

    private func note(_ id: Int) -> Note { Note(id: id, folder: "inbox", text: "\(id)") }

    @Test func aLoop_getsOldCommits_andThenEachNewOne() async throws {
        let store = try await Store.temporary(records: Noted.types, options: options())
        let token = try await store.read { try $0.historyToken }
        for id in 0..<200 { try await store.insert(note(id)) }
        let writing = Task {
            for id in 200..<300 { try await store.insert(note(id)) }
        }
        var ids: [Int] = []
        var sequences: [UInt64] = []
        for try await commit in store.history(after: token) {
            sequences.append(commit.sequence)
            ids += try commit.changes(of: Note.self).compactMap(\.key)
            if ids.count >= 300 { break }
        }
        try await writing.value
        #expect(ids == Array(0..<300))
        #expect(sequences == sequences.sorted())
        #expect(Set(sequences).count == sequences.count)
    }

    /// Writes that wait at the same time share a commit, unless their authors differ.
    @Test func asyncWrites_keepTheirAuthors() async throws {
        let store = try await Store.temporary(records: Noted.types, options: options())
        let token = try await store.read { try $0.historyToken }
        let writes = (0..<300).map { id in
            Task {
                try await store.write(author: "author \(id % 3)") { context in
                    try context.insert(Note(id: id, folder: "", text: ""))
                }
            }
        }
        for write in writes { _ = try await write.value }
        var authors: [Int: String?] = [:]
        for commit in try await store.read({ try $0.history(after: token) }) {
            for change in try commit.changes(of: Note.self) {
                guard let id = change.key else { continue }
                authors[id] = commit.author
            }
        }
        #expect(authors.count == 300)
        #expect(authors.allSatisfy { $0.value == "author \($0.key % 3)" })
    }

    /// Copies all notes, and the position in the same snapshot.
    private func copyAll(_ source: Store, _ copy: Store) throws {
        try source.read { source in
            let token = try source.historyToken
            let notes = try Note.query().resolve(in: source)
            try copy.write { copy in
                try Note.query().delete(in: copy)
                try copy.insert(contentsOf: notes)
                try copy.insert(Noted.Position(name: "notes", token: token), onConflict: .replace)
            }
        }
    }

    /// Applies the commits after the stored token, and fails at random.
    private func follow(
        _ source: Store, _ copy: Store, _ applied: inout [UInt64], _ random: inout SeededGenerator
    ) throws {
        while true {
            guard let token = try Noted.Position.get(in: copy, name: "notes")?.token else {
                try copyAll(source, copy)
                continue
            }
            let next = try source.read { context in try context.history(after: token, limit: 1) }
            guard let commit = next.first else { return }
            let changes = try commit.changes(of: Note.self)
            if changes.contains(.any) {
                try copyAll(source, copy)
                continue
            }
            let fails = Int.random(in: 0..<3, using: &random) == 0
            try copy.write { context in
                for id in changes.compactMap(\.key) {
                    if let note = try Note.get(in: source, id: id) {
                        try context.insert(note, onConflict: .replace)
                    } else {
                        try context.delete(Note.self, key: id)
                    }
                }
                if fails { throw Failed() }
                try context.insert(Noted.Position(name: "notes", token: commit.token), onConflict: .replace)
            }
            applied.append(commit.sequence)
        }
    }

    /// The token is stored with the changes of its commit, so a follower that stops anywhere applies each commit once.
    @Test func aFollower_thatFailsAtRandom_endsEqual() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let directory = try TemporaryDirectory()
        func open(_ policy: HistoryPolicy?) throws -> Store {
            try Store(
                path: directory.path("a.trove"), records: Noted.types, options: StoreOptions(history: policy))
        }
        // Records from before the history, which are in no commit.
        var source = try open(nil)
        try source.insert(contentsOf: [note(1), note(100)])
        try source.close()
        source = try open(Noted.policy())
        let copy = try Store.temporary(records: Noted.types + [Noted.Position.self])
        var applied: [UInt64] = []
        for round in 0..<60 {
            if round == 30 {
                // Changes of notes that the history does not have.
                try source.close()
                source = try open(.keep().excluding(Note.self))
                try source.insert(note(101))
                try source.close()
                source = try open(Noted.policy())
            }
            let id = Int.random(in: 0..<20, using: &random)
            if Bool.random(using: &random) {
                try source.insert(note(id), onConflict: .replace)
            } else {
                try source.delete(Note.self, key: id)
            }
            do { try follow(source, copy, &applied, &random) } catch is Failed {}
        }
        while true {
            do {
                try follow(source, copy, &applied, &random)
                break
            } catch is Failed {}
        }
        #expect(try Note.query().resolve(in: copy) == Note.query().resolve(in: source), "TROVE_TEST_SEED=\(seed)")
        #expect(applied == applied.sorted() && Set(applied).count == applied.count, "TROVE_TEST_SEED=\(seed)")
    }

    // MARK: Other writers

    @Test func graphs_areInTheHistory_withTheirLinks() throws {
        let store = try Store.temporary(
            records: [User.self, Chat.self, Message.self, Attachment.self], options: StoreOptions(history: .keep()))
        let token = try store.read { try $0.historyToken }
        try User(id: "1", name: "Ann", chats: .relation([Chat(id: "7")])).save(to: store)
        try store.delete(User.self, key: "1")
        let commits = try store.read { try $0.history(after: token) }
        #expect(commits.count == 2)
        #expect(try words(commits[0], User.self) == ["1": "inserted"])
        #expect(try words(commits[0], Chat.self) == ["7": "inserted"])
        #expect(try words(commits[1], User.self) == ["1": "deleted"])
        let links = commits[0].storedChanges.filter { $0.type.contains("Chat.") || $0.type.contains("User.") }
        #expect(links.map(\.kind) == [.inserted])
        #expect(commits[1].storedChanges.map(\.kind) == [.deleted, .deleted])
    }

    @Test func liveObjects_areInTheHistory() throws {
        let store = try Store.live(StoreOptions(history: .keep().keepingDeleted(Traveler.self, \.age)))
        let token = try store.read { try $0.historyToken }
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 31
        try traveler.save()
        try traveler.delete()
        let commits = try store.read { try $0.history(after: token) }
        #expect(try commits.map { try words($0, Traveler.self) } == [[1: "inserted"], [1: "updated"], [1: "deleted"]])
        guard case .deleted(1, let tombstone?) = try commits.last?.changes(of: Traveler.self).first else {
            Issue.record("no tombstone")
            return
        }
        #expect(tombstone[\.age] == 31)
    }

    @Test func loadedRecords_areInTheHistory() throws {
        let source = try Store.temporary(records: [Note.self])
        try source.insert(contentsOf: [note(1), note(2)])
        var lines: [String] = []
        try source.read { context in try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) } }
        let store = try Store.temporary(records: [Note.self], options: options())
        try store.insert(note(2))
        let token = try store.read { try $0.historyToken }
        _ = try store.load(from: lines, onConflict: .replace)
        let commits = try store.read { try $0.history(after: token) }
        #expect(try commits.map { try words($0, Note.self) } == [[1: "inserted", 2: "updated"]])
    }

    @Test func aSalvagedStore_beginsAnew() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("a.trove"), records: Noted.types, options: options())
        try store.insert(note(1))
        let token = try store.read { try $0.historyToken }
        try store.close()
        _ = try Store.salvage(from: directory.path("a.trove"), to: directory.path("b.trove"))
        let salvaged = try Store(path: directory.path("b.trove"), records: Noted.types)
        #expect(throws: StoreError.history(.notKept(path: salvaged.path))) {
            try salvaged.read { try $0.history(after: token) }
        }
        try salvaged.close()
        let begun = try Store(path: directory.path("b.trove"), records: Noted.types, options: options())
        let commits = try begun.read { try $0.history() }
        #expect(commits.count == 1)
        let error = StoreError.history(
            .expired(path: begun.path, commit: token.sequence, oldest: commits.first?.sequence ?? 0))
        #expect(throws: error) { try begun.read { try $0.history(after: token) } }
        #expect(try Note.get(in: begun, id: 1) == note(1))
    }

    /// After a migration to other keys, the keys in older commits mean nothing.
    @Test func otherKeys_mayBeAnyChange() throws {
        let file = try MigratedFile()
        let options = options()
        var store = try Store(path: file.path, records: [OldKeyed.self], options: options)
        let token = try store.read { try $0.historyToken }
        try store.insert(OldKeyed(id: 1, name: "one"))
        try store.close()
        store = try Store(path: file.path, records: [NewKeyed.self])
        let commits = try store.read { try $0.history(after: token) }
        #expect(commits.count >= 2)
        for commit in commits {
            let changes = try commit.changes(of: NewKeyed.self)
            #expect(changes.allSatisfy { $0.word == "any" }, "\(commit.sequence)")
        }
        let last = try store.read { try $0.historyToken }
        try store.insert(NewKeyed(name: "two", id: 2))
        let later = try store.read { try $0.history(after: last) }
        #expect(try later.map { try words($0, NewKeyed.self) } == [["two": "inserted"]])
    }
}

@IndexKeyRecord(keyPrefix: 6_900_001, "id")
private struct OldKeyed {
    let id: Int
    var name: String
}

@IndexKeyRecord(keyPrefix: 6_900_001, "name")
private struct NewKeyed {
    let name: String
    var id: Int
}
