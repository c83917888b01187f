// Links between entities with ids of any type.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct ByInt {
    let id: Int
    @Relationship(inverse: \.friends) var friends: [ByInt]?
}

@EntityModel
private struct ByUUID {
    let id: UUID
    @Relationship(inverse: \.friends) var friends: [ByUUID]?
}

private enum Suit: String, KeyComponent, CaseIterable { case clubs, diamonds, hearts, spades }

@EntityModel
private struct BySuit {
    let id: Suit
    @Relationship(inverse: \.friends) var friends: [BySuit]?
}

@EntityModel
private struct ByTuple {
    let id: Tuple<String, Int>
    @Relationship(inverse: \.friends) var friends: [ByTuple]?
}

@EntityModel
private struct ByString {
    let id: String
    @Relationship(inverse: \.friends) var friends: [ByString]?
    @Relationship(inverse: \.follower) var leader: ByString?
    @Relationship(inverse: \.leader) var follower: ByString?
    @Relationship var watched: [ByInt]? = nil
}

@EntityModel
private struct Computed {
    var first: String
    var last: String
    @Relationship(inverse: \.friends) var friends: [Computed]?

    var id: String { first + " " + last }
}

@Suite("Ids of entities") struct IDTests {
    private typealias Friends<Entity: EntityModelProtocol> = ToManyRelation<
        Entity, Relations.Mutual, Relations.Optional
    >

    /// Links each entity with all others, and then deletes the entities one by one.
    private func befriend<Entity: EntityModelProtocol>(
        _ ids: [Entity.ID], _ friends: WritableKeyPath<Entity, Friends<Entity>>, _ make: (Entity.ID) -> Entity
    ) throws {
        let store = try Store.temporary(records: [Entity.self])
        func bytes(_ ids: some Sequence<Entity.ID>) -> [[UInt8]] { ids.map { KeyWriter.bytes(of: $0) } }
        func stored(_ id: Entity.ID) throws -> [[UInt8]] {
            bytes(try Entity.ids("friends", of: id, in: store, as: Entity.ID.self))
        }
        for (index, id) in ids.enumerated() {
            var entity = make(id)
            entity[keyPath: friends] = .ids(Array(ids[index...] + ids[..<index]))
            try entity.save(to: store)
            #expect(try stored(id) == bytes(ids[index...] + ids[..<index]))
        }
        #expect(try Entity.query().count(in: store) == ids.count)
        for id in ids { #expect(try Set(stored(id)) == Set(bytes(ids))) }
        for (index, id) in ids.enumerated() {
            #expect(try Entity.delete(id: id, from: store))
            #expect(try stored(id) == [])
            for other in ids[(index + 1)...] { #expect(try Set(stored(other)) == Set(bytes(ids[(index + 1)...]))) }
            try store.expectIntactLinks()
        }
    }

    @Test func idsOfAnyType_areLinked() throws {
        try befriend([0, 1, -1, .max, .min, 256], \ByInt.$friends) { ByInt(id: $0) }
        try befriend((0..<4).map { _ in UUID() }, \ByUUID.$friends) { ByUUID(id: $0) }
        try befriend(Suit.allCases, \BySuit.$friends) { BySuit(id: $0) }
        let pairs = ["", "a", "a\0", "\0"].flatMap { text in [0, 1].map { Tuple(text, $0) } }
        try befriend(pairs, \ByTuple.$friends) { ByTuple(id: $0) }
    }

    @Test func strings_areLinkedByTheirBytes() throws {
        // Empty, with zero bytes, prefixes of each other, and one letter in two forms that are equal in Swift.
        let ids = ["", "\0", "\0\0", "a", "a\0", "a\0b", "ab", "a\u{FF}", "é", "e\u{301}", "\u{10FFFF}"]
        #expect(ids[8] == ids[9])
        try befriend(ids, \ByString.$friends) { ByString(id: $0) }
        let store = try Store.temporary(records: [ByString.self])
        try ByString(id: "\0", friends: .appending(ids: ["é", "e\u{301}", "é"]), leader: .id("")).save(to: store)
        #expect(try ByString.ids("friends", of: "\0", in: store, as: String.self).map { $0.utf8.count } == [2, 3])
        #expect(try ByString.ids("follower", of: "", in: store, as: String.self) == ["\0"])
        #expect(try ByString.ids("leader", of: "\0\0", in: store, as: String.self) == [])
        try ByString(id: "\0").detach(\.$friends, ids: ["e\u{301}"], in: store)
        #expect(try ByString.ids("friends", of: "\0", in: store, as: String.self).map { $0.utf8.count } == [2])
    }

    @Test func aComputedID_isAnID() throws {
        let store = try Store.temporary(records: [Computed.self])
        try Computed(first: "A", last: "B", friends: .relation([Computed(first: "C", last: "D")])).save(to: store)
        #expect(try Computed.links("friends", of: "C D", in: store) == ["A B"])
        #expect(throws: StoreError.record(.keyChanged(type: "Computed", key: StoredKey("A B", of: Computed.self)))) {
            try Computed.query().update(in: store) { $0.last = "X" }
        }
        try Computed.delete(id: "A B", from: store)
        #expect(try Computed.links("friends", of: "C D", in: store) == [])
    }

    @Test func idsThatAreTooLong_areRefusedBeforeAnythingIsSaved() throws {
        let store = try Store.temporary(records: [ByString.self])
        let (long, longer) = (String(repeating: "x", count: 400), String(repeating: "x", count: 600))
        #expect(throws: StoreError.record(.keyTooLarge(type: "ByString", size: 601, limit: 511))) {
            try ByString(id: longer).save(to: store)
        }
        #expect(throws: StoreError.self) { try ByString(id: long, friends: .ids(["a", long])).save(to: store) }
        #expect(throws: StoreError.self) { try ByString(id: "a", friends: .ids([longer])).save(to: store) }
        #expect(throws: StoreError.self) { try ByString(id: "a", leader: .id(longer)).save(to: store) }
        #expect(try ByString.query().count(in: store) == 0)
        // An id that no entity can have has no links.
        try ByString(id: "a", friends: .ids(["b"])).save(to: store)
        try ByString(id: "a").detach(\.$friends, ids: [longer], in: store)
        try ByString(id: longer).detach(\.$friends, in: store)
        try ByString(id: "a").delete(\.$friends, ids: [longer], from: store)
        try ByString(id: longer).delete(\.$friends, from: store)
        #expect(try ByString.delete(id: longer, from: store) == false)
        try ByString(id: longer).delete(from: store)
        #expect(try ByString.links("friends", of: "a", in: store) == ["b"])
    }
}
