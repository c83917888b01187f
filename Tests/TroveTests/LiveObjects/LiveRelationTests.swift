// The relations of live entities: queries for live objects, and lists that follow a relation.

import Testing

@testable import Trove

@IndexKeyRecord("id")
private struct Leaflet {
    #FullTextIndex<Leaflet>(\.text)

    let id: Int
    var text: String
}

@Suite("Relations of live entities", .hangLimit) struct LiveRelationTests {
    private let store: Store
    private let user: Live<User>

    init() throws {
        store = try Store.temporary(records: [User.self, Chat.self, Message.self])
        try User(
            id: "1", name: "Bob", chats: .relation([Chat(id: "a"), Chat(id: "b")]),
            partner: .relation(User(id: "2", name: "Ann"))
        ).save(to: store)
        user = try #require(try User.live("1", in: store))
    }

    @Test func aRelation_leadsToLiveObjects() throws {
        let chats = try user.related(\.$chats).live()
        #expect(chats.map(\.id) == ["a", "b"])
        #expect(try chats[0] === Chat.live("a", in: store))
        let partner = try #require(try user.related(\.$partner).live().first)
        partner.name = "Anna"
        #expect(try User.live("2", in: store)?.name == "Anna")
        #expect(try user.related(\.$chats).related(\.$users).keys() == ["1"])
        #expect(try user.related(\.$friends).count() == 0)
    }

    @Test func aList_followsARelation() async throws {
        let list = try LiveList(user.related(\.$chats), pageSize: 2, countsAll: true)
        #expect(list.rows.map(\.id) == ["a", "b"] && !list.hasMore)
        // The link is saved from the other end, and the chat's own record is new.
        try await Chat(id: "c", users: .ids(["1"])).save(to: store)
        await store.live.settle()
        #expect(list.rows.map(\.id) == ["a", "b"] && list.hasMore && list.totalCount == 3)
        try await list.loadMore()
        #expect(list.rows.map(\.id) == ["a", "b", "c"])
        // Another order, and a link less: no record of a chat is written.
        try await User(id: "1", name: "Bob", chats: .ids(["c", "a"])).save(to: store)
        await store.live.settle()
        #expect(list.rows.map(\.id) == ["c", "a"] && list.totalCount == 2)
        try await Chat.delete(id: "c", from: store)
        await store.live.settle()
        #expect(list.rows.map(\.id) == ["a"])
    }

    @Test func aList_followsAFilterByLinks() async throws {
        let list = try LiveList(Chat.filter(.linked(\.$users, to: ["1"])), in: store)
        #expect(list.rows.map(\.id) == ["a", "b"])
        try await User(id: "1", name: "Bob", chats: .ids(["b"])).save(to: store)
        await store.live.settle()
        #expect(list.rows.map(\.id) == ["b"])
    }

    /// A list that cannot look at changed records alone is read again after a commit in the types that it has read.
    @Test func lists_dependOnTheTypesThatTheyRead() throws {
        try store.insert(Leaflet(id: 1, text: "red door"))
        func region<Record: IndexKeyRecord>(_ query: Query<Record>) throws -> ObservedRegion {
            var reading = try ListReading(query, rowCount: 10, countsAll: true)
            try store.read { try reading.update(.any, in: $0, at: 1) }
            return reading.region
        }
        let leaflet = ChangedKeys(any: Leaflet.keyPrefix)
        let chat = ChangedKeys(any: Chat.keyPrefix)
        for query in [user.related(\.$chats).request, Chat.filter(.linked(\.$users, to: ["1"]))] {
            #expect(try region(query).isTouched(by: chat))
            #expect(try !region(query).isTouched(by: leaflet))
        }
        for query in [Leaflet.filter(.matches("red")), Leaflet.filter(\.id > 0).offset(1)] {
            #expect(try region(query).isTouched(by: leaflet))
            #expect(try !region(query).isTouched(by: chat))
        }
    }
}

extension ChangedKeys {
    /// A change of any record of a type.
    fileprivate init(any keyPrefix: UInt32) {
        self.init()
        noteAny(keyPrefix)
    }
}
