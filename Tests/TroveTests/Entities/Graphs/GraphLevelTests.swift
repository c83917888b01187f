// Reads of graphs: each target is looked up once, in one snapshot, with typed errors for damage.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Levels of graphs") struct GraphLevelTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [User.self]) }

    /// Saves chats with 20 messages each, by 10 authors.
    private func fill(chats: Int) throws {
        try store.write { context in
            for author in 0..<10 { try User(id: "u\(author)", name: "U").save(to: context) }
            for chat in 0..<chats {
                let messages = (0..<20).map { number in
                    Message(id: "\(chat * 7919 % 1000)-\(number)", text: "T", author: .id("u\((chat + number) % 10)"))
                }
                try Chat(id: "c\(chat)", messages: .relation(messages)).save(to: context)
            }
        }
    }

    #if DEBUG  // Cursor moves are counted only in debug builds.
    /// Returns the moves of a read's cursors during a closure.
    private func moves(_ body: (ReadContext) throws -> Void) throws -> CursorMoves {
        try store.read { context in
            context.core.cursorMoves = CursorMoves()
            try body(context)
            return context.core.cursorMoves
        }
    }

    @Test func eachTarget_isLookedUpOnce() throws {
        try fill(chats: 50)
        let all = try moves { context in
            let chats = try Chat.query().with(\.$messages) { $0.with(\.$author) }.resolve(in: context)
            #expect(chats.flatMap { $0.messages ?? [] }.compactMap(\.author).count == 1000)
        }
        // 50 chats, 1,000 messages, 10 authors, and the links of each message: a step or a seek for each.
        #expect((3060...3080).contains(all.seeks + all.steps))
        // Keys that follow each other are not searched.
        #expect(all.seeks < 20)
    }

    @Test func aPage_readsNoMoreLinks_thanItNeeds() throws {
        try fill(chats: 50)
        let page = try moves { context in
            let chats = try Chat.query(["c3", "c40"]).with(\.$messages) { $0.limit(2) }.resolve(in: context)
            #expect(chats.map { $0.messages?.count } == [2, 2])
        }
        #expect(page.seeks + page.steps < 30)
        // Only the messages on a page are decoded, and all are sorted.
        let sorted = try Chat.query().with(\.$messages) { $0.sorted(by: \.id.desc).limit(1) }.resolve(in: store)
        #expect(sorted.map { $0.messages?.count } == Array(repeating: 1, count: 50))
        #expect(sorted.filter { $0.messages?.first?.id.hasSuffix("-9") == true }.count == 50)
    }

    @Test func fewOwnersOfMany_areSought() throws {
        try fill(chats: 200)
        let keys = ["c0", "c105", "c199", "c77", "none"]
        let few = try moves { context in
            let chats = try Chat.query(keys).id(\.$messages).resolve(in: context)
            #expect(chats.map(\.$messages.ids.count) == [20, 20, 20, 20])
        }
        #expect(few.seeks + few.steps < 200)
    }
    #endif

    // MARK: Snapshots

    @Test func aReaderBesideAWriter_seesEachMessageOnce() async throws {
        try await store.write { context in
            try Chat(id: "a", messages: .relation((0..<30).map { Message(id: "\($0)", text: "") })).save(to: context)
            try Chat(id: "b").save(to: context)
        }
        let store = store
        let writer = Task {
            var random = SeededGenerator(seed: 1)
            for _ in 0..<200 {
                let id = "\(Int.random(in: 0..<30, using: &random))"
                let chat = Bool.random(using: &random) ? "a" : "b"
                try await store.write { try Message(id: id, text: "", chat: .id(chat)).save(to: $0) }
            }
        }
        for _ in 0..<200 {
            let chats = try await Chat.query().with(\.$messages) { $0.id(\.$chat) }.resolve(in: store)
            #expect(chats.flatMap(\.$messages.ids).count == 30 && Set(chats.flatMap(\.$messages.ids)).count == 30)
            for chat in chats { #expect(chat.messages?.allSatisfy { $0.$chat.id == chat.id } == true) }
        }
        try await writer.value
    }

    @Test func aTransaction_seesItsOwnLinks() throws {
        try store.write { context in
            #expect(try User.queryAll(with: .entities).resolve(in: context).isEmpty)
            try Chat(id: "a", messages: .relation([Message(id: "1", text: "")])).save(to: context)
            let message = try Message.query("1").with(\.$chat) { $0.with(\.$messages) }.resolve(in: context)
            #expect(message?.chat?.messages?.map(\.id) == ["1"])
            try Chat.delete(id: "a", from: context)
            #expect(try Message.query("1").with(\.$chat).resolve(in: context) == nil)
        }
    }

    // MARK: Stores without links

    @Test func aStoreWithoutTheRelation_hasNoLinks() throws {
        #expect(try User.query("1").with(.entities, .ids).resolve(in: store) == nil)
        #expect(try User.queryAll(with: .entities, .ids).resolve(in: store).isEmpty)
        try User(id: "1", name: "Ann").save(to: store)
        let user = try #require(try User.query("1").with(\.$chats).with(\.$partner).id(\.$adminOf).resolve(in: store))
        #expect(user.chats == [] && user.$partner.isNone && user.$adminOf == .ids([]))
    }

    @Test func deepBulkQueries_endWithTheEntities() throws {
        let forms: [NestedRelations] = Array(repeating: .entities, count: 2000)
        #expect(try User.query().with(forms).resolve(in: store).isEmpty)
        try Attachment(id: "1", message: .relation(Message(id: "m", text: ""))).save(to: store)
        // An attachment and its message lead to each other.
        let key = StoredKey("1", of: Attachment.self)
        #expect(throws: StoreError.entity(.graphTooDeep(type: "Attachment", key: key, limit: 1000))) {
            _ = try Attachment.query("1").with(forms).resolve(in: store)
        }
    }

    // MARK: All entities of a type

    @Test func schemaForms_giveAllEntities() throws {
        for id in ["1", "2", "3"] { try Chat(id: id).save(to: store) }
        try User(id: "u", name: "U", chats: .ids(["2"]), partner: .relation(User(id: "v", name: "V"))).save(to: store)
        let user = try #require(try User.query("u").with(.schemaEntities, .ids).resolve(in: store))
        #expect(user.chats?.map(\.id) == ["1", "2", "3"] && !user.$chats.isSlice)
        #expect(user.chats?.map(\.$users.ids) == [[], ["u"], []])
        #expect(user.partner?.name == "V")
        let fragments = try #require(try User.query("u").with(.schemaFragments).resolve(in: store))
        #expect(fragments.$chats.isFragment && fragments.adminOf?.count == 3)
    }

    // MARK: Damage

    @Test func aDamagedTarget_isNamed() throws {
        try User(id: "ann", name: "Ann", friends: .relation([User(id: "bob", name: "Bob")])).save(to: store)
        try store.write { context in
            let table = try #require(try context.table(for: User.schema))
            try context.keyspace.put(table.database, KeyWriter.bytes(of: "bob"), [1, 2, 3])
            var key: StoredKey?
            do {
                _ = try User.query("ann").with(\.$friends).resolve(in: context)
            } catch let error as StoreError {
                key = error.key
            }
            #expect(key == StoredKey("bob", of: User.self))
            // Its id needs no record.
            #expect(try User.query("ann").id(\.$friends).resolve(in: context)?.$friends.ids == ["bob"])
        }
    }
}
