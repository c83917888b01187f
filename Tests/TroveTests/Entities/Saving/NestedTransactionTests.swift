// The nested transactions of graph saves: one for each statement that can fail half way, in a transaction that the
// program may continue after the error; none otherwise.

import LMDB
import Testing
import TroveCoding

@testable import Trove

/// An entity without relations and hooks.
@EntityModel
private struct PlainCoin: Equatable {
    #Index<PlainCoin>(\.value)
    let id: Int
    var value: Int = 0
}

@Suite("Nested transactions of graph saves") struct NestedTransactionTests {
    private let store: Store
    private let chat = Chat(
        id: "1", users: .relation([User(id: "1", name: "Ann"), User(id: "2", name: "Bob")]),
        messages: .relation([Message(id: "1", text: "", author: .id("1"), replies: .ids(["2"]))]))

    init() throws {
        store = try Store.temporary(records: [User.self, PlainCoin.self])
        // The first save and the first delete of a type find out which hooks it has.
        try store.write { context in
            try chat.save(to: context)
            try PlainCoin(id: 0).save(to: context)
            try PlainCoin.delete(id: 0, from: context)
        }
    }

    /// Expects so many nested transactions of a closure. They are counted only in debug builds.
    private func expect(_ count: Int, in context: TransactionContext, _ body: () throws -> Void) throws {
        #if DEBUG
        let before = context.core.nestedTransactions
        try body()
        #expect(context.core.nestedTransactions - before == count)
        #else
        try body()
        #endif
    }

    @Test func inAWrite_eachGraphHasOne() throws {
        try store.write { context in
            try expect(1, in: context) { try chat.save(to: context) }
            try expect(5, in: context) { for _ in 0..<5 { try chat.save(to: context) } }
            // Links alone can fail half way too.
            try expect(1, in: context) { try Message(id: "9", text: "", chat: .id("1")).save(to: context) }
            try expect(1, in: context) { try chat.detach(\.$users, in: context) }
            try expect(1, in: context) { try chat.delete(from: context) }
        }
    }

    @Test func aCallForManyGraphs_hasOne() throws {
        let chats = (0..<20).map { Chat(id: "\($0)", users: .relation([User(id: "u\($0)", name: "")])) }
        try store.write { context in
            try expect(1, in: context) { try chats.save(to: context) }
            try expect(1, in: context) { try context.insert(contentsOf: chats) }
            try expect(1, in: context) { try Chat.query().delete(in: context) }
        }
    }

    @Test func recordsAlone_haveNone() throws {
        try store.write { context in
            try expect(0, in: context) { try User(id: "3", name: "Eve").save(to: context) }
            try expect(0, in: context) { try PlainCoin(id: 1, value: 7).save(to: context) }
            try expect(0, in: context) { try context.insert(PlainCoin(id: 2)) }
            try expect(0, in: context) { try PlainCoin.delete(id: 1, from: context) }
        }
    }

    @Test func onAStore_andInAContextOfItsOwn_thereIsNone() throws {
        try store.writing { context in
            context.isUndoneByErrors = true
            try expect(0, in: context) { _ = try context.save(chat, .default) }
            try expect(0, in: context) { try chat.delete(from: context) }
        }
    }

    /// The reason for the nested transaction: the program catches the error, and its write goes on.
    @Test func aGraphThatFailsHalfWay_leavesNothing() throws {
        let replies = try Message.relation(at: \Message.$replies).declared
        try store.write { context in
            try Message(id: "5", text: "", replyTo: .id("6")).save(to: context)
            let (links, side) = try #require(try context.links(replies))
            let damaged = links.key(KeyWriter.bytes(of: "6"), KeyWriter.bytes(of: "5"), side)
            try context.keyspace.put(links.table.database, damaged, [1, 2, 3])
            let before = try context.storedTypes().map(\.count)
            let graph = Chat(
                id: "7", users: .relation([User(id: "7", name: "New")]),
                messages: .relation([
                    Message(id: "7", text: "", author: .id("7")), Message(id: "5", text: "changed", replyTo: .id("7")),
                ]))
            #expect(throws: StoreError.self) { try graph.save(to: context) }
            #expect(try context.storedTypes().map(\.count) == before)
            #expect(try Message.query("5").resolve(in: context)?.text == "")
        }
        #expect(try Chat.query("7").resolve(in: store) == nil && User.query("7").resolve(in: store) == nil)
    }
}
