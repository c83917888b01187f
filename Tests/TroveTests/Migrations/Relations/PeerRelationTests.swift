// Changes of a relation of a type to itself, of the name of its type, and of keys without records.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Changed relations of a type to itself") struct PeerRelationTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("peers.trove")
    }

    private func open(_ type: any IndexKeyRecord.Type) throws -> Store {
        try Store(
            path: path, records: [type], migrations: .allowOlderLayout, options: StoreOptions(durability: .noSync))
    }

    private func expectLinks<Peer: EntityModelProtocol>(
        _ type: Peer.Type, _ expected: [Peer.ID: [Peer.ID]], _ property: String = "friends"
    ) throws where Peer.ID: KeyComponent {
        let store = try open(type)
        for id in expected.keys {
            let found = try type.ids(property, of: id, in: store, as: Peer.ID.self)
            #expect(found == expected[id] ?? [], "\(type) \(id)")
        }
        #expect(try store.check() == [])
        #expect(try Store.verify(path: path).findings.isEmpty)
    }

    private func fillOneWay() throws {
        let store = try open(OneWayPeer.Peer.self)
        try OneWayPeer.Peer(id: 1, friends: .ids([3, 2])).save(to: store)
        try OneWayPeer.Peer(id: 2, friends: .ids([4, 1])).save(to: store)
        try OneWayPeer.Peer(id: 4, friends: .ids([4])).save(to: store)
    }

    @Test func aOneWayRelation_becomesItsOwnInverse() throws {
        try fillOneWay()
        // Own links keep their places; the other directions come after them.
        try expectLinks(SymmetricPeer.Peer.self, [1: [3, 2], 2: [4, 1], 3: [1], 4: [4, 2]])
        let store = try open(SymmetricPeer.Peer.self)
        try SymmetricPeer.Peer(id: 3, friends: .appending(ids: [4])).save(to: store)
        #expect(try SymmetricPeer.Peer.ids("friends", of: 4, in: store) == [4, 2, 3])
        try SymmetricPeer.Peer(id: 4, friends: .ids([])).save(to: store)
        #expect(try SymmetricPeer.Peer.ids("friends", of: 2, in: store) == [1])
        #expect(try store.check() == [])
    }

    @Test func anOwnInverse_becomesOneWay_orGetsAnotherInverse() throws {
        try fillOneWay()
        _ = try open(SymmetricPeer.Peer.self)
        try expectLinks(OneWayPeer.Peer.self, [1: [3, 2], 2: [4, 1], 3: [1], 4: [4, 2]])
        try expectLinks(FollowedPeer.Peer.self, [1: [3, 2], 2: [4, 1], 3: [1], 4: [4, 2]])
        try expectLinks(FollowedPeer.Peer.self, [1: [2, 3], 2: [1, 4], 3: [1], 4: [2, 4]], "followers")
    }

    @Test func aPair_isRefused_whereAnEntityHasSeveralLinks_ofEitherDirection() throws {
        do {
            let store = try open(OneWayToOnePeer.Peer.self)
            try OneWayToOnePeer.Peer(id: 1, friends: .id(2)).save(to: store)
            try OneWayToOnePeer.Peer(id: 3, friends: .id(2)).save(to: store)
            try store.close()
        }
        let error = storeError { try open(PairedPeer.Peer.self) }
        guard case .schema(.relationNotUnique(let relation, let owner, let targets)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(relation.hasSuffix("Peer.friends") && owner.description == "id: 2")
        #expect(targets.map(\.description) == ["id: 1", "id: 3"])
        do {
            let store = try open(OneWayToOnePeer.Peer.self)
            try OneWayToOnePeer.Peer(id: 3, friends: .null).save(to: store)
            try store.close()
        }
        try expectLinks(PairedPeer.Peer.self, [1: [2], 2: [1], 3: []])
        try expectLinks(SymmetricPeer.Peer.self, [1: [2], 2: [1], 3: []])
        try expectLinks(PairedPeer.Peer.self, [1: [2], 2: [1], 3: []])
    }

    @Test func anotherNameOfTheType_otherKeys_andAnotherNameOfTheRelation_atOnce() throws {
        try fillOneWay()
        try expectLinks(
            RenamedPeer.Colleague.self, ["1": ["3", "2"], "2": ["4", "1"], "4": ["4", "2"]], "colleagues")
        let store = try open(RenamedPeer.Colleague.self)
        let links = try #require(try store.read { try $0.storedTypes() }.first { $0.links != nil })
        #expect(links.name == "TroveTests.RenamedPeer.Colleague.colleagues")
        #expect(links.links?.first.formerNames == ["friends"])
        #expect(links.keyLayout == "(owner:String,colleagues:String)")
    }

    @Test func keysOfATypeWithoutRecords_changeInItsLinks() throws {
        do {
            let store = try open(UnstoredPeer.Topic.self)
            try UnstoredPeer.Topic(id: 1, about: .id(7)).save(to: store)
            try store.close()
        }
        do {
            let store = try Store(path: path, options: StoreOptions(durability: .noSync))
            let error = storeError { try UnstoredTextPeer.Topic(id: 2, about: .id("8")).save(to: store) }
            guard case .schema(.relationChanged) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            try store.close()
        }
        let store = try open(UnstoredTextPeer.Topic.self)
        #expect(try UnstoredTextPeer.Topic.ids("about", of: 1, in: store, as: String.self) == ["7"])
        try UnstoredTextPeer.Topic(id: 2, about: .id("8")).save(to: store)
        #expect(try store.check() == [])
    }
}
