// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:613
@EntityModel
private struct User: Equatable {
    let id: String
    var name: String
    var profile: String?
    @Relationship(inverse: \.users) var chats: [Chat]?
    @Relationship(inverse: \.admins) var adminOf: [Chat]?
    @Relationship(inverse: \.friends) var friends: [User]?
}

// Docs/DataModeling.md:623
@EntityModel
private struct Chat {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(inverse: \.adminOf) var admins: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/DataModeling.md:631
@EntityModel
private struct Message: Equatable {
    let id: String
    var text: String
    @Relationship(.required) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
    @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
    @Relationship(inverse: \.replyTo) var replies: [Message]?
    @Relationship(inverse: \.replies) var replyTo: Message?
    @Relationship var viewedBy: [User]? = nil
}

// Docs/DataModeling.md:643
@EntityModel
private struct Attachment {
    let id: String
    @Relationship(.required, inverse: \.attachment) var message: Message?
}

// Docs/DataModeling.md:793
extension Attachment {
    /// Attachments never lead back to their messages in bulk queries.
    static func nestedQueryModifier(_ query: Query<Attachment>, nested: [NestedRelations]) -> Query<Attachment> {
        query.withAllRelations(nested).without(\.$message)
    }
}

// Docs/DataModeling.md:867
@EntityModel
private struct Account {
    #Unique<Account>(\.email, collisions: .upsert)

    let id: Int
    var email: String
    @Relationship(deleteRule: .cascade, inverse: \.account) var devices: [Device]?
}

// Docs/DataModeling.md:876
@EntityModel
private struct Device {
    let id: String
    @Relationship(inverse: \.devices) var account: Account?
}

// Docs/DataModeling.md:966
@EntityModel(keepsMetadata: true)
private struct Draft {
    let id: Int
    var text: String
}

// Docs/DataModeling.md:993
@EntityModel(keepsDeleted: true)
private struct Letter {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.letter) var enclosures: [Enclosure]?
}

// Docs/DataModeling.md:999
@EntityModel(keepsDeleted: true)
private struct Enclosure {
    let id: Int
    @Relationship(.required, inverse: \.enclosures) var letter: Letter?
}

enum DataModeling_Relations {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:613




        let store = try Store(path: samplePath("chats.trove"), records: [Chat.self])
        // Docs/DataModeling.md:691
        let chat = Chat(
            id: "1",
            users: .relation([User(id: "1", name: "Bob", profile: "Plays the lute"), User(id: "2", name: "Alice")]),
            admins: .ids(["1"]),
            messages: .relation([Message(id: "1", text: "Any thoughts?", author: .id("1"))]))
        try chat.save(to: store)

