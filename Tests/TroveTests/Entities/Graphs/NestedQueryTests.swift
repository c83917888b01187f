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

    // MARK: Forms

    @Test func fragmentsAndSlices_areMarked() throws {
        let chat = try #require(
            try Chat.query("c1").fragment(\.$messages) { $0.fragment(\.$replyTo) }.with(slice: \.$users)
                .id(slice: \.$admins).resolve(in: store))
        #expect(chat.$messages.isFragment && !chat.$messages.isSlice)
        #expect(chat.messages?[1].$replyTo.isFragment == true)
        #expect(chat.$users.isSlice && !chat.$users.isFragment && chat.users?.count == 3)
        #expect(chat.$admins == .appending(ids: ["ann", "ghost"]))
        let slices = try #require(try Chat.query("c1").fragment(slice: \.$messages).resolve(in: store))
        #expect(slices.$messages.isFragment && slices.$messages.isSlice)
    }

    @Test func filterOrderAndPage_areThoseOfEachOwner() throws {
        let chats = try Chat.query().with(\.$messages) { $0.filter(\.text != "").sorted(by: \.text.desc).limit(1) }
            .resolve(in: store)
        #expect(chats.map { $0.messages?.map(\.text) } == [["Hi"], ["Me"]])
        #expect(chats.map(\.$messages.isSlice) == [true, true])
        let pages = try Chat.query().with(\.$messages) { $0.offset(1).limit(1) }.resolve(in: store)
        #expect(pages.map { $0.messages?.map(\.id) } == [["m1"], []])
        #expect(pages.map(\.$messages.isSlice) == [true, true])
        let firsts = try Chat.query().with(\.$messages) { $0.limit(1) }.resolve(in: store)
        #expect(firsts.map(\.$messages.isSlice) == [true, false])
        let backwards = try Chat.query("c1").with(\.$messages) { $0.order(.descending) }.resolve(in: store)
        #expect(backwards?.messages?.map(\.id) == ["m3", "m2", "m1"])
        let ids = try Chat.query("c1").id(\.$messages) { $0.filter(\.text != "").limit(1) }.resolve(in: store)
        #expect(ids?.$messages == .appending(ids: ["m2"]))
        let none = try Chat.query("c1").with(\.$messages) { $0.limit(-1) }.id(\.$admins) { $0.limit(0) }
            .resolve(in: store)
        #expect(none?.messages == [] && none?.$admins == .appending(ids: []))
    }

    @Test func aLimit_countsStoredTargets() throws {
        let store = try Store.temporary(records: [User.self])
        let ids = (0..<30).map { "\(100 + $0)" }
        try User(id: "u", name: "U", friends: .ids(ids)).save(to: store)
        for id in ids[20...] { try User(id: id, name: id).save(to: store) }
        let user = try User.query("u").with(\.$friends) { $0.offset(2).limit(3) }.resolve(in: store)
        #expect(user?.friends?.map(\.name) == ["122", "123", "124"])
        #expect(user?.$friends.isSlice == true)
        let all = try User.query("u").id(\.$friends) { $0.offset(2).limit(3) }.resolve(in: store)
        #expect(all?.$friends.ids == ["102", "103", "104"])
    }

    @Test func aPage_goesOnAfterATarget() throws {
        func page(_ query: (Query<Message>) -> Query<Message>) throws -> [String]? {
            try Chat.query("c1").with(\.$messages, nested: query).resolve(in: store)?.messages?.map(\.id)
        }
        #expect(try page { $0.after(key: "m2").limit(1) } == ["m1"])
        #expect(try page { $0.sorted(by: \.text).after(key: "m1") } == ["m3", "m2"])
        #expect(try page { $0.order(.descending).after(key: "m2") } == ["m1"])
        // A limit before a filter keeps the order of the list, too.
        let two = try page { $0.limit(2) }
        #expect(try page { $0.limit(2).filter(\.text != "none") } == two)
        #expect(try page { $0.after(key: "m2").filter(\.text != "none") } == ["m1", "m3"])
        #expect(throws: StoreError.query(.noContinuation(type: "Message", key: StoredKey("m4", of: Message.self)))) {
            _ = try page { $0.after(key: "m4") }
        }
    }

    @Test func keyRanges_areFilters() throws {
        let chat = try Chat.query("c1").with(\.$messages) { _ in Message.query(id: .greaterThan("m1")) }
            .resolve(in: store)
        #expect(chat?.messages?.map(\.id) == ["m2", "m3"])
        #expect(chat?.$messages.isSlice == true)
    }

    @Test func theLastRequest_wins() throws {
        let chat = try #require(
            try Chat.query("c1").with(\.$messages) { $0.limit(1) }.with(\.$users).id(\.$messages).resolve(in: store))
        #expect(chat.$messages == .ids(["m2", "m1", "m3"]))
        #expect(chat.users?.count == 3)
    }

    // MARK: Saving the result

    @Test func savingAResult_takesNothingAway() throws {
        func links() throws -> [[String]] {
            try ["users", "messages", "admins"].map { try Chat.links($0, of: "c1", in: store) }
        }
        let before = try links()
        for chat in [
            try Chat.query("c1").with(\.$messages) { $0.filter(\.text == "Hi") }.with(\.$admins).resolve(in: store),
            try Chat.query("c1").with(\.$messages) { $0.sorted(by: \.id.desc) }.with(\.$users) { $0.offset(2) }
                .resolve(in: store),
            try Chat.query("c1").with(\.$messages) { $0.limit(0) }.id(\.$admins).resolve(in: store),
            try Chat.query("c1").with(.entities, .entities, .ids).resolve(in: store),
        ] {
            try #require(chat).save(to: store)
            #expect(try links() == before)
        }
        var chat = try #require(try Chat.query("c1").with(\.$users).resolve(in: store))
        chat.$users = .relation(Array((chat.users ?? []).dropFirst()))
        try chat.save(to: store)
        #expect(try Chat.links("users", of: "c1", in: store) == ["ann", "eve"])
    }

    // MARK: Kinds of queries

    @Test func everyKindOfQuery_readsGraphs() throws {
        let ids = ["m2", "m1", "m3"]
        #expect(try Chat.query("c1", in: store).id(\.$messages).resolve()?.$messages.ids == ids)
        #expect(try Chat.query(in: store).id(\.$messages).first()?.$messages.ids == ids)
        #expect(try Chat.query().id(\.$messages).first(in: store)?.$messages.ids == ids)
        #expect(try Chat.query(id: .lessThan("c2")).id(\.$messages).resolve(in: store)[0].$messages.ids == ids)
        #expect(try Chat.filter(\.id == "c1", in: store).id(\.$messages).resolve()[0].$messages.ids == ids)
        try store.read { (context: ReadContext) throws in
            #expect(try Chat.query("c1", in: context).id(\.$messages).resolve()?.$messages.ids == ids)
            #expect(try Chat.query(["c1"], in: context).id(\.$messages).resolve()[0].$messages.ids == ids)
        }
    }

    @Test func asyncRuns_readGraphs() async throws {
        let ids = ["m2", "m1", "m3"]
        #expect(try await Chat.query("c1").id(\.$messages).resolve(in: store)?.$messages.ids == ids)
        #expect(try await Chat.query("c1", in: store).id(\.$messages).resolve()?.$messages.ids == ids)
        #expect(try await Chat.query().id(\.$messages).resolve(in: store)[0].$messages.ids == ids)
        #expect(try await Chat.query(in: store).id(\.$messages).first()?.$messages.ids == ids)
        #expect(try await Chat.query(["c1"], in: store).id(\.$messages).resolve()[0].$messages.ids == ids)
        #expect(try await Chat.query(["c1"]).id(\.$messages).resolve(in: store)[0].$messages.ids == ids)
    }

    @Test func aListOfKeys_keepsItsOrderAndItsDoubles() throws {
        let users = try User.query(["eve", "nobody", "ann", "eve"]).id(\.$chats).resolve(in: store)
        #expect(users.map(\.name) == ["Eve", "Ann", "Eve"])
        #expect(users.map(\.$chats.ids) == [["c1"], ["c1", "c2"], ["c1"]])
        #expect(try User.query(["bob", "ann"]).resolve(in: store).map(\.name) == ["Bob", "Ann"])
        #expect(try User.query([]).resolve(in: store).isEmpty)
        #expect(try User.query([String(repeating: "x", count: 600), "ann"]).resolve(in: store).map(\.name) == ["Ann"])
        let sorted = User.query(["bob", "ann", "bob"]).id(\.$chats).filter(\.name != "Eve").sorted(by: \.name)
        #expect(try sorted.resolve(in: store).map(\.name) == ["Ann", "Bob"])
        #expect(try sorted.first(in: store)?.$chats.ids == ["c1", "c2"])
        #expect("\(User.query(["bob", "ann"]).id(\.$chats))" == #"User.query(["bob", "ann"]).id(\.$chats)"#)
    }

    @Test func aListOfKeys_hasThePlanAndThePageOfItsQuery() throws {
        let list = User.query(["eve", "nobody", "bob", "ann", "eve"])
        #expect(try list.explain(in: store) == "walk a list of 4 keys\nentries to read: 4")
        #expect(try User.query(["eve"], in: store).explain() == "walk a list of 1 key\nentries to read: 1")
        #expect(try list.query.keys(in: store) == ["eve", "bob", "ann"])
        #expect(try list.filter(\.name != "Bob").keys(in: store) == ["eve", "ann"])
        #expect(try list.filter(\.name != "Bob").count(in: store) == 2)
        let bound = User.query(["eve", "bob", "ann"], in: store)
        #expect(try bound.filter(\.name != "Bob").keys() == ["eve", "ann"])
        #expect(try bound.sorted(by: \.name).keys() == ["ann", "bob", "eve"])
        // What a type's modifier may do to the query.
        func names(_ change: @escaping (Query<User>) -> Query<User>) throws -> [String] {
            try list.changing { $0 = change($0) }.resolve(in: store).map(\.name)
        }
        #expect(try names { $0 } == ["Eve", "Bob", "Ann", "Eve"])
        #expect(try names { $0.limit(2) } == ["Eve", "Bob"])
        #expect(try names { $0.offset(1).limit(3) } == ["Bob", "Ann", "Eve"])
        #expect(try names { $0.sorted(by: \.name.desc).limit(3) } == ["Eve", "Eve", "Bob"])
        #expect(try names { $0.order(.ascending) } == ["Ann", "Bob", "Eve", "Eve"])
        #expect(try names { $0.filter(\.name != "Eve") } == ["Bob", "Ann"])
        #expect(try names { $0.after(key: "bob") } == ["Ann"])
        #expect(throws: StoreError.self) { try names { $0.after(key: "zoe") } }
    }

    @Test func otherRuns_ignoreRequests() throws {
        let query = Message.filter(\.text != "").with(\.$author)
        #expect(try query.count(in: store) == 3)
        #expect(try query.keys(in: store).sorted() == ["m2", "m3", "m4"])
        #expect(try query.select(\.text).resolve(in: store).sorted() == ["Bye", "Hi", "Me"])
        // The closure gets entities without relations, so that links set meanwhile stay.
        var areNormalized = true
        let count = try query.update(in: store) { message in
            areNormalized = areNormalized && message.isNormalized
            message.text += "!"
        }
        #expect(count == 3 && areNormalized)
        #expect(try Message.query("m2").with(\.$author).resolve(in: store)?.author?.name == "Ann")
        #expect(try query.delete(in: store) == 3)
    }

    @Test func forEach_readsGraphsInParts() throws {
        try store.write { context in
            for number in 1000..<1600 {
                try Message(id: "\(number)", text: "", author: .id(number % 2 == 0 ? "ann" : "bob")).save(to: context)
            }
        }
        var names: [String?] = []
        try Message.query(id: .closedRange(from: "1000", through: "1599")).with(\.$author).forEach(in: store) {
            names.append($0.author?.name)
        }
        #expect(names == (1000..<1600).map { $0 % 2 == 0 ? "Ann" : "Bob" })
        var count = 0
        try Message.query().with(\.$author).forEach(in: store) { (_: Message) -> ScanControl in
            count += 1
            return count == 300 ? .stop : .continue
        }
        #expect(count == 300)
        // The closure may write.
        try store.write { context in
            try Message.filter(\.id < "1600").sorted(by: \.id.desc).with(\.$author).forEach(in: context) { message in
                try message.delete(from: context)
            }
            #expect(try Message.query().count(in: context) == 4)
        }
    }

    @Test func forEachInAWrite_seesTheChangesOfTheClosure() throws {
        try store.write { context in
            var seen: [String] = []
            try Message.query().with(\.$author).forEach(in: context) { message in
                seen.append("\(message.id) \(message.text) \(message.author?.name ?? "-")")
                guard message.id == "m1" else { return }
                try Message(id: "m2", text: "").delete(from: context)
                try Message(id: "m3", text: "changed").save(to: context)
                try User(id: "ann", name: "Anna").save(to: context)
            }
            #expect(seen == ["m1  Bob", "m3 changed -", "m4 Me Anna"])
        }
    }

    // MARK: Text

    @Test func explain_hasALineForEachRequest() throws {
        let query = User.query("ann").with(\.$chats) { chat in
            chat.with(\.$messages) { message in
                message.filter(\.text != "").sorted(by: \.text.desc, \.id).limit(20).offset(5).id(\.$author)
            }
            .id(slice: \.$admins) { $0.order(.descending) }
        }
        .fragment(\.$partner)
        #expect(
            try query.explain(in: store) == """
                scan User, 1 range
                entries to read: 1
                with User.chats
                  with Chat.messages: filter text != "", sorted by text descending, id, limit 20, offset 5
                    id Message.author
                  id slice Chat.admins: sorted by key descending
                fragment User.partner
                """)
        #expect(
            "\(query)"
                == #"User.query("ann").with(\.$chats) { $0.with(\.$messages) { $0.filter(\.text != "")"#
                + #".sorted(by: \.text.desc, \.id).offset(5).limit(20).id(\.$author) }"#
                + #".id(slice: \.$admins) { $0.order(.descending) } }.fragment(\.$partner)"#)
        let bulk = User.queryAll(with: .entities, .fragments, .ids)
        #expect(
            try bulk.explain(in: store).split(separator: "\n").dropFirst(2).first
                == "with User.chats: all relations as fragments, ids")
    }

    // MARK: Errors and limits

    @Test func errorsOfNestedQueries_areThrown() throws {
        #expect(throws: StoreError.query(.notStored(type: "User", property: "\\User.name.<computed Int>"))) {
            _ = try Chat.query("c1").with(\.$users) { $0.sorted(by: \.name.count) }.resolve(in: store)
        }
        #expect(throws: StoreError.self) {
            _ = try Message.query().with(\.author!.$chats).resolve(in: store)
        }
    }

    @Test func graphsDeeperThanAThousandLevels_areRefused() throws {
        try Message(id: "loop", text: "", replyTo: .id("loop")).save(to: store)
        func query(_ depth: Int) -> RecordQuery<Message> {
            var query = Message.query("loop")
            var inner = query
            for _ in 0..<depth {
                let nested = inner
                query = Message.query("loop").with(\.$replyTo) { target in target.changing { $0 = nested.query } }
                inner = query
            }
            return query
        }
        var message = try query(999).resolve(in: store)
        var depth = 0
        while let next = message {
            depth += 1
            message = next.replyTo
        }
        #expect(depth == 1000)
        #expect(
            throws: StoreError.entity(.graphTooDeep(type: "Message", key: StoredKey([], of: "Message"), limit: 1000))
        ) {
            _ = try query(1000).resolve(in: store)
        }
        #expect(throws: StoreError.self) { _ = try query(5000).resolve(in: store) }
    }
}
