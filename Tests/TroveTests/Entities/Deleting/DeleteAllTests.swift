// Deleting all entities of a type: the same result as one by one, however it is done.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Bookcase {
    let id: Int
    @Relationship(inverse: \.shelf) var books: [Volume]?
    @Relationship var neighbor: Bookcase? = nil
}

@EntityModel
private struct Volume {
    let id: Int
    @Relationship(inverse: \.books) var shelf: Bookcase?
    @Relationship(inverse: \.sequelTo) var sequels: [Volume]?
    @Relationship(inverse: \.sequels) var sequelTo: Volume?
}

@EntityModel
private struct Borrower {
    let id: Int
    @Relationship var reads: [Volume]? = nil
    @Relationship var leansOn: Bookcase? = nil
}

@EntityModel
private struct Ledger {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.folder) var sheets: [LedgerPage]?
}

@EntityModel
private struct LedgerPage {
    let id: Int
    @Relationship(inverse: \.sheets) var folder: Ledger?
}

@EntityModel
private struct GuardedVolume {
    let id: Int
    @Relationship var shelf: Bookcase? = nil
}

extension GuardedVolume {
    func willDelete(from context: TransactionContext) throws {
        if id == 3 { throw Refusal() }
    }

    struct Refusal: Error {}
}

@EntityModel
private struct Isle {
    let id: String
    @Relationship(inverse: \.bridges) var bridges: [Isle]?
    @Relationship(inverse: \.twin) var twin: Isle?
    @Relationship(inverse: \.isles) var ferries: [Ferry]?
    @Relationship(inverse: \.around) var lagoons: [Isle]?
    @Relationship(inverse: \.lagoons) var around: Isle?
    @Relationship var seenFrom: [Isle]? = nil
}

@EntityModel
private struct Ferry {
    let id: Int
    @Relationship(inverse: \.ferries) var isles: [Isle]?
    @Relationship var home: Isle? = nil
    @Relationship var follows: Ferry? = nil
}

@Suite("Deleting all entities of a type") struct DeleteAllTests {
    private func library() throws -> Store {
        let store = try Store.temporary(records: [Bookcase.self, Borrower.self])
        try store.write { context in
            for shelf in 0..<3 {
                let books = (0..<4).map { Volume(id: 4 * shelf + $0, sequelTo: .id(4 * shelf)) }
                try Bookcase(id: shelf, books: .relation(books), neighbor: .id(shelf + 1)).save(to: context)
            }
            try Borrower(id: 1, reads: .ids([0, 5, 11]), leansOn: .id(1)).save(to: context)
        }
        return store
    }

    /// Returns the number of links of each relation, by its name.
    private func links(_ source: some RecordReadable) throws -> [String: Int] {
        try source.reading { context in
            let types = try context.storedTypes().filter { $0.links != nil }
            return Dictionary(uniqueKeysWithValues: types.map { ($0.links?.name ?? "", $0.count) })
        }
    }

    @Test func aTypeWithPlainRules_losesItsLinksAtBothEnds() throws {
        let store = try library()
        let one = try library()
        try one.write { context in
            for id in 0..<12 { try Volume.delete(id: id, from: context) }
        }
        #expect(try Volume.query().delete(in: store) == 12)
        try store.expectIntactLinks()
        #expect(try links(store) == links(one))
        #expect(try links(store).values.reduce(0, +) == 4)
        #expect(try Bookcase.links("books", of: 1, in: store) == [])
        #expect(try Bookcase.query().count(in: store) == 3)
        // The emptied tables are used again.
        try Bookcase(id: 1, books: .relation([Volume(id: 7)])).save(to: store)
        #expect(try Volume.ids("shelf", of: 7, in: store) == [1])
    }

    @Test func aTargetOfOneWayRelations_losesThemToo() throws {
        let store = try library()
        try Bookcase.query().delete(in: store)
        try store.expectIntactLinks()
        #expect(try Borrower.ids("leansOn", of: 1, in: store) == [])
        #expect(try Borrower.ids("reads", of: 1, in: store) == [0, 5, 11])
        #expect(try Volume.ids("sequelTo", of: 1, in: store) == [0])
    }

