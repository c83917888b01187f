// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:289
@EntityModel
private struct User {
    let id: String
    var name: String
    @Relationship(inverse: \.users) var chats: [Chat]?
}

// README.md:296
@EntityModel
private struct Chat {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// README.md:303
@EntityModel
private struct Message {
    let id: String
    var text: String
    @Relationship(.required) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
}

enum README_EntitiesAndRelations {
    @Sendable static func run() throws {
        // README.md:289



        let store = try Store(path: samplePath("chats.trove"), records: [Chat.self])
        let chat = Chat(
            id: "1", users: .relation([User(id: "1", name: "Bob"), User(id: "2", name: "Alice")]),
            messages: .relation([Message(id: "1", text: "Any thoughts?", author: .id("1"))]))
        try chat.save(to: store)

        // A relation that is not set keeps its links: the message stays in its chat.
        try Message(id: "1", text: "Any thoughts at all?").save(to: store)
        try store.write { context in
            try Message(id: "2", text: "Yes.", author: .id("2"), chat: .id("1")).save(to: context)
        }
        expectOutput(try Message.query().select(\.text).resolve(in: store), is: #"["Any thoughts at all?", "Yes."]"#, at: "README.md:322")

        try chat.delete(from: store)  // with its messages, by the rule; the users stay
        expectOutput(try Message.query().count(in: store), try User.query().count(in: store), is: #"0 2"#, at: "README.md:325")
        _ = store
        _ = chat
    }
}
