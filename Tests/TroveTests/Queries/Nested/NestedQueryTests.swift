// Queries that read graphs: entities with their relations, as entities, fragments, ids and slices.

import Testing

@testable import Trove

@Suite("Nested queries") struct NestedQueryTests {
    private let store: Store

    /// Ann and Bob chat; Eve is alone.
    init() throws {
        store = try Store.temporary(records: [User.self])
        let chat = Chat(
            id: "c1",
            users: .relation([
                User(id: "bob", name: "Bob", partner: .id("ann")), User(id: "ann", name: "Ann", friends: .ids(["eve"])),
                User(id: "eve", name: "Eve"),
            ]),
            messages: .relation([
                Message(id: "m2", text: "Hi", author: .id("ann")),
                Message(id: "m1", text: "", author: .id("bob"), replyTo: .id("m2")),
                Message(id: "m3", text: "Bye", author: .id("nobody"), attachment: .id("lost"), replyTo: .id("m2")),
            ]),
            admins: .ids(["ann", "ghost"]))
        try chat.save(to: store)
        try Chat(
            id: "c2", users: .ids(["ann"]), messages: .relation([Message(id: "m4", text: "Me", author: .id("ann"))])
        )
        .save(to: store)
    }

    // MARK: Lists

    @Test func lists_areInTheirOrder() throws {
        let chat = try #require(try Chat.query("c1").with(\.$messages).with(\.$users).resolve(in: store))
        #expect(chat.messages?.map(\.id) == ["m2", "m1", "m3"])
        #expect(chat.users?.map(\.name) == ["Bob", "Ann", "Eve"])
        #expect(chat.$admins.isNone)
        #expect(!chat.$messages.isSlice && !chat.$messages.isFragment)
        #expect(chat.messages?.allSatisfy(\.isNormalized) == true)
    }

    @Test func emptyLists_areEmpty() throws {
        let message = try #require(try Message.query("m1").with(\.$viewedBy).with(\.$replies).resolve(in: store))
        #expect(message.viewedBy == [] && message.replies == [])
        #expect(!message.$viewedBy.isSlice && !message.$viewedBy.isNone)
    }

    @Test func targetsThatAreNotStored_areLeftOut() throws {
        let chat = try #require(try Chat.query("c1").with(\.$admins).resolve(in: store))
        #expect(chat.admins?.map(\.id) == ["ann"])
        #expect(chat.$admins.isSlice)
        let ids = try #require(try Chat.query("c1").id(\.$admins).resolve(in: store))
        #expect(ids.$admins == .ids(["ann", "ghost"]))
        #expect(ids.$admins.isId && !ids.$admins.isSlice && ids.admins == nil)
    }

    @Test func toOne_isTheTargetOrNone() throws {
        let message = try #require(
            try Message.query("m1").with(\.$author).with(\.$replyTo).with(\.$attachment).resolve(in: store))
        #expect(message.author?.name == "Bob" && message.replyTo?.text == "Hi")
        #expect(message.$attachment.isNone && !message.$attachment.isNull)
        let dangling = try #require(try Message.query("m3").with(\.$author).id(\.$attachment).resolve(in: store))
        #expect(dangling.$author.isNone && dangling.$attachment.id == "lost")
        let none = try #require(try Message.query("m1").id(\.$attachment).resolve(in: store))
        #expect(none.$attachment.isNone)
    }

    // MARK: Depth

    @Test func graphs_areReadToAnyDepth() throws {
        let user = try #require(
            try User.query("ann")
                .with(\.$chats) { chat in
                    chat.with(\.$messages) { message in
                        message.with(\.$replies) { $0.with(\.$author).id(\.$replyTo) }
                            .id(\.$author)
                            .id(\.$chat)
                    }
                    .with(\.$users) { $0.with(\.$partner) { $0.with(\.$friends) } }
                    .id(\.$admins)
                }
                .resolve(in: store))
        #expect(user.chats?.map(\.id) == ["c1", "c2"])
        let first = try #require(user.chats?.first)
        #expect(first.messages?.map(\.$author.id) == ["ann", "bob", "nobody"])
        #expect(first.messages?.map(\.$chat.id) == ["c1", "c1", "c1"])
        #expect(first.messages?.first?.replies?.map(\.id) == ["m1", "m3"])
        #expect(first.messages?.first?.replies?.map { $0.author?.name } == ["Bob", nil])
        #expect(first.messages?.first?.replies?.map(\.$replyTo.id) == ["m2", "m2"])
        #expect(first.users?.map { $0.partner?.id } == ["ann", "bob", nil])
        #expect(first.users?.first?.partner?.friends?.map(\.name) == ["Eve"])
        #expect(first.$admins.ids == ["ann", "ghost"])
        #expect(user.chats?.last?.messages?.map(\.text) == ["Me"])
        #expect(user.chats?.last?.$admins == .ids([]))
    }
}
