// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1397
@EntityModel
private struct Chat {
    let id: String
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/Cookbook.md:1403
@EntityModel
private struct Message {
    let id: String
    var text: String
    @Relationship(.required, inverse: \.messages) var chat: Chat?
}

enum Cookbook_MoveAMessageToAnotherChat {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1397


        let store = try Store.temporary(records: [Chat.self])
        try Chat(id: "1", messages: .relation([Message(id: "1", text: "Any thoughts?"), Message(id: "2", text: "Yes.")]))
            .save(to: store)

        let moved = Message(id: "2", text: "", chat: .id("archive"))
        try moved.save(\.$chat, to: store)
        try Chat(id: "archive").save(to: store)

        try Chat.delete(id: "1", from: store)  // with its messages
        expectOutput(try Message.query().select(\.text).resolve(in: store), is: #"["Yes."]"#, at: "Docs/Cookbook.md:1419")
        _ = store
        _ = moved
    }
}
