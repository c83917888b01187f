// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1279
@EntityModel
private struct User: Codable {
    let id: String
    var name: String
    @Relationship(inverse: \.users) var chats: [Chat]?
}

// Docs/Cookbook.md:1286
@EntityModel
private struct Chat: Codable {
    let id: String
    @Relationship(inverse: \.chats) var users: [User]?
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/Cookbook.md:1293
@EntityModel
private struct Message: Codable {
    let id: String
    var text: String
    @Relationship(.required) var author: User?
    @Relationship(.required, inverse: \.messages) var chat: Chat?
}

enum Cookbook_ReadAGraph {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1279



        let store = try Store(path: samplePath("chats.trove"), records: [Chat.self])
        try Chat(
            id: "1", users: .relation([User(id: "1", name: "Bob"), User(id: "2", name: "Alice")]),
            messages: .relation([
                Message(id: "1", text: "Any thoughts?", author: .id("1")), Message(id: "2", text: "Yes.", author: .id("2")),
            ])
        ).save(to: store)

        let query = Chat.query().with(\.$messages) { message in
            message.sorted(by: \.id.desc).limit(20).with(\.$author)
        }
        for chat in try query.resolve(in: store) {
            expectOutput(chat.messages?.map { "\($0.author?.name ?? "?"): \($0.text)" } ?? [], is: #"["Alice: Yes.", "Bob: Any thoughts?"]"#, at: "Docs/Cookbook.md:1313")
        }
        print(try query.explain(in: store))
        // scan Chat, all records
        // entries to read: 1
        // with Chat.messages: sorted by id descending, limit 20
        //   with Message.author
        // Docs/Cookbook.md:1325
        let message = try Message.query("2").with(\.$author).id(\.$chat).resolve(in: store)
        print(try message?.prettyDescription() ?? "")
        // {
        //   "author" : {
        //     "chats" : null,
        //     "id" : "2",
        //     "name" : "Alice"
        //   },
        //   "chat" : {
        //     "id" : "1"
        //   },
        //   "id" : "2",
        //   "text" : "Yes."
        // }
        _ = store
        _ = query
        _ = message
    }
}
