// Copies of changes: a copy to which they are applied has the same records, links and history as the store.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// Types with every kind of index, with links, times and deleted entities.
enum CopiedDesk {
    @IndexKeyRecord("id")
    struct Page: Hashable {
        #Index<Page>(\.rank, ranked: true)
        #Unique<Page>(\.title, collisions: .throw)
        #FullTextIndex<Page>(\.text)
        #Totals<Page>(by: \.shelf, of: \.rank)

        let id: Int
        var title: String
        var shelf: String
        var rank: Int
        var text: String
    }

    @IndexKeyRecord("id")
    struct Draft: Hashable {
        let id: Int
        var text: String
    }

    @EntityModel(keepsMetadata: true, keepsDeleted: true)
    struct Ticket: Equatable {
        let id: Int
        var title: String
        @Relationship(inverse: \.tickets) var owner: Owner?
        @Relationship() var tags: [Owner]?
    }

    @EntityModel
    struct Owner: Equatable {
        let id: Int
        var name: String
        @Relationship(inverse: \.owner) var tickets: [Ticket]?
    }

    static let types: [any IndexKeyRecord.Type] = [Page.self, Draft.self, Ticket.self, Owner.self]
}

/// The same types after two releases: a new property, another type of the key, a new type and other indexes.
enum LaterDesk {
    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct First: Hashable {
        #Index<First>(\.text)

        let id: Int
        var text: String
    }

    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct Second: Hashable {
        #Index<Second>(\.size)
        #Index<Second>(\.text, \.size)

        let id: Int
        var text: String
        var size: Int = 7
    }

    @IndexKeyRecord(keyPrefix: 6_900_001, "id")
    struct Third: Hashable {
        #Index<Third>(\.size)

        let id: String
        var text: String
        var size: Int
    }
}

extension Store {
    /// The bytes of the records and links of all types, the rows of the history among them.
    fileprivate func allRecordBytes() throws -> [String: [[UInt8]]] {
        try read { context in
            var bytes: [String: [[UInt8]]] = [:]
            for (_, name, records) in context.catalogSnapshot.recordTables {
                var entries: [[UInt8]] = []
                try context.keyspace.scan(records, ScanRange()) { key, value in
                    entries.append(copiedBytes(key) + copiedBytes(value))
                    return .continue
                }
                bytes[name.text] = entries
            }
            return bytes
        }
    }
}

