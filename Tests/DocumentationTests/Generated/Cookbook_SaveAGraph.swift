// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1225
@EntityModel
private struct User {
    let id: String
    var name: String
    @Relationship(inverse: \.users) var chats: [Chat]?
}

// Docs/Cookbook.md:1232
@EntityModel
private struct Chat {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/Cookbook.md:1239
@EntityModel
private struct Message {
    let id: String
    var text: String
    @Relationship(.required) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
}

enum Cookbook_SaveAGraph {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1225



        let store = try Store(path: samplePath("chats.trove"), records: [Chat.self])  // User and Message come along
        let chat = Chat(
            id: "1",
            users: .relation([User(id: "1", name: "Bob"), User(id: "2", name: "Alice")]),
            messages: .relation([
                Message(id: "1", text: "Any thoughts?", author: .id("1")), Message(id: "2", text: "Yes.", author: .id("2")),
            ]))
        try chat.save(to: store)
        expectOutput(try User.query().select(\.name).resolve(in: store), is: #"["Bob", "Alice"]"#, at: "Docs/Cookbook.md:1255")
        expectOutput(try Message.query().count(in: store), is: #"2"#, at: "Docs/Cookbook.md:1256")
        // Docs/Cookbook.md:1262
        try [Chat(id: "2", users: .ids(["1"])), Chat(id: "3", users: .ids(["2"]))].save(to: store)
        try store.write { context in
            try Message(id: "3", text: "More thoughts?", author: .id("2"), chat: .id("2")).save(to: context)
        }
        expectOutput(try Chat.query().keys(in: store), is: #"["1", "2", "3"]"#, at: "Docs/Cookbook.md:1266")
        _ = store
        _ = chat
    }
}
