// Queries that both follow relations and read graphs: related entities with their relations, and nested filters by
// links.

import Testing

@testable import Trove

@Suite("Graphs of related entities") struct RelatedGraphTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self])
        for chat in ["c1", "c2", "c3"] {
            try Chat(
                id: chat, users: .ids(chat == "c3" ? ["bob"] : ["ann", "bob"]),
                messages: .relation(
                    (1...3).map { number in
                        Message(
                            id: "\(chat)-\(number)", text: "\(number)", author: .id(number == 2 ? "bob" : "ann"),
                            viewedBy: number == 1 ? .ids(["bob"]) : .ids([]))
                    })
            )
            .save(to: store)
        }
        try [User(id: "ann", name: "Ann"), User(id: "bob", name: "Bob")].save(to: store)
    }

    /// Runs a closure with a context for reading, and with a context for writing.
    private func inBothContexts(_ body: (ReadContext) throws -> Void) throws {
        try store.read(body)
        try store.write { try body($0) }
    }

    @Test func relatedEntities_comeWithTheirRelations() throws {
        try inBothContexts { context in
            let chats = try User.query("ann", in: context).related(\.$chats)
                .with(\.$messages) { $0.filter(\.text != "2").with(\.$author) }.id(\.$users)
                .resolve()
            #expect(chats.map(\.id) == ["c1", "c2"])
            #expect(chats.allSatisfy { $0.messages?.map(\.text) == ["1", "3"] && $0.$messages.isSlice })
            #expect(chats.allSatisfy { $0.messages?.allSatisfy { $0.author?.name == "Ann" } == true })
            #expect(chats.allSatisfy { $0.$users == .ids(["ann", "bob"]) })
        }
    }

    @Test func nestedFilters_goByLinks() throws {
        try inBothContexts { context in
            let chat = try #require(
                try Chat.query("c2", in: context)
                    .with(\.$messages) { message in
                        message.filter(\.$author == .id("ann")).filter(.hasNone(\.$viewedBy)).with(\.$author)
                    }
                    .resolve())
            #expect(chat.messages?.map(\.id) == ["c2-3"])
            #expect(chat.messages?.first?.author?.name == "Ann")
            let all = try Chat.query(in: context)
                .with(\.$messages) { $0.filter(.linked(\.$viewedBy, to: "bob") || \.text == "2").limit(1) }
                .sorted(by: \.id.desc).resolve()
            #expect(all.map(\.id) == ["c3", "c2", "c1"])
            #expect(all.map { $0.messages?.map(\.text) } == [["1"], ["1"], ["1"]])
        }
    }

    @Test func unsavedChanges_areSeen() throws {
        try store.write { context in
            try Message(id: "c1-2", text: "2", author: .id("ann"), chat: .id("c3")).save(to: context)
            let chats = try User.query("bob", in: context).related(\.$chats)
                .with(\.$messages) { $0.filter(.linked(\.$author, to: "ann")) }
                .resolve()
            #expect(chats.map { $0.messages?.count } == [2, 2, 3])
        }
    }

    @Test func plans_showBoth() throws {
        let plan = try User.query("ann").related(\.$chats)
            .with(\.$messages) { $0.filter(.linked(\.$author, to: "ann")) }.explain(in: store)
        #expect(plan.contains("walk links User.chats of 1 owner"), "\(plan)")
        #expect(plan.contains("with Chat.messages: filter"), "\(plan)")
    }

    @Test func scansInBatches_readGraphsAndLinks() throws {
        try store.write { context in
            var count = 0
            try Chat.filter(.linked(\.$users, to: "ann")).with(\.$messages).forEach(in: context) { chat in
                count += chat.messages?.count ?? 0
                try Message(id: "\(chat.id)-4", text: "4", author: .id("bob"), chat: .id(chat.id)).save(to: context)
            }
            #expect(count == 6)
            #expect(try Message.query().count(in: context) == 11)
        }
    }
}
