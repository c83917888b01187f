// Graphs saved by one statement: records, links from both ends, order, and what unset relations leave alone.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Saving graphs") struct GraphSavingTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Chat.self]) }

    private func chat() throws {
        try Chat(
            id: "1", users: .relation([User(id: "1", name: "Bob"), User(id: "2", name: "Alice")]),
            messages: .relation([
                Message(id: "1", text: "Any thoughts?", author: .id("1")),
                Message(
                    id: "2", text: "Yes", author: .id("2"), attachment: .relation(Attachment(id: "1", path: "a.png")),
                    replyTo: .id("1"), viewedBy: .ids(["1", "2"])),
            ]), admins: .ids(["1"])
        ).save(to: store)
    }

    @Test func anEmptySlice_createsNoRelation() throws {
        let store = try Store.temporary(records: [Chat.self])
        try Chat(id: "1", users: .appending(ids: []), admins: .appending(relation: [])).save(to: store)
        #expect(try store.read { $0.relations.isEmpty })
        #expect(try store.read { $0.catalogSnapshot.features.isEmpty })
        try Chat(id: "1", users: .appending(ids: ["2"])).save(to: store)
        try Chat(id: "1", users: .appending(ids: [])).save(to: store)
        #expect(try Chat.links("users", of: "1", in: store) == ["2"])
    }

    @Test func aGraph_isStoredWithItsLinksFromBothEnds() throws {
        try chat()
        #expect(try store.get(User.self, key: "2")?.name == "Alice")
        #expect(try store.get(Message.self, key: "1") == Message(id: "1", text: "Any thoughts?"))
        #expect(try Chat.links("users", of: "1", in: store) == ["1", "2"])
        #expect(try User.links("chats", of: "2", in: store) == ["1"])
        #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
        #expect(try Message.links("chat", of: "2", in: store) == ["1"])
        #expect(try Chat.links("admins", of: "1", in: store) == ["1"])
        #expect(try User.links("adminOf", of: "1", in: store) == ["1"])
        #expect(try User.links("adminOf", of: "2", in: store) == [])
        #expect(try Message.links("author", of: "2", in: store) == ["2"])
        #expect(try Message.links("attachment", of: "2", in: store) == ["1"])
        #expect(try Attachment.links("message", of: "1", in: store) == ["2"])
        #expect(try Message.links("replies", of: "1", in: store) == ["2"])
        #expect(try Message.links("viewedBy", of: "2", in: store) == ["1", "2"])
        try store.expectIntactLinks()
    }

    @Test func unsetRelations_leaveStoredLinksAlone() throws {
        try chat()
        try Message(id: "2", text: "No").save(to: store)
        try store.insert(Chat(id: "1"))
        #expect(try store.get(Message.self, key: "2")?.text == "No")
        #expect(try Message.links("author", of: "2", in: store) == ["2"])
        #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
    }

    @Test func readEntities_haveNoRelations() throws {
        try chat()
        var read = try Message.query().resolve(in: store) + Message.filter(\.id > "1").resolve(in: store)
        read += [try store.get(Message.self, key: "2"), try Message.query().first(in: store)].compactMap(\.self)
        read += try store.get(Message.self, keys: ["1", "2"])
        try Message.query().forEach(in: store) { read.append($0) }
        try Message.query().update(in: store) { read.append($0) }
        #expect(read.count == 11 && read.allSatisfy(\.isNormalized))
        #expect(try Message.query().select(\.text).resolve(in: store) == ["Any thoughts?", "Yes"])
        #expect(try Chat.links("messages", of: "1", in: store) == ["1", "2"])
    }

    @Test func aToOneRelation_leavesItsFormerOwnersList() throws {
        try chat()
        try Chat(id: "2", messages: .ids(["2", "3"])).save(to: store)
        #expect(try Chat.links("messages", of: "1", in: store) == ["1"])
        #expect(try Chat.links("messages", of: "2", in: store) == ["2", "3"])
        try Message(id: "1", text: "", chat: .id("2")).save(to: store)
        #expect(try Chat.links("messages", of: "1", in: store) == [])
        #expect(try Chat.links("messages", of: "2", in: store) == ["2", "3", "1"])
        try Message(id: "9", text: "", attachment: .id("1")).save(to: store)
        #expect(try Message.links("attachment", of: "2", in: store) == [])
        try Message(id: "9", text: "", attachment: .null).save(to: store)
        #expect(try Attachment.links("message", of: "1", in: store) == [])
        #expect(try store.get(Attachment.self, key: "1") != nil)
        try store.expectIntactLinks()
    }

    @Test func theOrderOfLists_isThatOfTheStatements() throws {
        func expect(_ list: [String], after change: () throws -> Void) throws {
            try User(id: "o", name: "", friends: .ids(["a", "b", "c"])).save(to: store)
            try change()
            #expect(try User.links("friends", of: "o", in: store) == list)
            try store.expectIntactLinks()
        }
        func friends(_ value: ToManyRelation<User, Relations.Mutual, Relations.Optional>) throws {
            var user = User(id: "o", name: "")
            user.$friends = value
            try user.save(to: store)
        }
        try expect(["c", "a"]) { try friends(.ids(["c", "a"])) }
        try expect(["a", "d", "b", "c"]) { try friends(.ids(["a", "d", "b", "c"])) }
        try expect(["a", "b", "c", "d"]) { try friends(.appending(ids: ["d", "b"])) }
        try expect(["b", "a"]) { try friends(.ids(["b", "b", "a"])) }
        try expect([]) { try friends(.ids([])) }
        try expect(["a", "c"]) {
            try User(id: "b", name: "").detach(\.$friends, ids: ["o"], in: store)
        }
        try expect(["a", "b", "c", "x"]) { try User(id: "x", name: "", friends: .ids(["o"])).save(to: store) }
        try expect(["a", "b", "c", "x"]) {
            try User(id: "b", name: "", friends: .appending(ids: ["o"])).save(to: store)
            try friends(.appending(ids: ["x"]))
        }
    }

    @Test func anError_undoesTheWholeGraph_andLeavesTheTransactionUsable() throws {
        let long = String(repeating: "x", count: 600)
        try store.write { context in
            #expect(throws: StoreError.record(.keyTooLarge(type: "User", size: 601, limit: 511))) {
                try Chat(id: "1", users: .relation([User(id: "1", name: ""), User(id: long, name: "")]))
                    .save(to: context)
            }
            try User(id: "2", name: "Alice").save(to: context)
        }
        #expect(try store.get(Chat.self, key: "1") == nil)
        #expect(try store.get(User.self, key: "1") == nil)
        #expect(try store.get(User.self, key: "2") != nil)
        #expect(try User.links("chats", of: "1", in: store) == [])
    }

    @Test func aFragment_isMergedByItsStrategy() throws {
        try User(id: "1", name: "Bob", nickname: "B").save(to: store)
        try Chat(id: "1", users: .fragment([User(id: "1", name: "Robert")])).save(to: store)
        #expect(try store.get(User.self, key: "1") == User(id: "1", name: "Robert", nickname: "B"))
        try User(id: "1", name: "Rob").save(to: store, merging: .fragment)
        #expect(try store.get(User.self, key: "1") == User(id: "1", name: "Rob", nickname: "B"))
        try User(id: "1", name: "Rob").save(to: store)
        #expect(try store.get(User.self, key: "1") == User(id: "1", name: "Rob"))
    }

    @Test func anUnchangedGraph_writesNothing() throws {
        try chat()
        let sequence = try store.commitSequence
        try chat()
        #expect(try store.commitSequence == sequence)
    }

    @Test func deleting_followsTheRules() throws {
        try chat()
        try Chat(id: "1").delete(from: store)
        #expect(try store.get(Message.self, key: "1") == nil)
        #expect(try store.get(Attachment.self, key: "1") == nil)
        #expect(try store.get(User.self, key: "1") != nil)
        #expect(try User.links("chats", of: "1", in: store) == [])
        #expect(try Message.links("author", of: "1", in: store) == [])
        #expect(try Message.links("viewedBy", of: "2", in: store) == [])
        try store.expectIntactLinks()
    }

    @Test func aDeletedTarget_leavesNoOneWayLinkBehind() throws {
        try chat()
        try store.delete(User.self, key: "2")
        #expect(try Message.links("author", of: "2", in: store) == [])
        #expect(try Message.links("viewedBy", of: "2", in: store) == ["1"])
        #expect(try Chat.links("users", of: "1", in: store) == ["1"])
        try store.expectIntactLinks()
    }

    @Test func aSelfLink_isALink() throws {
        try User(id: "1", name: "", friends: .ids(["1", "2"]), partner: .id("1")).save(to: store)
        #expect(try User.links("friends", of: "1", in: store) == ["1", "2"])
        #expect(try User.links("partner", of: "1", in: store) == ["1"])
        try User(id: "1", name: "").delete(from: store)
        #expect(try User.links("friends", of: "2", in: store) == [])
        #expect(try User.links("partner", of: "1", in: store) == [])
        try store.expectIntactLinks()
    }
}
