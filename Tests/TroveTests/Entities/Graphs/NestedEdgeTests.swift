// Nested queries at their limits: lost lists, shared targets, limits below zero, deep shapes, dangling ids and damaged
// targets.

import LMDB
import Synchronization
import Testing
import TroveCoding

@testable import Trove

/// A color whose decoding is counted.
private struct CountedColor: RawRepresentable, Hashable {
    static let decoded = Atomic<Int>(0)
    let rawValue: Int

    init(rawValue: Int) {
        Self.decoded.add(1, ordering: .relaxed)
        self.rawValue = rawValue
    }
}

@EntityModel
private struct Painter: Equatable {
    let id: Int
    var color: CountedColor
    @Relationship(inverse: \.painter) var pictures: [Picture]?
}

@EntityModel
private struct Picture: Equatable {
    let id: Int
    @Relationship(inverse: \.pictures) var painter: Painter?
    @Relationship var visitors: [Painter]? = nil
}

@Suite("Limits of nested queries", .serialized) struct NestedEdgeTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [User.self, Picture.self]) }

    private func fill() throws {
        let messages = ["1", "2", "3"].map { Message(id: $0, text: "t\($0)", author: .id("ann")) }
        try Chat(
            id: "a", users: .relation([User(id: "ann", name: "Ann"), User(id: "bob", name: "Bob")]),
            messages: .relation(messages), admins: .ids(["ann", "lost", "bob"])
        ).save(to: store)
        try Chat(id: "b", users: .ids(["bob"]), messages: .relation([Message(id: "4", text: "t4")])).save(to: store)
    }

    // MARK: Shared targets

    @Test func ownersOfOneTarget_shareItsBox_decodedOnce() throws {
        try store.write { context in
            for id in 0..<3 { try Painter(id: id, color: CountedColor(rawValue: id)).save(to: context) }
            for id in 0..<60 {
                try Picture(id: id, painter: .id(id % 2), visitors: .ids([0, 1, 2])).save(to: context)
            }
        }
        CountedColor.decoded.store(0, ordering: .relaxed)
        let pictures = try Picture.query().with(\.$painter).resolve(in: store)
        #expect(CountedColor.decoded.load(ordering: .relaxed) == 2)
        #expect(pictures.map { $0.painter?.id } == (0..<60).map { $0 % 2 })
        // A relation is the reference to its box.
        let boxes = pictures.map { unsafe unsafeBitCast($0.$painter, to: UInt.self) }
        #expect(Set(boxes).count == 2 && boxes[0] == boxes[58] && boxes[1] == boxes[59])

        CountedColor.decoded.store(0, ordering: .relaxed)
        let lists = try Picture.query().with(\.$visitors).fragment(\.$painter).resolve(in: store)
        #expect(CountedColor.decoded.load(ordering: .relaxed) == 5)
        #expect(lists.allSatisfy { $0.visitors?.map(\.color.rawValue) == [0, 1, 2] && $0.$painter.isFragment })

        // A level deeper, the pictures of a painter share their painters' boxes too.
        let painters = try Painter.query().with(\.$pictures) { $0.with(\.$painter) { $0.id(\.$pictures) } }
            .resolve(in: store)
        let inner = painters.flatMap { $0.pictures ?? [] }.map { unsafe unsafeBitCast($0.$painter, to: UInt.self) }
        #expect(inner.count == 60 && Set(inner).count == 2)
    }

    // MARK: Limits

    @Test func limitsBelowZero_giveNothing() throws {
        try fill()
        for limit in [-1, -7, Int.min] {
            let chat = try #require(
                try Chat.query("a").with(\.$messages) { $0.limit(limit) }.id(\.$admins) { $0.limit(limit) }
                    .fragment(\.$users) { $0.sorted(by: \.name).limit(limit).offset(2) }.resolve(in: store))
            #expect(chat.messages == [] && chat.$messages.isSlice)
            #expect(chat.$admins == .appending(ids: []) && chat.users == [] && chat.$users.isSlice)
            let related = Chat.query().related(\.$messages).limit(limit)
            #expect(try related.resolve(in: store) == [] && related.count(in: store) == 0)
            #expect(try related.with(\.$author).resolve(in: store) == [] && related.first(in: store) == nil)
            #expect(try Chat.query().limit(limit).relatedGroups(\.$messages).resolve(in: store).isEmpty)
            #expect(try Chat.query().limit(limit).with(\.$messages).resolve(in: store) == [])
            var visited = 0
            try related.with(\.$author).forEach(in: store) { _ in visited += 1 }
            #expect(visited == 0)
        }
        // Nothing is taken away by saving such a result.
        try #require(try Chat.query("a").with(\.$messages) { $0.limit(-1) }.resolve(in: store)).save(to: store)
        #expect(try Chat.links("messages", of: "a", in: store) == ["1", "2", "3"])
    }

    @Test func limitsAndOffsetsOfAnySize_doNotOverflow() throws {
        try fill()
        let all = try #require(
            try Chat.query("a").with(\.$messages) { $0.limit(.max).offset(1) }.id(\.$admins) { $0.offset(.max) }
                .with(\.$users) { $0.limit(.max).offset(.max).filter(\.name != "") }.resolve(in: store))
        #expect(all.messages?.map(\.id) == ["2", "3"] && all.$admins == .appending(ids: []) && all.users == [])
        #expect(try Chat.query("a").related(\.$messages).limit(.max).offset(.max).resolve(in: store) == [])
    }

    // MARK: Depth

    @Test func deepShapesOfLists_areRefused_withoutAnyRecord() throws {
        func query(_ depth: Int) -> Query<Message> {
            (0..<depth).reduce(Message.query()) { inner, _ in Message.query().with(\.$replies) { _ in inner } }
        }
        #expect(try query(999).resolve(in: store) == [])
        for depth in [1000, 1001, 4000] {
            let key = StoredKey([], of: "Message")
            #expect(throws: StoreError.entity(.graphTooDeep(type: "Message", key: key, limit: 1000))) {
                _ = try query(depth).resolve(in: store)
            }
            #expect(throws: StoreError.self) { _ = try query(depth).first(in: store) }
            #expect(throws: StoreError.self) { try query(depth).forEach(in: store) { _ in } }
            #expect(throws: StoreError.self) { _ = try query(depth).explain(in: store) }
        }
    }

    @Test func idsEndAShape_atTheLastLevel() throws {
        try Message(id: "loop", text: "", replyTo: .id("loop")).save(to: store)
        var query = Message.query().id(\.$replies)
        for _ in 0..<999 {
            let inner = query
            query = Message.query().with(\.$replies) { _ in inner }
        }
        var message = try query.resolve(in: store).first
        while let next = message?.replies?.first { message = next }
        #expect(message?.$replies == .ids(["loop"]))
    }

    @Test func manyRelationsInARow_areFollowed_orRefused() throws {
        try Message(id: "loop", text: "", replyTo: .id("loop")).save(to: store)
        func query(_ count: Int) -> Query<Message> {
            (1..<count).reduce(Message.query("loop").related(\.$replies)) { query, _ in query.related(\.$replies) }
        }
        #expect(try query(16).resolve(in: store).map(\.id) == ["loop"])
        #expect(try query(16).filter(\.text == "").sorted(by: \.text).after(key: "loop").count(in: store) == 0)
        #expect(try !query(16).explain(in: store).isEmpty)
        for count in [17, 18, 40, 5000] {
            let error = StoreError.entity(.graphTooDeep(type: "Message", key: StoredKey([], of: "Message"), limit: 16))
            #expect(throws: error) { _ = try query(count).resolve(in: store) }
            #expect(throws: error) { _ = try query(count).count(in: store) }
            #expect(throws: error) { _ = try query(count).explain(in: store) }
        }
    }

    // MARK: Dangling ids

    @Test func danglingIDs_areLeftOut_atEveryLevel() throws {
        try fill()
        try Message(id: "5", text: "t5", author: .id("lost"), chat: .id("gone"), replies: .ids(["1", "void"])).save(
            to: store)
        let message = try #require(
            try Message.query("5").with(\.$author) { $0.with(\.$chats) }.with(\.$chat) { $0.with(\.$messages) }
                .with(\.$replies) { $0.with(\.$author).with(\.$replyTo) }.resolve(in: store))
        #expect(message.$author.isNone && message.$chat.isNone)
        #expect(message.replies?.map(\.id) == ["1"] && message.$replies.isSlice)
        #expect(message.replies?.first?.replyTo?.id == "5" && message.replies?.first?.author?.name == "Ann")
        let ids = try #require(
            try Message.query("5").id(\.$author).id(\.$chat).id(\.$replies).resolve(in: store))
        #expect(ids.$author == .id("lost") && ids.$chat == .id("gone") && ids.$replies == .ids(["1", "void"]))
        // A condition needs the record, so ids that are not stored match none.
        let filtered = try Message.query("5").id(\.$replies) { $0.filter(\.text != "x") }.resolve(in: store)
        #expect(filtered?.$replies == .appending(ids: ["1"]))
        #expect(try User.query("lost").with(\.$chats).resolve(in: store) == nil)
        #expect(try User.query(["lost", "ann"]).id(\.$chats).resolve(in: store).map(\.id) == ["ann"])
        let all = try Message.query("5").with(.entities, .entities, .ids).resolve(in: store)
        #expect(all?.replies?.map(\.id) == ["1"] && all?.$author.isNone == true)
    }

    // MARK: Damage

    /// Writes bytes in place of a record.
    private func damage<Record: IndexKeyRecord>(_ type: Record.Type, _ id: String) throws {
        try store.write { context in
            let table = try #require(try context.table(for: Record.schema))
            try context.keyspace.put(table.database, KeyWriter.bytes(of: id), [9, 9, 9])
            context.noteChange()
        }
    }

    /// Expects the error that names a damaged record.
    private func expectDamage<Record: IndexKeyRecord>(_ key: StoredKey, _ run: () throws -> [Record]) {
        var found: StoredKey?
        do {
            _ = try run()
        } catch let error as StoreError {
            found = error.key
        } catch {
            Issue.record("\(error)")
        }
        #expect(found == key)
    }

    @Test func aLinkToADamagedRecord_throwsWhereTheRecordIsRead() throws {
        try fill()
        try damage(User.self, "ann")
        let key = StoredKey("ann", of: User.self)
        expectDamage(key) { try Message.query().with(\.$author).resolve(in: store) }
        expectDamage(key) { try Message.query().fragment(\.$author).resolve(in: store) }
        expectDamage(key) { try Chat.query().with(\.$users) { $0.limit(1) }.resolve(in: store) }
        expectDamage(key) { try Chat.query().id(\.$users) { $0.filter(\.name == "Bob") }.resolve(in: store) }
        expectDamage(key) { try Chat.query().with(\.$users) { $0.sorted(by: \.name) }.resolve(in: store) }
        expectDamage(key) { try Chat.query().with(\.$messages) { $0.with(\.$author) }.resolve(in: store) }
        expectDamage(key) { try Chat.query("b").with(.schemaEntities).resolve(in: store).map { [$0] } ?? [] }
        expectDamage(key) {
            var all: [Message] = []
            try Message.query().with(\.$author).forEach(in: store) { all.append($0) }
            return all
        }
        // Ids need no record, and neither do pages and owners without the damaged record.
        #expect(try Message.query().id(\.$author).resolve(in: store).map(\.$author.id) == ["ann", "ann", "ann", nil])
        let later = User.query(id: .greaterThan("b"))
        #expect(try Chat.query("a").with(\.$users) { _ in later }.resolve(in: store)?.users?.map(\.name) == ["Bob"])
        #expect(try Chat.query("b").with(\.$users).with(\.$messages).resolve(in: store)?.users?.map(\.name) == ["Bob"])
        // The store can be repaired, and the query then finds the others.
        try store.delete(User.self, key: "ann", ignoringDamage: true)
        #expect(try Chat.query("a").with(\.$users).resolve(in: store)?.users?.map(\.name) == ["Bob"])
        #expect(try store.check() == [])
    }

    @Test func lostEntriesOfAList_areFoundByCheck_andRebuilt() throws {
        try fill()
        let end = try Chat.relation(at: \Chat.$messages).declared
        try store.write { context in
            let (links, side) = try #require(try context.links(end))
            var entries: [[UInt8]] = []
            try context.keyspace.scan(links.database(of: side), ScanRange()) { key, _ in
                entries.append(copiedBytes(key))
                return .continue
            }
            try context.keyspace.delete(links.database(of: side), entries[1])
            context.noteChange()
        }
        #expect(try Chat.query("a").with(\.$messages).resolve(in: store)?.messages?.map(\.id) == ["1", "3"])
        // The other end has its link.
        #expect(try Message.query("2").with(\.$chat).resolve(in: store)?.chat?.id == "a")
        #expect(try store.check().map(\.kind) == [.missing])
        try store.rebuild()
        #expect(try Chat.query("a").with(\.$messages).resolve(in: store)?.messages?.map(\.id) == ["1", "2", "3"])
        #expect(try store.check() == [])
    }

    @Test func entriesWithoutALink_areFoundByCheck_andRebuilt() throws {
        try fill()
        let end = try Chat.relation(at: \Chat.$messages).declared
        try store.write { context in
            let (links, side) = try #require(try context.links(end))
            let key = links.key(KeyWriter.bytes(of: "a"), KeyWriter.bytes(of: "2"), side)
            try context.keyspace.delete(links.table.database, key)
            context.noteChange()
        }
        // A list is read by its entries.
        #expect(try Chat.query("a").with(\.$messages).resolve(in: store)?.messages?.map(\.id) == ["1", "2", "3"])
        #expect(try Message.query("2").with(\.$chat).resolve(in: store)?.$chat.isNone == true)
        #expect(try store.check().map(\.kind) == [.orphaned])
        try store.rebuild()
        #expect(try Chat.query("a").id(\.$messages).resolve(in: store)?.$messages.ids == ["1", "3"])
        #expect(try store.check() == [])
    }

    @Test func aListThatIsNotBuilt_throws() throws {
        try fill()
        let prefix = try store.links("Message.chat").keyPrefix
        try store.write { context in
            var type = try #require(try context.catalogStorage().type(prefix))
            for number in type.indexes.keys { try context.empty(number, of: &type, prefix) }
            try context.set(type, prefix)
            context.noteChange()
        }
        for query in [Chat.query().with(\.$messages), Chat.query().id(\.$messages) { $0.limit(1) }] {
            #expect(throws: StoreError.self) { _ = try query.resolve(in: store) }
            #expect(throws: StoreError.self) { try query.forEach(in: store) { _ in } }
        }
        #expect(throws: StoreError.self) { _ = try Chat.query("a").related(\.$messages).resolve(in: store) }
        #expect(throws: StoreError.self) { _ = try Chat.query().relatedGroups(\.$messages).resolve(in: store) }
        #expect(throws: StoreError.self) { _ = try Chat.query("a").linkCount(of: \.$messages).resolve(in: store) }
        #expect(throws: StoreError.self) { _ = try Chat.filter(.hasNone(\.$messages)).count(in: store) }
        #expect(throws: StoreError.self) { _ = try Message.filter(.linked(\.$chat, to: "a")).count(in: store) }
        #expect(try Message.query("2").related(\.$chat).resolve(in: store).map(\.id) == ["a"])
        // The end without a list is read from the links.
        #expect(try Message.query("2").with(\.$chat).resolve(in: store)?.chat?.id == "a")
        try store.rebuild()
        #expect(try Chat.query("a").with(\.$messages).resolve(in: store)?.messages?.map(\.id) == ["1", "2", "3"])
    }
}
