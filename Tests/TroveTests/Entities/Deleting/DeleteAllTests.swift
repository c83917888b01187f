// Deleting all entities of a type: the same result as one by one, however it is done.

import Testing
import TroveCoding

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
    private func links(_ store: Store) throws -> [String: Int] {
        try store.read { context in
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
        #expect(try LedgerPage.query().select(in: store).map(\.id) == [9])
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
}