    @Test func undoingTheDelete_bringsTheLinksBack() throws {
        struct Stop: Error {}
        let store = try library()
        let before = try links(store)
        #expect(throws: Stop.self) {
            try store.write { context in
                try Volume.query().delete(in: context)
                throw Stop()
            }
        }
        try store.expectIntactLinks()
        #expect(try links(store) == before)
    }

    @Test func aCascade_takesItsTargetsAlong() throws {
        let store = try Store.temporary(records: [Ledger.self])
        for id in 0..<3 { try Ledger(id: id, sheets: .relation([LedgerPage(id: id)])).save(to: store) }
        try LedgerPage(id: 9).save(to: store)
        #expect(try Ledger.query().delete(in: store) == 3)
        #expect(try LedgerPage.query().resolve(in: store).map(\.id) == [9])
        #expect(try links(store).values.allSatisfy { $0 == 0 })
    }

    @Test func aHook_isCalledForEachEntity() throws {
        let store = try Store.temporary(records: [GuardedVolume.self])
        for id in 0..<5 { try GuardedVolume(id: id, shelf: .id(id)).save(to: store) }
        #expect(throws: GuardedVolume.Refusal.self) { try GuardedVolume.query().delete(in: store) }
        #expect(try GuardedVolume.query().count(in: store) == 5)
        #expect(try links(store).values.reduce(0, +) == 5)
        try store.write { context in
            try GuardedVolume(id: 3).detach(\.$shelf, in: context)
            #expect(throws: GuardedVolume.Refusal.self) { try GuardedVolume.query().delete(in: context) }
        }
        #expect(try links(store).values.reduce(0, +) == 4)
    }

    @Test func linksOfAnIDThatIsNotStored_stay() throws {
        let store = try Store.temporary(records: [Isle.self])
        try Ferry(id: 1, isles: .ids(["a", "b"]), home: .id("b"), follows: .id(2)).save(to: store)
        try Isle(id: "a", bridges: .ids(["b", "c"])).save(to: store)
        #expect(try Isle.query().delete(in: store) == 1)
        try store.expectIntactLinks()
        #expect(try Ferry.ids("isles", of: 1, in: store, as: String.self) == ["b"])
        #expect(try Ferry.ids("home", of: 1, in: store, as: String.self) == ["b"])
        #expect(try Isle.ids("bridges", of: "b", in: store, as: String.self) == [])
        try Isle(id: "b").save(to: store)
        #expect(try Isle.ids("ferries", of: "b", in: store) == [1])
        // Now all ids are stored, but the target of a ferry. Its link goes with its owner.
        #expect(try Ferry.query().delete(in: store) == 1)
        #expect(try links(store).values.allSatisfy { $0 == 0 })
    }

    @Test func atOnceOrOneByOne_theSameLinksStay() throws {
        struct Undo: Error {}
        var (random, seed) = SeededGenerator.fromEnvironment()
        let names = ["", "a", "aa", "aaa", "ab", "b", "ba", "z", "zz"]
        var kept = 0
        for round in 0..<36 {
            let comment: Comment = "TROVE_TEST_SEED=\(seed), round \(round)"
            let store = try Store.temporary(records: [Isle.self])
            // In some rounds, all ids are stored, and in some there are few links beside many entities.
            let dangling = Int.random(in: 0...2, using: &random)
            if round % 3 == 0 { try store.insert(contentsOf: (100..<180).map { Ferry(id: $0) }) }
            try store.write { context in
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    func ids<ID>(_ all: [ID]) -> [ID] {
                        all.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
                    }
                    let (isles, ferries) = (Array(names.dropLast(2 - dangling)), Array(0..<6 + dangling))
                    if Bool.random(using: &random), let id = names.dropLast(2).randomElement(using: &random) {
                        var isle = Isle(
                            id: id, bridges: .appending(ids: ids(isles)), ferries: .appending(ids: ids(ferries)),
                            lagoons: .appending(ids: ids(isles)), seenFrom: .ids(ids(isles)))
                        if let twin = ids(isles).first { isle.$twin = .id(twin) }
                        try isle.save(to: context)
                    } else {
                        var ferry = Ferry(id: .random(in: 0..<6, using: &random), isles: .appending(ids: ids(isles)))
                        if let home = ids(isles).last { ferry.$home = .id(home) }
                        if let other = ids(ferries).last { ferry.$follows = .id(other) }
                        try ferry.save(to: context)
                    }
                }
                if round % 2 == 0 { for id in names.dropLast(2) { try Isle(id: id).save(to: context) } }
                if round % 4 < 2 { for id in 0..<6 { try Ferry(id: id).save(to: context) } }
            }
            func dump(after delete: (TransactionContext) throws -> Void) throws -> [String] {
                var lines: [String] = []
                do {
                    try store.write { context in
                        try delete(context)
                        try context.expectIntactLinks(comment)
                        try context.forEachDumpLine(of: context.storedTypes()) { lines.append($0) }
                        kept += try links(context).values.reduce(0, +)
                        throw Undo()
                    }
                } catch is Undo {}
                return lines
            }
            let isles = try dump { try Isle.query().delete(in: $0) }
            #expect(try isles == dump { for id in names { try Isle.delete(id: id, from: $0) } }, comment)
            let ferries = try dump { try Ferry.query().delete(in: $0) }
            #expect(try ferries == dump { for id in 0..<180 { try Ferry.delete(id: id, from: $0) } }, comment)
        }
        #expect(kept > 0)
    }
}
