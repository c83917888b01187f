// Random programs with a history: each commit is the difference of all records before and after it.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

@Suite("Random histories") struct RandomHistoryTests {
    private typealias Note = Noted.Note
    private typealias Plain = Noted.Plain

    private func note(_ id: Int, using random: inout SeededGenerator) -> Note {
        Note(
            id: id, folder: ["a", "b", "c"].randomElement(using: &random) ?? "",
            text: String(repeating: "t", count: Int.random(in: 0..<40, using: &random)))
    }

    private func plain(using random: inout SeededGenerator) -> Plain {
        Plain(
            name: String(repeating: "n", count: Int.random(in: 0..<30, using: &random)),
            number: .random(in: 0..<20, using: &random), value: .random(in: 0..<1, using: &random))
    }

    private func change(
        _ context: TransactionContext, _ model: inout NotedModel, _ random: inout SeededGenerator, depth: Int = 0
    ) throws {
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let id = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1:
                let note = note(id, using: &random)
                try context.insert(note, onConflict: .replace)
                model.notes[id] = note
            case 2, 3:
                let plain = plain(using: &random)
                try context.insert(plain, onConflict: .replace)
                model.plain[Tuple(plain.name, plain.number)] = plain
            case 4:
                try context.delete(Note.self, key: id)
                model.removeNotes([id])
            case 5:
                guard let key = model.plain.keys.sorted(by: { "\($0)" < "\($1)" }).first else { continue }
                try context.delete(Plain.self, key: key)
                model.plain[key] = nil
            case 6:
                try Note.filter(\.folder == "b").update(in: context) { $0.text += "!" }
                for (id, note) in model.notes where note.folder == "b" { model.notes[id]?.text = note.text + "!" }
            case 7:
                try Note.filter(\.id >= id && \.id < id + 9).delete(in: context)
                model.removeNotes(id..<id + 9)
            case 8 where id < 8:
                try Plain.query().delete(in: context)
                model.plain = [:]
            case 8:
                let name = String(repeating: "n", count: id / 2)
                try Plain.query(name: .equals(name)).delete(in: context)
                model.plain = model.plain.filter { $0.value.name != name }
            case 9:
                try context.insert(Noted.Cache(id: id, value: 0), onConflict: .replace)
            default:
                guard depth < 3 else { continue }
                let isUndone = Bool.random(using: &random)
                let before = model
                do {
                    try context.nested { nested in
                        try change(nested, &model, &random, depth: depth + 1)
                        if isUndone { throw Undone() }
                    }
                } catch is Undone { model = before }
            }
        }
    }

    /// Compares a commit with the records before and after it.
    private func expectSame(
        _ commit: HistoryCommit?, _ before: NotedModel, _ after: NotedModel, _ note: Comment
    ) throws {
        let notes = try commit.map { try words($0, Note.self) } ?? [:]
        let plain = try commit.map { try words($0, Plain.self) } ?? [:]
        expectSame(notes, before.notes, after.notes, note)
        expectSame(plain, before.plain, after.plain, note)
        for case .deleted(let id, let tombstone) in try commit?.changes(of: Note.self) ?? [] {
            // The transaction may have deleted the record several times. If it has written rows in between, the history
            // can have the text of an earlier time.
            #expect(tombstone?[\.text].map { (after.removedTexts[id] ?? []).contains($0) } == true, note)
        }
    }

    private func expectSame<Key: Hashable, Value: Hashable>(
        _ changes: [Key: String], _ before: [Key: Value], _ after: [Key: Value], _ note: Comment
    ) {
        for key in Set(before.keys).union(after.keys).union(changes.keys) {
            switch (before[key], after[key]) {
            case (nil, nil): #expect(changes[key] == nil, "\(key), \(note)")
            case (nil, _?): #expect(changes[key] == "inserted", "\(key), \(note)")
            case (_?, nil): #expect(changes[key] == "deleted", "\(key), \(note)")
            // A record can be written again with the same bytes.
            case (let old?, let new?):
                #expect(changes[key] == "updated" || changes[key] == nil && old == new, "\(key), \(note)")
            }
        }
    }

    @Test func eachCommit_isTheDifferenceOfTheRecords() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let directory = try TemporaryDirectory()
        func open() throws -> Store {
            try Store(
                path: directory.path("a.trove"), records: Noted.types, options: StoreOptions(history: Noted.policy()))
        }
        var store = try open()
        var model = NotedModel()
        var states: [UInt64: NotedModel] = [try store.commitSequence: model]
        var stored: [UInt64: HistoryKeys] = [try store.commitSequence: try store.read { try HistoryKeys(in: $0) }]
        for round in 0..<Torture.amount(150, full: 2_000) {
            let before = model
            model.removedTexts = [:]
            do {
                try store.write { context in
                    let history = try #require(context.recorder as? TransactionHistory)
                    history.limit = [0, 100, 2_000, 4 << 20].randomElement(using: &random) ?? 0
                    try change(context, &model, &random)
                    if Int.random(in: 0..<6, using: &random) == 0 { throw Undone() }
                }
                // A transaction without a change is no commit.
                let sequence = try store.commitSequence
                if states[sequence] == nil { states[sequence] = model }
                stored[sequence] = try store.read { try HistoryKeys(in: $0) }
            } catch is Undone { model = before }
            if round % 40 == 17 {
                try store.close()
                store = try open()
            }
        }
        // A follower begins anywhere, and reads a few commits at a time.
        let note: Comment = "TROVE_TEST_SEED=\(seed)"
        var token: HistoryToken?
        var last = NotedModel()
        var seen = 0
        var keys = HistoryKeys()
        while true {
            let limit = Int.random(in: 1..<6, using: &random)
            let commits = try store.read { try $0.history(after: token, limit: limit) }
            if commits.isEmpty { break }
            #expect(commits.count <= limit)
            for commit in commits {
                let after = try #require(states[commit.sequence], note)
                try expectSame(commit, last, after, "commit \(commit.sequence) of \(note)")
                (last, seen) = (after, seen + 1)
                keys.apply(commit, note)
                #expect(keys == stored[commit.sequence], "commit \(commit.sequence) of \(note)")
            }
            token = commits.last?.token
        }
        #expect(last.notes == model.notes && last.plain == model.plain, note)
        #expect(seen > 50, note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    // MARK: Blocks

    @Test func changes_roundTrip() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<Torture.amount(300, full: 5_000) {
            let note: Comment = "round \(round) of TROVE_TEST_SEED=\(seed)"
            var log = HistoryLog()
            var model: [[UInt8]: (kinds: [ChangeKind], tombstone: [UInt8]?)] = [:]
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                let prefix = UInt32.random(in: 0..<3, using: &random)
                let key = (0..<Int.random(in: 1..<5, using: &random)).map { _ in UInt8.random(in: 0..<3, using: &random)
                }
                let id = [UInt8(prefix)] + key
                let isStored = model[id].map { $0.kinds.last != .deleted } ?? Bool.random(using: &random)
                let kind: ChangeKind =
                    isStored ? [.updated, .deleted].randomElement(using: &random) ?? .updated : .inserted
                let tombstone = kind == .deleted && Bool.random(using: &random) ? [1, 2, 3] + key : nil
                key.withRawSpan { log.add(kind, of: $0, prefix, tombstone: tombstone) }
                model[id, default: ([], nil)].kinds.append(kind)
                model[id]?.tombstone = tombstone
            }
            var writer = HistoryBlockWriter()
            log.forEachKey { kind, prefix, key, tombstone in
                writer.add(kind, key, prefix, prefix + 7, tombstone: tombstone)
            }
            let bytes = writer.finish()
            var entries: [HistoryEntry] = []
            try HistoryEntry.forEach(in: bytes) { (entry) throws(CodingError) in entries.append(entry) }
            let ids = entries.map { [UInt8($0.keyPrefix)] + $0.key }
            #expect(ids == ids.sorted { $0.lexicographicallyPrecedes($1) }, note)
            #expect(Set(ids).count == ids.count, note)
            #expect(entries.allSatisfy { $0.keyLayout == $0.keyPrefix + 7 }, note)
            for (id, change) in model {
                let entry = entries.first { [UInt8($0.keyPrefix)] + $0.key == id }
                switch (change.kinds.first == .inserted, change.kinds.last == .deleted) {
                case (true, true): #expect(entry == nil, note)
                case (true, false): #expect(entry?.kind == .inserted, note)
                case (false, true):
                    #expect(entry?.kind == .deleted, note)
                    #expect(entry?.tombstone == change.tombstone, note)
                case (false, false): #expect(entry?.kind == .updated, note)
                }
            }
            // Any cut or changed bytes give an error or other changes, and never a trap.
            var damaged = bytes
            if !damaged.isEmpty {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] ^=
                    UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            }
            for bytes in [damaged, Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))] {
                do throws(CodingError) {
                    try HistoryEntry.forEach(in: bytes) { (_) throws(CodingError) in }
                } catch { #expect(error.offset <= bytes.count, note) }
            }
        }
    }

    @Test func aLargeTransaction_hasSeveralRows() throws {
        let store = try Store.temporary(records: Noted.types, options: StoreOptions(history: .keep()))
        let token = try store.read { try $0.historyToken }
        try store.write { context in
            let history = try #require(context.recorder as? TransactionHistory)
            history.limit = 10_000
            try context.insert(contentsOf: (0..<5_000).map { Note(id: $0, folder: "", text: "") })
            try Note.filter(\.id < 2_000).delete(in: context)
            try context.insert(contentsOf: (0..<1_000).map { Note(id: $0, folder: "", text: "x") })
        }
        #expect(try historyRows(store).count > 10)
        let commits = try store.read { try $0.history(after: token) }
        let changes = try #require(commits.first).changes(of: Note.self)
        #expect(commits.count == 1)
        #expect(changes.map(\.key) == Array(0..<1_000) + Array(2_000..<5_000))
        #expect(changes.allSatisfy { $0.word == "inserted" })
        #expect(try store.read { try $0.historyToken } == commits.first?.token)
    }
}