@Suite("Copied changes") struct CopiedChangesTests {
    private let directory: TemporaryDirectory
    private var copyPath: String { directory.path("copy.trove") }

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ name: String = "store.trove", _ types: [any IndexKeyRecord.Type] = CopiedDesk.types,
        policy: HistoryPolicy? = .keep().excluding(CopiedDesk.Draft.self).keepingDeleted(CopiedDesk.Ticket.self)
    ) throws -> Store {
        try Store(
            path: directory.path(name), records: types,
            migrations: .onOpen.droppingUndeclaredIndexes,
            options: StoreOptions(durability: .noSync, history: policy))
    }

    private func token(of path: String) throws -> HistoryToken {
        try Store(path: path, options: StoreOptions(isReadOnly: true)).read { try $0.historyToken }
    }

    private func expectSame(_ store: Store, _ note: Comment? = nil) throws {
        let copy = try Store(path: copyPath, options: StoreOptions(isReadOnly: true))
        let (bytes, expected) = (try copy.allRecordBytes(), try store.allRecordBytes())
        #expect(bytes == expected, "\(expected.keys.filter { bytes[$0] != expected[$0] }), \(note ?? "")")
        #expect(try copy.read { try $0.historyToken } == store.read { try $0.historyToken }, note)
        #expect(try copy.identifier == store.identifier, note)
        #expect(try copy.check() == [], note)
        try copy.close()
        #expect(try Store.verify(path: copyPath).isSound, note)
    }

    private func change(_ context: TransactionContext, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...9, using: &random) {
            let id = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1, 2:
                let page = CopiedDesk.Page(
                    id: id, title: "title \(id)", shelf: ["a", "b"][id % 2], rank: .random(in: 0..<9, using: &random),
                    text: ["sea and wind", "hills", ""].randomElement(using: &random) ?? "")
                try context.insert(page, onConflict: .replace)
            case 3: try context.delete(CopiedDesk.Page.self, key: id)
            case 4: try context.insert(CopiedDesk.Draft(id: id, text: "draft"), onConflict: .replace)
            case 5: try context.delete(CopiedDesk.Draft.self, key: id)
            case 6, 7:
                let owners = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                    Int.random(in: 0..<6, using: &random)
                }
                try CopiedDesk.Ticket(id: id, title: "\(id)", owner: .id(id % 6), tags: .ids(owners)).save(to: context)
            case 8: try CopiedDesk.Owner(id: id % 6, name: "\(id)").save(to: context)
            case 9: try context.delete(CopiedDesk.Ticket.self, key: id)
            case 10: try context.delete(CopiedDesk.Owner.self, key: id % 6)
            default:
                switch id {
                case 0: try CopiedDesk.Ticket.query().delete(in: context)
                case 1: try CopiedDesk.Page.query().delete(in: context)
                default: try CopiedDesk.Page.filter(\.id > id && \.id < id + 5).update(in: context) { $0.rank += 1 }
                }
            }
        }
    }

    @Test func aCopy_isBroughtUpToDate() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try open()
        try store.copy(to: copyPath)
        var files: [String] = []
        for round in 0..<Torture.amount(40, full: 400) {
            let note: Comment = "round \(round) of TROVE_TEST_SEED=\(seed)"
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                try store.write { context in
                    let history = try #require(context.recorder as? TransactionHistory)
                    history.limit = [0, 300, 4 << 20].randomElement(using: &random) ?? 0
                    try change(context, &random)
                    // A change of drafts alone is no commit of the history.
                    try CopiedDesk.Owner(id: 6, name: "\(round)").save(to: context)
                }
            }
            // A file can begin before the last commit of the copy.
            let first = try token(of: copyPath)
            let file = directory.path("\(round).changes")
            try store.copyChanges(since: first, to: file)
            files.append(file)
            func apply() throws -> AppliedChanges {
                round % 5 == 3
                    ? try store.applyChanges(to: copyPath) : try Store.applyChanges(from: file, to: copyPath)
            }
            let applied = try apply()
            #expect(try apply() == AppliedChanges(), note)
            #expect(applied.commits == (try store.read { try $0.history(after: first).count }), note)
            try expectSame(store, note)
            guard round % 7 == 5 else { continue }
            // The program opens the copy, builds its indexes, and does not write to it.
            let opened = try open("copy.trove")
            #expect(try opened.check() == [], note)
            let pages = try CopiedDesk.Page.select(in: store)
            #expect(
                try CopiedDesk.Page.query().sum(of: \.rank).resolve(in: opened) == pages.reduce(0) { $0 + $1.rank },
                note)
            #expect(
                try CopiedDesk.Page.filter(\.rank > 4).count(in: opened) == pages.count { $0.rank > 4 }, note)
            try opened.close()
        }
        // An old file has nothing new for a newer copy.
        try store.copy(to: directory.path("second.trove"))
        for file in files {
            #expect(try Store.applyChanges(from: file, to: directory.path("second.trove")) == AppliedChanges())
        }
    }

    /// A relation whose links are gone again has complete lists, and no changes.
    @Test func aRelationWithoutLinks_isCompleteInTheCopy() throws {
        let store = try open()
        try store.copy(to: copyPath)
        try store.write { context in
            try CopiedDesk.Ticket(id: 1, title: "1", owner: .id(1)).save(to: context)
            try context.delete(CopiedDesk.Ticket.self, key: 1)
        }
        _ = try store.applyChanges(to: copyPath)
        try expectSame(store)
    }

    @Test func severalFiles_areAppliedInOrder_orNotAtAll() throws {
        let store = try open()
        try store.copy(to: copyPath)
        var tokens = [try token(of: copyPath)]
        for number in 1...3 {
            try store.insert(CopiedDesk.Page(id: number, title: "\(number)", shelf: "", rank: number, text: ""))
            try store.copyChanges(since: tokens[number - 1], to: directory.path("\(number).changes"))
            tokens.append(try store.read { try $0.historyToken })
        }
        // The second file lacks the first commit.
        #expect(throws: StoreError.self) {
            try Store.applyChanges(from: directory.path("2.changes"), to: copyPath)
        }
        #expect(try token(of: copyPath) == tokens[0])
        for number in 1...3 {
            let applied = try Store.applyChanges(from: directory.path("\(number).changes"), to: copyPath)
            #expect(applied == AppliedChanges(commits: 1, stored: 1, removed: 0))
        }
        try expectSame(store)
    }

    @Test func aFileOfChanges_isNoStore() throws {
        let store = try open()
        let first = try store.read { try $0.historyToken }
        try store.insert(CopiedDesk.Page(id: 1, title: "one", shelf: "", rank: 1, text: ""))
        let path = directory.path("one.changes")
        let report = try store.copyChanges(since: first, to: path)
        #expect(report.types.first { $0.name == "TroveTests.CopiedDesk.Page" }?.records == 1)
        #expect(throws: StoreError.file(.holdsChangesOnly(path: path))) { try Store(path: path) }
        #expect(throws: StoreError.file(.holdsChangesOnly(path: path))) { try open("one.changes") }
        #expect(throws: StoreError.file(.holdsChangesOnly(path: path))) {
            try store.applyChanges(to: path)
        }
        let changes = try Store(path: path, records: CopiedDesk.types, options: StoreOptions(isReadOnly: true))
        #expect(try CopiedDesk.Page.select(in: changes).map(\.title) == ["one"])
        #expect(try changes.read { try $0.history(after: first) }.count == 1)
        #expect(try Store.verify(path: path).isSound)
    }

    @Test func whatIsNotACopy_isRefused_andUnchanged() throws {
        let store = try open()
        try store.insert(CopiedDesk.Draft(id: 1, text: ""))
        try store.copy(to: copyPath)
        // A copy that has been written to.
        let written = try open("copy.trove")
        try written.insert(CopiedDesk.Page(id: 9, title: "nine", shelf: "", rank: 9, text: ""))
        try written.close()
        try store.insert(CopiedDesk.Page(id: 1, title: "one", shelf: "", rank: 1, text: ""))
        let before = try token(of: copyPath)
        #expect(throws: StoreError.self) { try store.applyChanges(to: copyPath) }
        #expect(try token(of: copyPath) == before)
        // Another store, a store without a history, and a missing copy.
        let other = try open("other.trove")
        let (otherPath, otherToken) = (other.path, try other.read { try $0.historyToken })
        try other.close()
        #expect(throws: StoreError.history(.ofOtherStore(path: store.path))) {
            try store.applyChanges(to: otherPath)
        }
        let plain = try open("plain.trove", policy: nil)
        try plain.close()
        #expect(throws: StoreError.history(.notKept(path: plain.path))) {
            try store.applyChanges(to: plain.path)
        }
        #expect(throws: StoreError.self) { try store.applyChanges(to: directory.path("none")) }
        #expect(!FileManager.default.fileExists(atPath: directory.path("none")))
        #expect(throws: StoreError.history(.ofOtherStore(path: store.path))) {
            try store.copyChanges(since: otherToken, to: directory.path("x.changes"))
        }
        #expect(!FileManager.default.fileExists(atPath: directory.path("x.changes")))
    }

    @Test func migratedTypes_areTakenOver() throws {
        typealias First = LaterDesk.First
        var store = try open("store.trove", [First.self], policy: .keep())
        for id in 1...5 { try store.insert(First(id: id, text: "\(id)")) }
        try store.copy(to: copyPath)
        var last = try token(of: copyPath)
        func apply(_ name: String) throws {
            try store.copyChanges(since: last, to: directory.path(name))
            try Store.applyChanges(from: directory.path(name), to: copyPath)
            last = try token(of: copyPath)
        }
        // A new property and other indexes: the copy has records of both layouts until its program opens it.
        try store.close()
        store = try open("store.trove", [LaterDesk.Second.self], policy: .keep())
        try store.insert(LaterDesk.Second(id: 2, text: "two", size: 2), onConflict: .replace)
        try apply("1.changes")
        let copy = try open("copy.trove", [LaterDesk.Second.self], policy: .keep())
        #expect(try LaterDesk.Second.select(in: copy) == LaterDesk.Second.select(in: store))
        #expect(try LaterDesk.Second.filter(\.size == 7).count(in: copy) == 4)
        #expect(try copy.check() == [])
        try copy.close()
        // Keys of another type: all records are copied.
        try store.close()
        store = try open("store.trove", [LaterDesk.Third.self], policy: .keep())
        try store.delete(LaterDesk.Third.self, key: "1")
        try apply("2.changes")
        try expectSame(store)
        let third = try open("copy.trove", [LaterDesk.Third.self], policy: .keep())
        #expect(try LaterDesk.Third.select(in: third).map(\.id) == ["2", "3", "4", "5"])
        #expect(try third.check() == [])
    }

    @Test func asynchronousForms_doTheSame() async throws {
        let store = try open()
        try await store.copy(to: copyPath)
        let first = try await store.read { try $0.historyToken }
        try await store.write { try $0.insert(CopiedDesk.Draft(id: 1, text: "x"), onConflict: .replace) }
        try await store.write { try $0.insert(CopiedDesk.Page(id: 1, title: "1", shelf: "", rank: 1, text: "")) }
        let file = directory.path("a.changes")
        #expect(try await store.copyChanges(since: first, to: file).records > 1)
        let applied = try await Store.applyChanges(from: file, to: copyPath)
        // The history leaves out drafts, so that all of them are copied.
        #expect(applied == AppliedChanges(commits: 1, stored: 2, removed: 0))
        try expectSame(store)
    }
}
