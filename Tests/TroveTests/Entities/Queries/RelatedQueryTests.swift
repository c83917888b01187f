// Queries for the targets of a relation, and filters on links.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Related queries") struct RelatedQueryTests {
    private let store: Store

    init() throws {
        store = try Store.temporary()
        try store.write { context in
            let users = ["1", "2", "3"].map { User(id: $0, name: "user \($0)") }
            try Chat(id: "a", users: .relation(Array(users[..<2])), admins: .ids(["1"])).save(to: context)
            try Chat(id: "b", users: .relation([users[1], users[2]])).save(to: context)
            try Chat(id: "c").save(to: context)
            for (id, chat, author) in [("5", "a", "1"), ("3", "a", "2"), ("9", "a", "1"), ("1", "b", "2")] {
                try Message(id: id, text: "text \(id)", author: .id(author), chat: .id(chat)).save(to: context)
            }
            // Not stored: a message in a chat's list, and a chat in a user's list.
            try Chat(id: "a", messages: .appending(ids: ["4"])).save(to: context)
            try User(id: "1", name: "user 1", chats: .appending(ids: ["x"])).save(to: context)
            try Message(id: "7", text: "lost", author: .id("1"), chat: .id("x")).save(to: context)
        }
    }

    // MARK: From one

    @Test func fromAnEntity_areInTheOrderOfTheList_withoutMissingOnes() throws {
        #expect(try Chat.query("a").related(\.$messages).keys(in: store) == ["5", "3", "9"])
        #expect(
            try Chat.query("a", in: store).related(\.$messages).resolve().map(\.text) == ["text 5", "text 3", "text 9"])
        #expect(try User.query("1").related(\.$chats).count(in: store) == 1)
        #expect(try User.query("1").linkCount(of: \.$chats).resolve(in: store) == 2)
        #expect(try User.query("1", in: store).linkCount(of: \.$friends).resolve() == 0)
        #expect(try Message.query("5").related(\.$author).first(in: store)?.name == "user 1")
        #expect(try Message.query("5").related(\.$replyTo).first(in: store) == nil)
    }

    @Test func fromAMissingEntity_isNothing() throws {
        #expect(try Chat.query("x").related(\.$messages).resolve(in: store).isEmpty)
        #expect(try Chat.query("x").linkCount(of: \.$messages).resolve(in: store) == 1)
        #expect(try Message.filter(.linked(\.$chat, to: "x")).keys(in: store) == ["7"])
        #expect(try Chat.query(String(repeating: "x", count: 600)).related(\.$messages).count(in: store) == 0)
        #expect(try Chat.query(String(repeating: "x", count: 600)).linkCount(of: \.$messages).resolve(in: store) == 0)
    }

    @Test func aChain_goesThroughStoredEntities() throws {
        let messages = User.query("1").related(\.$chats).related(\.$messages)
        #expect(try messages.keys(in: store) == ["5", "3", "9"])
        #expect(try messages.filter(\.text != "text 3").related(\.$author).keys(in: store) == ["1"])
        #expect(try messages.order(.ascending).keys(in: store) == ["3", "5", "9"])
        #expect(try messages.order(.descending).limit(2).keys(in: store) == ["9", "5"])
        #expect(
            try messages.sorted(by: \.text.desc).select(\.text).resolve(in: store) == ["text 9", "text 5", "text 3"])
    }

    @Test func aLongChain_isRefused() throws {
        try Message(id: "loop", text: "", replyTo: .id("loop")).save(to: store)
        @Sendable func chain(_ count: Int) -> Query<Message> {
            var query = Message.query("loop").related(\.$replies)
            for _ in 1..<count { query = query.related(\.$replies) }
            return query
        }
        let store = store
        let longest = try onAnotherThread(stackSize: smallStackSize) {
            let query = chain(LinkSource.depthLimit)
            #expect(try query.filter(.linked(\.$replyTo, to: "loop")).keys(in: store) == ["loop"])
            #expect(try query.relatedGroups(\.$replies).resolve(in: store).map(\.targets.count) == [1])
            #expect(try query.explain(in: store).contains("walk links Message.replies"))
            return try query.sorted(by: \.text).count(in: store)
        }
        #expect(longest == 1)
        let error = StoreError.entity(
            .graphTooDeep(type: "Message", key: StoredKey([], of: "Message"), limit: LinkSource.depthLimit))
        for count in [LinkSource.depthLimit + 1, 20_000] {
            #expect(throws: error) { try chain(count).count(in: store) }
            #expect(throws: error) { try chain(count).resolve(in: store) }
        }
    }

    // MARK: From a list

    @Test func fromAList_areInItsOrder() throws {
        let chats = Chat.query(["b", "x", "a", "b"])
        #expect(try chats.related(\.$messages).keys(in: store) == ["1", "5", "3", "9"])
        #expect(try Chat.query(["a", "b"]).related(\.$messages).keys(in: store) == ["5", "3", "9", "1"])
        #expect(try chats.related(\.$messages).limit(2).offset(1).keys(in: store) == ["5", "3"])
        #expect(try chats.related(\.$messages).after(key: "5").keys(in: store) == ["3", "9"])
        #expect(try chats.related(\.$messages).related(\.$author).keys(in: store) == ["2", "1"])
        #expect(try Chat.query(["b", "a"], in: store).related(\.$messages).keys() == ["1", "5", "3", "9"])
        #expect(try Chat.query([]).related(\.$messages).count(in: store) == 0)
        #expect("\(chats.related(\.$messages))" == #"Chat.query(["b", "x", "a", "b"]).related(\.$messages)"#)
        let groups = try chats.relatedGroups(\.$messages).resolve(in: store)
        #expect(groups.map(\.owner) == ["b", "a"])
        #expect(groups.map { $0.targets.map(\.id) } == [["1"], ["5", "3", "9"]])
        #expect(try Chat.query(["b", "a"], in: store).relatedGroups(\.$messages).resolve() == groups)
    }

    // MARK: From many

    @Test func fromMany_eachIsFoundOnce_inOrderOfFirstAppearance() throws {
        let chats = User.filter(\.name != "").order(.descending).related(\.$chats)
        #expect(try chats.keys(in: store) == ["b", "a"])
        #expect(try User.query().order(.ascending).related(\.$chats).keys(in: store) == ["a", "b"])
        #expect(try Chat.query().related(\.$users).count(in: store) == 3)
        #expect(try chats.after(key: "b").keys(in: store) == ["a"])
        #expect(try chats.offset(1).keys(in: store) == ["a"])
    }

    @Test func groups_areOwnerByOwner() throws {
        let groups = try User.query().relatedGroups(\.$chats).resolve(in: store)
        #expect(groups.map(\.owner) == ["1", "2", "3"])
        #expect(groups.map { $0.targets.map(\.id) } == [["a"], ["a", "b"], ["b"]])
        let bound = try Chat.filter(\.id != "b", in: store).relatedGroups(\.$messages).resolve()
        #expect(bound.map { $0.targets.map(\.id) } == [["5", "3", "9"], []])
        #expect(try Message.filter(\.id == "5").relatedGroups(\.$author).resolve(in: store).map(\.targets.count) == [1])
        #expect(try User.query().relatedGroups(\.$partner).resolve(in: store).map(\.targets.count) == [0, 0, 0])
    }

    @Test func asyncForms_findTheSame() async throws {
        #expect(try await Chat.query("a").related(\.$messages).keys(in: store) == ["5", "3", "9"])
        #expect(try await Chat.query("a", in: store).related(\.$messages).count() == 3)
        #expect(try await Chat.query("a").linkCount(of: \.$messages).resolve(in: store) == 4)
        #expect(try await Chat.query("a", in: store).linkCount(of: \.$messages).resolve() == 4)
        #expect(try await User.query().relatedGroups(\.$chats).resolve(in: store).count == 3)
        #expect(
            try await User.filter(\.id == "2", in: store).relatedGroups(\.$chats).resolve().map(\.targets.count) == [2])
    }

    // MARK: Filters

    @Test func linked_findsByTheOtherEnd() throws {
        #expect(try Message.filter(.linked(\.$author, to: "1")).keys(in: store).sorted() == ["5", "7", "9"])
        #expect(try Message.filter(\.$author == .id("2")).keys(in: store).sorted() == ["1", "3"])
        #expect(try Message.filter(\.$author != .id("1")).keys(in: store).sorted() == ["1", "3"])
        #expect(try Chat.filter(.linked(\.$users, to: ["1", "3", "1"])).keys(in: store).sorted() == ["a", "b"])
        #expect(try Chat.filter(.linked(\.$users, to: [])).count(in: store) == 0)
        #expect(try Chat.filter(.hasNone(\.$users)).keys(in: store) == ["c"])
        #expect(try Chat.filter(.not(.hasNone(\.$messages))).keys(in: store) == ["a", "b"])
        #expect(
            try Message.filter(.linked(\.$author, to: "1") && .linked(\.$chat, to: "a") || \.id == "1")
                .order(.ascending).keys(in: store) == ["1", "5", "9"])
        #expect(try Message.filter(.linked(\.$author, to: String(repeating: "1", count: 600))).count(in: store) == 0)
    }

    @Test func otherRelationValues_areRefused_withTheFilterToUse() throws {
        for value in [.null, .none, .relation(Message(id: "5", text: ""))]
            as [MutualRelation<Message, Relations.ToOne<Message>, Relations.Optional>]
        {
            let error = #expect(throws: StoreError.self) { try Message.filter(\.$replyTo == value).count(in: store) }
            #expect(error.map { "\($0)" }?.contains(".linked(\\.$replyTo, to: …)") == true)
        }
        #expect(throws: StoreError.self) { try Chat.filter(\.$users == .ids(["1"])).count(in: store) }
    }

    // MARK: Pages

    @Test func aPage_needsThePlaceOfItsStart() throws {
        let messages = Chat.query("a").related(\.$messages)
        #expect(try messages.after(key: "3").keys(in: store) == ["9"])
        // The place of an entity that is not stored is known.
        #expect(try messages.after(key: "4").keys(in: store).isEmpty)
        #expect(
            throws: StoreError.query(.noContinuation(type: "Message", key: Message.schema.storedKey(KeyBytes.of("1"))))
        ) {
            try messages.after(key: "1").keys(in: store)
        }
        #expect(throws: StoreError.self) { try User.query().related(\.$chats).after(key: "z").keys(in: store) }
        // In the order of the key, any key has a place.
        #expect(try messages.order(.ascending).after(key: "4").keys(in: store) == ["5", "9"])
    }

    // MARK: Writing

    @Test func aWriteTransaction_seesItsOwnLinks() throws {
        try store.write { context in
            let messages = Chat.query("b").related(\.$messages)
            try Message(id: "2", text: "new", author: .id("3"), chat: .id("b")).save(to: context)
            #expect(try messages.keys(in: context) == ["1", "2"])
            try Message(id: "2", text: "new").detach(\.$chat, in: context)
            #expect(try messages.keys(in: context) == ["1"])
            var visited: [String] = []
            try Chat.query("a").related(\.$messages).forEach(in: context) { message in
                visited.append(message.id)
                try message.delete(from: context)
            }
            #expect(visited == ["5", "3", "9"])
        }
        #expect(try Chat.query("a").related(\.$messages).count(in: store) == 0)
    }

    @Test func update_changesTheTargets() throws {
        let count = try User.query("1").related(\.$chats).related(\.$messages).filter(\.id != "3").update(in: store) {
            $0.text = "changed"
            $0.$chat = .id("b")
        }
        #expect(count == 2)
        #expect(try Message.filter(\.text == "changed").keys(in: store) == ["5", "9"])
        #expect(try Chat.query("b").related(\.$messages).keys(in: store) == ["1", "5", "9"])
    }

    @Test func delete_takesTheMatchesAtItsStart() throws {
        // Deleting the first match removes the link by which the others match.
        try Message(id: "1", text: "", replies: .ids(["1", "3"])).save(to: store)
        #expect(try Message.filter(.linked(\.$replyTo, to: "1")).delete(in: store) == 2)
        #expect(try Message.query().keys(in: store) == ["5", "7", "9"])
        #expect(try Chat.query("a", in: store).related(\.$messages).delete() == 2)
        #expect(try Message.query().keys(in: store) == ["7"])
        try store.expectIntactLinks()
    }

    @Test func theErrorOfAnOwnersQuery_isThrown_inAnyStore() throws {
        let messages = Chat.filter(\.$users == .ids([])).related(\.$messages)
        for store in [store, try Store.temporary()] {
            #expect(throws: StoreError.self) { try messages.count(in: store) }
            #expect(throws: StoreError.self) { try messages.explain(in: store) }
        }
    }

    // MARK: Stores without links

    @Test func withoutLinks_nothingIsFound() throws {
        let empty = try Store.temporary()
        for round in 0..<2 {
            #expect(try Chat.query("a").related(\.$messages).resolve(in: empty).isEmpty)
            #expect(try Chat.query().related(\.$messages).related(\.$author).count(in: empty) == 0)
            #expect(try Chat.filter(.linked(\.$users, to: "1")).count(in: empty) == 0)
            #expect(try Chat.filter(.hasNone(\.$users)).count(in: empty) == round)
            #expect(try Chat.query("a").linkCount(of: \.$users).resolve(in: empty) == 0)
            #expect(try Chat.query().relatedGroups(\.$users).resolve(in: empty).count == round)
            #expect(try Chat.query("a").related(\.$messages).explain(in: empty).isEmpty == false)
            // A chat without any links.
            try Chat(id: "a").save(to: empty)
        }
    }

    // MARK: Text

    @Test func queries_arePrintedAsSwift() throws {
        #expect(
            "\(User.query("1").related(\.$chats).filter(.hasNone(\.$admins)).limit(3))"
                == #"User.query("1").related(\.$chats).filter(.hasNone(\.$admins)).limit(3)"#)
        #expect(
            "\(User.filter(\.name == "x").related(\.$chats).order(.ascending))"
                == #"User.filter(\.name == "x").related(\.$chats).order(.ascending)"#)
        #expect(
            "\(Message.filter(.linked(\.$author, to: "1")).filter(.linked(\.$viewedBy, to: ["2", "3"])))"
                == #"Message.filter(.linked(\.$author, to: "1")).filter(.linked(\.$viewedBy, to: ["2", "3"]))"#)
    }
}

/// The bytes of keys.
private enum KeyBytes {
    static func of(_ key: some KeyComponent) -> [UInt8] { KeyWriter.bytes(of: key) }
}
