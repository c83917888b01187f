// The async forms of the statements about a single relation.

import Testing

@testable import Trove

@Suite("Relations in async code") struct AsyncRelationTests {
    private let store: Store

    init() async throws {
        store = try await Store.temporary(records: [Chat.self])
        try await Chat(
            id: "1", users: .relation(["a", "b", "c"].map { User(id: $0, name: $0) }),
            messages: .relation(["1", "2", "3"].map { Message(id: $0, text: "", viewedBy: .ids(["a", "b", "c"])) })
        ).save(to: store)
    }

    private func links(_ property: String, ofMessage id: String) async throws -> [String] {
        try await store.read { try Message.links(property, of: id, in: $0) }
    }

    private func links(_ property: String) async throws -> [String] {
        try await store.read { try Chat.links(property, of: "1", in: $0) }
    }

    @Test func aRelation_isSavedAlone() async throws {
        try await Message(id: "1", text: "x", author: .relation(User(id: "d", name: "d"))).save(\.$author, to: store)
        try await Chat(id: "1", admins: .ids(["d"])).save(\.$admins, inverse: \.$adminOf, to: store)
        #expect(try await links("author", ofMessage: "1") == ["d"])
        #expect(try await links("admins") == ["d"])
        #expect(try await store.get(User.self, key: "d")?.name == "d")
        #expect(try await store.get(Message.self, key: "1")?.text == "")
    }

    @Test func links_areDetached() async throws {
        try await Message(id: "1", text: "").detach(["b"], relation: \.$viewedBy, in: store)
        try await Message(id: "2", text: "").detach(\.$viewedBy, in: store)
        try await Chat(id: "1").detach(["2"], relation: \.$messages, inverse: \.$chat, in: store)
        try await Chat(id: "1").detach(\.$users, inverse: \.$chats, in: store)
        #expect(try await links("viewedBy", ofMessage: "1") == ["a", "c"])
        #expect(try await links("viewedBy", ofMessage: "2") == [])
        #expect(try await links("messages") == ["1", "3"])
        #expect(try await links("users") == [])
        #expect(try await Message.query().count(in: store) == 3)
        #expect(try await User.query().count(in: store) == 3)
    }

    @Test func targets_areDeleted() async throws {
        try await Message(id: "1", text: "").delete(["b"], relation: \.$viewedBy, from: store)
        #expect(try await User.query().keys(in: store) == ["a", "c"])
        try await Chat(id: "1").delete(["2"], relation: \.$messages, inverse: \.$chat, from: store)
        #expect(try await links("messages") == ["1", "3"])
        try await Message(id: "1", text: "").delete(\.$viewedBy, from: store)
        #expect(try await User.query().count(in: store) == 0)
        try await Chat(id: "1").delete(\.$messages, inverse: \.$chat, from: store)
        #expect(try await Message.query().count(in: store) == 0)
        #expect(try await store.get(Chat.self, key: "1") != nil)
    }
}
