// Queries over damaged links, and over links to damaged records: errors with a type, or the result.

import Testing
import TroveCoding

@testable import Trove

@Suite("Queries over damaged links") struct DamagedSourceTests {
    private let store: Store
    private let messages = Chat.query("a").related(\.$messages)

    init() throws {
        store = try Store.temporary()
        let messages = ["1", "2", "3"].map { Message(id: $0, text: "text", author: .id("bob")) }
        try Chat(id: "a", messages: .relation(messages)).save(to: store)
    }

    private func bytes(_ id: String) -> [UInt8] { KeyWriter.bytes(of: id) }

    /// Calls a closure with the links of the messages, and the side of the chat.
    private func withLinks(_ body: (TransactionContext, LinkTable, LinkSide) throws -> Void) throws {
        let end = try Chat.relation(at: \Chat.$messages).declared
        try store.write { context in
            let (links, side) = try #require(try context.links(end))
            try body(context, links, side)
            // A transaction without noted changes is not committed.
            try Chat(id: "b").save(to: context)
        }
    }

    @Test func aDamagedRecord_isCounted_andThrowsWhenItIsRead() throws {
        try store.write { context in
            let table = try #require(try context.table(for: Message.schema))
            try context.keyspace.put(table.database, bytes("2"), [1, 2, 3])
            // A transaction without noted changes is not committed.
            try Chat(id: "b").save(to: context)
        }
        #expect(try messages.count(in: store) == 3)
        #expect(try messages.keys(in: store) == ["1", "2", "3"])
        #expect(throws: StoreError.self) { try messages.resolve(in: store) }
        #expect(throws: StoreError.self) { try messages.filter(\.text == "text").count(in: store) }
        #expect(throws: StoreError.self) { try Chat.query().relatedGroups(\.$messages).resolve(in: store) }
        #expect(try messages.limit(1).resolve(in: store).map(\.id) == ["1"])
    }

    @Test func aDamagedLink_throwsWhereItsPlaceIsNeeded() throws {
        try withLinks { context, links, side in
            let key = links.key(bytes("a"), bytes("2"), side)
            try context.keyspace.put(links.table.database, key, [UInt8](repeating: 7, count: 16))
        }
        #expect(try messages.keys(in: store) == ["1", "2", "3"])
        #expect(try messages.after(key: "1").keys(in: store) == ["2", "3"])
        #expect(throws: StoreError.self) { try messages.after(key: "2").keys(in: store) }
    }

    @Test func aShortRow_doesNotMatterToTheDeleteOfATarget() throws {
        try withLinks { context, links, side in
            try context.keyspace.put(links.database(of: side), bytes("a") + [1, 2], [])
        }
        try Chat(id: "a").delete(\.$messages, ids: ["2", "lost", "2"], from: store)
        #expect(try Message.query().keys(in: store).contains("2") == false)
    }

    @Test func aShortRow_throws() throws {
        try withLinks { context, links, side in
            try context.keyspace.put(links.database(of: side), bytes("a") + [1, 2], [])
        }
        #expect(throws: StoreError.self) { try messages.keys(in: store) }
        #expect(throws: StoreError.self) { try messages.order(.descending).count(in: store) }
        #expect(throws: StoreError.self) { try Chat.query().relatedGroups(\.$messages).resolve(in: store) }
    }
}
