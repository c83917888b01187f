// The Swift samples of Docs/SQL.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/SQL.md:547
@EntityModel
private struct Chat {
    let id: String
    @Relationship(inverse: \.chat) var messages: [Message]?
}

// Docs/SQL.md:553
@EntityModel
private struct Message {
    let id: Int
    var text: String
    @Relationship(inverse: \.messages) var chat: Chat?
}

enum SQL_Relations {
    @Sendable static func run() throws {
        // Docs/SQL.md:545



        let store = try Store.temporary(records: [Chat.self])
        let messages = [Message(id: 7, text: "Hello"), Message(id: 5, text: "Good bye")]
        try Chat(id: "a", messages: .relation(messages)).save(to: store)

        let texts = try store.sql(
            """
            SELECT m.text FROM "Chat.messages" l JOIN Message m ON m.id = l.target
            WHERE l.owner = \("a") ORDER BY l.position
            """, as: String.self)
        expectOutput(texts, is: #"["Hello", "Good bye"]"#, at: "Docs/SQL.md:569")
        expectOutput(try store.sql(#"SELECT target FROM "Message.chat" WHERE owner = 5"#, as: String.self), is: #"["a"]"#, at: "Docs/SQL.md:570")
        _ = store
        _ = messages
        _ = texts
    }
}
