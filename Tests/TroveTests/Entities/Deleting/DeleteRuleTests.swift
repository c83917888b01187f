// Delete rules: every pair of rules at both ends of every kind of relation, and whichever end is deleted.

import Testing
import TroveTestSupport

@testable import Trove

// A pair of types for each pair of rules of a relation of one to many.

@EntityModel
private struct NullifyParent {
    let id: Int
    @Relationship(deleteRule: .nullify, inverse: \.parent) var children: [NullifyChild]?
}

@EntityModel
private struct NullifyChild {
    let id: Int
    @Relationship(deleteRule: .nullify, inverse: \.children) var parent: NullifyParent?
}

@EntityModel
private struct Parent {
    let id: Int
    @Relationship(deleteRule: .deny, inverse: \.parent) var children: [Child]?
}

@EntityModel
private struct Child {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.children) var parent: Parent?
}

@EntityModel
private struct Chain {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.previous) var next: Chain?
    @Relationship(inverse: \.next) var previous: Chain?
}

@EntityModel
private struct Ring {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.friends) var friends: [Ring]?
}

@Suite("Delete rules") struct DeleteRuleTests {
    @Test func deny_throwsWhileALinkedEntityIsStored() throws {
        let store = try Store.temporary(records: [Parent.self])
        try Parent(id: 1, children: .relation([Child(id: 1), Child(id: 2)])).save(to: store)
        let error = StoreError.entity(
            .deleteDenied(
                type: "Parent", key: StoredKey(1, of: Parent.self), relation: "children",
                other: StoredKey(1, of: Child.self)))
        #expect(throws: error) { try Parent(id: 1).delete(from: store) }
        #expect(throws: error) { try Parent.filter(\.id > 0).delete(in: store) }
        #expect(throws: error) { try store.delete(Parent.self, key: 1) }
        #expect(try Parent.query().count(in: store) == 1)
        #expect(try Child.links("parent", of: 1, in: store).count == 1)
        // A link to an entity that is not stored denies nothing.
        try store.write { context in
            try Parent(id: 1).detach(\.$children, ids: [1, 2], in: context)
            try Parent(id: 1, children: .ids([7])).save(to: context)
            try Parent(id: 1).delete(from: context)
        }
        #expect(try Parent.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func deny_isSettledAtTheEndOfTheStatement() throws {
        let store = try Store.temporary(records: [Parent.self])
        // The cascade of the child deletes the parent, which denies unless all children go.
        try Parent(id: 1, children: .relation([Child(id: 1)])).save(to: store)
        try Child(id: 1).delete(from: store)
        #expect(try Parent.query().count(in: store) == 0)
        try Parent(id: 1, children: .relation([Child(id: 1), Child(id: 2)])).save(to: store)
        #expect(throws: StoreError.self) { try Child(id: 1).delete(from: store) }
        #expect(try Child.query().count(in: store) == 2)
        #expect(try Child.query().delete(in: store) == 2)
        #expect(try Parent.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func aLongCascade_ends() throws {
        let store = try Store.temporary(records: [Chain.self])
        let length = 20_000
        try store.write { context in
            for id in 0..<length { try Chain(id: id, next: .id((id + 1) % length)).save(to: context) }
        }
        try Chain(id: 5).delete(from: store)
        #expect(try Chain.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func aCascadeInACircle_takesAll() throws {
        let store = try Store.temporary(records: [Ring.self])
        try Ring(id: 1, friends: .relation([Ring(id: 2, friends: .ids([3])), Ring(id: 3)])).save(to: store)
        try Ring(id: 4).save(to: store)
        try Ring(id: 3).delete(from: store)
        #expect(try Ring.query().resolve(in: store).map(\.id) == [4])
        try store.expectIntactLinks()
    }

    @Test func deletesOfAnyKind_followTheRules() throws {
        let store = try Store.temporary(records: [NullifyParent.self])
        func fill() throws {
            for id in 0..<10 { try NullifyParent(id: id, children: .relation([NullifyChild(id: id)])).save(to: store) }
        }
        func expectFree(_ ids: Range<Int>) throws {
            for id in ids { #expect(try NullifyChild.links("parent", of: id, in: store) == []) }
            try store.expectIntactLinks()
        }
        try fill()
        try NullifyParent.filter(\.id < 5).delete(in: store)
        try expectFree(0..<5)
        try fill()
        try NullifyParent.query().delete(in: store)
        try expectFree(0..<10)
        try fill()
        try store.delete(NullifyParent.self, key: 1, ignoringDamage: true)
        try expectFree(1..<2)
        try NullifyParent.query().limit(3).delete(in: store)
        try expectFree(0..<4)
    }
}