        var message = Message(id: "1", text: "Any thoughts at all?")
        message.$viewedBy = .appending(ids: ["2"])
        try message.save(to: store)  // its author and its chat stay
        // Docs/DataModeling.md:736
        let bob = try User.query("1")
            .with(\.$chats) { chat in
                chat.with(\.$messages) { message in
                    message.filter(\.text != "").sorted(by: \.id.desc).limit(20).id(\.$author)
                }
                .with(\.$users)
                .id(\.$admins)
            }
            .resolve(in: store)
        expectOutput(bob?.chats?[0].messages?.map(\.text) ?? [], is: #"["Any thoughts at all?"]"#, at: "Docs/DataModeling.md:745")
        expectOutput(bob?.chats?[0].users?.map(\.name) ?? [], bob?.chats?[0].$admins.ids ?? [], is: #"["Bob", "Alice"] ["1"]"#, at: "Docs/DataModeling.md:746")
        // Docs/DataModeling.md:778
        let graphs = try User.queryAll(with: .entities, .fragments, .ids).resolve(in: store)
        expectOutput(graphs[0].chats?[0].messages?[0].$author.id ?? "none", is: #"1"#, at: "Docs/DataModeling.md:779")
        let everything = try User.query("2").with(\.$chats) { $0.with(.entities) }.resolve(in: store)
        expectOutput(everything?.chats?[0].messages?.count ?? 0, is: #"1"#, at: "Docs/DataModeling.md:781")
        // Docs/DataModeling.md:811
        try User(id: "1", name: "Bob").save(to: store, merging: .fragment)
        expectOutput(try User.get(in: store, id: "1")?.profile ?? "none", is: #"Plays the lute"#, at: "Docs/DataModeling.md:812")
        try User(id: "1", name: "Bob").save(to: store)
        expectOutput(try User.get(in: store, id: "1")?.profile ?? "none", is: #"none"#, at: "Docs/DataModeling.md:814")
        // Docs/DataModeling.md:841
        try chat.delete(from: store)
        expectOutput(try Message.query().count(in: store), try User.query().count(in: store), is: #"0 2"#, at: "Docs/DataModeling.md:842")
        // Docs/DataModeling.md:867


        let accounts = try Store(path: samplePath("accounts.trove"), records: [Account.self])
        try Account(id: 1, email: "bob@example.com", devices: .relation([Device(id: "phone"), Device(id: "watch")]))
            .save(to: accounts)
        try Account(id: 2, email: "bob@example.com", devices: .relation([Device(id: "phone")]))
            .save(to: accounts)
        expectOutput(try Account.query().keys(in: accounts), is: #"[2]"#, at: "Docs/DataModeling.md:887")
        expectOutput(try Device.query().keys(in: accounts), is: #"["phone"]"#, at: "Docs/DataModeling.md:888")
        // Docs/DataModeling.md:914
        try Chat(
            id: "5", users: .relation([User(id: "9", name: "Eve")]),
            messages: .relation([Message(id: "51", text: "Hi", author: .id("9")), Message(id: "52", text: "Ho")])
        ).save(to: store)

        let messages = User.query("9").related(\.$chats).related(\.$messages)
        expectOutput(try messages.filter(\.text != "Ho").count(in: store), is: #"1"#, at: "Docs/DataModeling.md:920")
        expectOutput(try Chat.query("5").related(\.$messages).limit(1).keys(in: store), is: #"["51"]"#, at: "Docs/DataModeling.md:921")
        expectOutput(try Message.query("51").related(\.$author).first(in: store)?.name ?? "none", is: #"Eve"#, at: "Docs/DataModeling.md:922")
        // Docs/DataModeling.md:933
        expectOutput(try Message.filter(.linked(\.$author, to: "9")).keys(in: store), is: #"["51"]"#, at: "Docs/DataModeling.md:933")
        expectOutput(try Message.filter(\.$author == .id("9") && .hasNone(\.$replies)).count(in: store), is: #"1"#, at: "Docs/DataModeling.md:934")
        expectOutput(try Chat.filter(.linked(\.$users, to: ["1", "9"])).exists(in: store), is: #"true"#, at: "Docs/DataModeling.md:935")
        expectOutput(try Chat.query("5").linkCount(of: \.$messages).resolve(in: store), is: #"2"#, at: "Docs/DataModeling.md:936")
        // Docs/DataModeling.md:966

        let drafts = try Store.temporary()
        for id in 1...3 { try Draft(id: id, text: "Draft \(id)").save(to: drafts) }
        try Draft(id: 1, text: "Changed").save(to: drafts)

        let latest = Draft.query().sorted(by: .updatedAt.desc).limit(2)
        expectOutput(try latest.keys(in: drafts), is: #"[1, 3]"#, at: "Docs/DataModeling.md:977")
        let hour = Date(timeIntervalSinceNow: -3_600)...Date(timeIntervalSinceNow: 3_600)
        expectOutput(try Draft.filter(.updated(within: hour)).sorted(by: .updatedAt).first(in: drafts)?.id ?? 0, is: #"2"#, at: "Docs/DataModeling.md:979")
        // Docs/DataModeling.md:993


        let letters = try Store.temporary(records: [Letter.self])
        try Letter(id: 1, enclosures: .relation([Enclosure(id: 7)])).save(to: letters)
        try Letter(id: 1).delete(from: letters)
        if let deleted = try Deleted<Letter>.query(1).resolve(in: letters) {
            try deleted.restore(in: letters)
            for enclosure in try Deleted<Enclosure>.query(deleted.entity.$enclosures.ids).resolve(in: letters) {
                try enclosure.restore(in: letters)
            }
        }
        expectOutput(try Letter.query(1).related(\.$enclosures).keys(in: letters), is: #"[7]"#, at: "Docs/DataModeling.md:1014")
        // Docs/DataModeling.md:1044
        try store.write { context in
            guard var user = try User.get(in: context, id: "2") else { return }
            user.name += " the Great"
            try user.save(to: context)
        }
        expectOutput(try User.get(in: store, id: "2")?.name ?? "none", is: #"Alice the Great"#, at: "Docs/DataModeling.md:1049")
        _ = store
        _ = chat
        _ = message
        _ = bob
        _ = graphs
        _ = everything
        _ = accounts
        _ = messages
        _ = drafts
        _ = latest
        _ = hour
        _ = letters
    }
}
