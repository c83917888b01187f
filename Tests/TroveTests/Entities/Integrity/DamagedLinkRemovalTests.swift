// Damaged links: statements throw and name them, a check reports them, and they can be removed.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Removing damaged links") struct DamagedLinkRemovalTests {
    /// A way to detach, or to delete, what is at an end of a link.
    private struct Removal: Sendable {
        let name: String
        let run: @Sendable (_ context: TransactionContext, _ ignoringDamage: Bool) throws -> Void

        init(_ name: String, _ run: @escaping @Sendable (TransactionContext, Bool) throws -> Void) {
            (self.name, self.run) = (name, run)
        }
    }

    private static let message = Message(id: "2", text: "")
    private static let user = User(id: "2", name: "")

    /// For each form of links: the relation, a link of ``LinkedStore``, and the removals that meet it. The first
    /// removal names both ends.
    private static let cases: [(relation: String, link: [String], removals: [Removal])] = [
        (
            "Message.chat", ["2", "1"],
            [
                Removal("of a chat") {
                    try Chat(id: "1").detach(\.$messages, ids: ["2", "9"], in: $0, ignoringDamage: $1)
                },
                Removal("chat") { try Chat(id: "1").detach(\.$messages, in: $0, ignoringDamage: $1) },
                Removal("message") { try message.detach(\.$chat, in: $0, ignoringDamage: $1) },
                Removal("delete the message") { try $0.delete(Message.self, key: "2", ignoringDamage: $1) },
                Removal("delete the chat") { try $0.delete(Chat.self, key: "1", ignoringDamage: $1) },
            ]
        ),
        (
            "Message.author", ["2", "2"],
            [
                Removal("of a message") { try message.detach(\.$author, ids: ["2"], in: $0, ignoringDamage: $1) },
                Removal("message") { try message.detach(\.$author, in: $0, ignoringDamage: $1) },
                Removal("delete the message") { try $0.delete(Message.self, key: "2", ignoringDamage: $1) },
                Removal("delete the author") { try $0.delete(User.self, key: "2", ignoringDamage: $1) },
            ]
        ),
        (
            "Message.viewedBy", ["2", "2"],
            [
                Removal("of a message") {
                    try message.detach(\.$viewedBy, ids: ["2"], in: $0, ignoringDamage: $1)
                },
                Removal("message") { try message.detach(\.$viewedBy, in: $0, ignoringDamage: $1) },
                Removal("delete the viewer") { try $0.delete(User.self, key: "2", ignoringDamage: $1) },
            ]
        ),
        (
            "Message.attachment", ["2", "1"],
            [
                Removal("of an attachment") {
                    try Attachment(id: "1").detach(\.$message, ids: ["2"], in: $0, ignoringDamage: $1)
                },
                Removal("message") {
                    try message.detach(\.$attachment, in: $0, ignoringDamage: $1)
                },
                Removal("delete the message") { try $0.delete(Message.self, key: "2", ignoringDamage: $1) },
                Removal("delete the attachment") { try $0.delete(Attachment.self, key: "1", ignoringDamage: $1) },
            ]
        ),
        (
            "User.chats", ["2", "1"],
            [
                Removal("of a user") {
                    try user.detach(\.$chats, ids: ["1"], in: $0, ignoringDamage: $1)
                },
                Removal("user") { try user.detach(\.$chats, in: $0, ignoringDamage: $1) },
                Removal("chat") { try Chat(id: "1").detach(\.$users, in: $0, ignoringDamage: $1) },
                Removal("delete the user") { try $0.delete(User.self, key: "2", ignoringDamage: $1) },
                Removal("delete the chat") { try $0.delete(Chat.self, key: "1", ignoringDamage: $1) },
            ]
        ),
        (
            "User.friends", ["2", "1"],
            [
                Removal("of a friend") {
                    try User(id: "1", name: "").detach(\.$friends, ids: ["2"], in: $0, ignoringDamage: $1)
                },
                Removal("user") { try user.detach(\.$friends, in: $0, ignoringDamage: $1) },
                Removal("delete the user") { try $0.delete(User.self, key: "1", ignoringDamage: $1) },
            ]
        ),
        (
            "User.partner", ["1", "2"],
            [
                Removal("of a user") {
                    try user.detach(\.$partner, ids: ["1"], in: $0, ignoringDamage: $1)
                },
                Removal("user") { try user.detach(\.$partner, in: $0, ignoringDamage: $1) },
                Removal("delete the user") { try $0.delete(User.self, key: "1", ignoringDamage: $1) },
            ]
        ),
    ]

    /// Changes the bytes of a link's record.
    private func damage(_ relation: String, _ link: [String], in store: Store) throws -> StoredType {
        let type = try store.links(relation)
        let sides = type.links?.name.hasSuffix("." + relation) == true ? link : link.reversed()
        let keys = [sides, sides.reversed()].map { $0.flatMap { KeyWriter.bytes(of: $0) } }
        let stored = try store.rawRecords(type.keyPrefix)
        var record = try #require(keys.compactMap { key in stored.first { $0.key == key } }.first, "\(relation)")
        record.value[StoredValue.headerSize - 1] ^= 1
        try store.put(record, into: type.records)
        return type
    }

    @Test(arguments: cases.indices) func aDamagedLink_isNamed_andCanBeRemoved(_ index: Int) throws {
        let (relation, link, removals) = Self.cases[index]
        for removal in removals {
            let comment: Comment = "\(relation), \(removal.name)"
            let store = try Store.temporary(records: [Chat.self])
            try LinkedStore.fill(store)
            let type = try damage(relation, link, in: store)
            try store.write { context in
                let error = #expect(throws: StoreError.self, comment) { try removal.run(context, false) }
                guard case .record(.checksumMismatch(let name, let key))? = error else {
                    Issue.record("\(String(describing: error)), \(comment)")
                    return
                }
                #expect(type.name.hasSuffix("." + name) && "\(key)".contains("\"2\""), comment)
                // The error undoes its statement, and the transaction goes on.
                try User(id: "7", name: "").save(to: context)
            }
            #expect(try store.check().map(\.kind) == [.damagedRecord], comment)
            try store.write { try removal.run($0, true) }
            #expect(try store.check() == [], comment)
            try store.expectIntactLinks(comment)
            try store.rebuild()
            #expect(try store.relationNotes().danglingEnds == 0, comment)
        }
    }

    /// A rebuild leaves a damaged link out of the lists. The error names both ends, and both together lead to it.
    @Test(arguments: cases.indices) func aDamagedLinkWithoutRows_canBeRemoved(_ index: Int) throws {
        let (relation, link, removals) = Self.cases[index]
        let store = try Store.temporary(records: [Chat.self])
        try LinkedStore.fill(store)
        let hasRows = try !damage(relation, link, in: store).indexes.isEmpty
        do {
            try store.rebuild()
            #expect(!hasRows, "\(relation)")
        } catch StoreError.record(.checksumMismatch) {
            #expect(hasRows, "\(relation)")
        }
        #expect(try store.check().map(\.kind) == [.damagedRecord], "\(relation)")
        try store.write { try removals[0].run($0, true) }
        #expect(try store.check() == [], "\(relation)")
        try store.expectIntactLinks("\(relation)")
    }

    @Test func aMissingLink_whoseRowsRemain_isRemoved() throws {
        let store = try Store.temporary(records: [Chat.self])
        try LinkedStore.fill(store)
        for relation in ["Message.chat", "User.chats", "User.friends", "Message.viewedBy"] {
            let type = try store.links(relation)
            let record = try #require(try store.rawRecords(type.keyPrefix).first)
            try store.write { context in
                try context.keyspace.delete(type.records, record.key)
                context.noteChange()
            }
        }
        func detachAll(ignoringDamage: Bool) throws {
            for id in ["1", "2"] {
                try Chat(id: id).detach(\.$messages, in: store, ignoringDamage: ignoringDamage)
                try Chat(id: id).detach(\.$users, in: store, ignoringDamage: ignoringDamage)
                try Message(id: id, text: "").detach(\.$viewedBy, in: store, ignoringDamage: ignoringDamage)
                try User(id: id, name: "").detach(\.$friends, in: store, ignoringDamage: ignoringDamage)
            }
        }
        let error = #expect(throws: StoreError.self) { try detachAll(ignoringDamage: false) }
        guard case .record(.indexDamaged)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try detachAll(ignoringDamage: true)
        #expect(try store.check() == [])
        try store.expectIntactLinks()
    }

    @Test func ignoringDamage_leavesSoundLinksAsTheyAre() throws {
        let store = try Store.temporary(records: [Chat.self])
        try LinkedStore.fill(store)
        let sequence = try store.commitSequence
        try Chat(id: "1").detach(\.$users, ids: ["9"], in: store, ignoringDamage: true)
        #expect(try store.commitSequence == sequence, "nothing is written")
        try Chat(id: "1").detach(\.$users, ids: ["2"], in: store, ignoringDamage: true)
        #expect(try Chat.links("users", of: "1", in: store) == ["1", "3", "4"])
        try User(id: "1", name: "").detach(\.$friends, in: store, ignoringDamage: true)
        #expect(try User.links("friends", of: "3", in: store) == [])
        try store.expectIntactLinks()
    }
}
