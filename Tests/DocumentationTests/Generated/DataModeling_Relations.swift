// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:563
@EntityModel
private struct User: Equatable {
    let id: String
    var name: String
    var profile: String?
    @Relationship(inverse: \.users) var chats: [Chat]?
    @Relationship(inverse: \.admins) var adminOf: [Chat]?
    @Relationship(inverse: \.friends) var friends: [User]?
}

// Docs/DataModeling.md:573
@EntityModel
private struct Chat {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(inverse: \.adminOf) var admins: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/DataModeling.md:581
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

// Docs/DataModeling.md:593
@EntityModel
private struct Attachment {
    let id: String
    @Relationship(.required, inverse: \.attachment) var message: Message?
}

// Docs/DataModeling.md:720
@EntityModel
private struct Account {
    #Unique<Account>(\.email, collisions: .upsert)

    let id: Int
    var email: String
    @Relationship(deleteRule: .cascade, inverse: \.account) var devices: [Device]?
}

// Docs/DataModeling.md:729
@EntityModel
private struct Device {
    let id: String
    @Relationship(inverse: \.devices) var account: Account?
}

enum DataModeling_Relations {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:563




        let store = try Store(path: samplePath("chats.trove"), records: [Chat.self])
        // Docs/DataModeling.md:634
        let chat = Chat(
            id: "1",
            users: .relation([User(id: "1", name: "Bob", profile: "Plays the lute"), User(id: "2", name: "Alice")]),
            admins: .ids(["1"]),
            messages: .relation([Message(id: "1", text: "Any thoughts?", author: .id("1"))]))
        try chat.save(to: store)

        var message = Message(id: "1", text: "Any thoughts at all?")
        message.$viewedBy = .appending(ids: ["2"])
        try message.save(to: store)  // its author and its chat stay
        // Docs/DataModeling.md:671
        try User(id: "1", name: "Bob").save(to: store, options: .fragment)
        expectOutput(try User.get(in: store, id: "1")?.profile ?? "none", is: #"Plays the lute"#, at: "Docs/DataModeling.md:672")
        try User(id: "1", name: "Bob").save(to: store)
        expectOutput(try User.get(in: store, id: "1")?.profile ?? "none", is: #"none"#, at: "Docs/DataModeling.md:674")
        // Docs/DataModeling.md:696
        try chat.delete(from: store)
        expectOutput(try Message.query().count(in: store), try User.query().count(in: store), is: #"0 2"#, at: "Docs/DataModeling.md:697")
        // Docs/DataModeling.md:720


        let accounts = try Store(path: samplePath("accounts.trove"), records: [Account.self])
        try Account(id: 1, email: "bob@example.com", devices: .relation([Device(id: "phone"), Device(id: "watch")]))
            .save(to: accounts)
        try Account(id: 2, email: "bob@example.com", devices: .relation([Device(id: "phone")]))
            .save(to: accounts)
        expectOutput(try Account.query().keys(in: accounts), is: #"[2]"#, at: "Docs/DataModeling.md:740")
        expectOutput(try Device.query().keys(in: accounts), is: #"["phone"]"#, at: "Docs/DataModeling.md:741")
        // Docs/DataModeling.md:766
        try store.write { context in
            guard var user = try User.get(in: context, id: "2") else { return }
            user.name += " the Great"
            try user.save(to: context)
        }
        expectOutput(try User.get(in: store, id: "2")?.name ?? "none", is: #"Alice the Great"#, at: "Docs/DataModeling.md:771")
        _ = store
        _ = chat
        _ = message
        _ = accounts
    }
}
