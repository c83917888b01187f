// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1430
@EntityModel
private struct Chat {
    let id: String
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/Cookbook.md:1436
@EntityModel
private struct Message {
    #Index<Message>(\.day)

    let id: Int
    var day: Int
    var isRead: Bool = false
    @Relationship(inverse: \.messages) var chat: Chat?
    @Relationship() var author: User?
}

// Docs/Cookbook.md:1447
@EntityModel
private struct User {
    let id: String
}

enum Cookbook_PageThroughAChat {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1430



        let store = try Store.temporary(records: [Chat.self])
        let sent = (1...100).map { Message(id: $0, day: $0 / 10, author: .id($0 % 3 == 0 ? "bob" : "alice")) }
        try Chat(id: "1", messages: .relation(sent)).save(to: store)

        let messages = Chat.query("1").related(\.$messages)
        let page = try messages.limit(3).resolve(in: store)
        let next = try messages.after(page.last).limit(3).keys(in: store)
        expectOutput(page.map(\.id), next, is: #"[1, 2, 3] [4, 5, 6]"#, at: "Docs/Cookbook.md:1459")

        // The last messages of Bob, whose relation has no inverse.
        let latest = Message.filter(.linked(\.$author, to: "bob")).sorted(by: \.day.desc, \.id.desc).limit(2)
        expectOutput(try latest.keys(in: store), is: #"[99, 96]"#, at: "Docs/Cookbook.md:1463")

        // Read what is unread.
        let count = try messages.filter(!\.isRead && \.day == 3).update(in: store) { $0.isRead = true }
        expectOutput(count, is: #"10"#, at: "Docs/Cookbook.md:1467")
        // Docs/Cookbook.md:1473
        print(try messages.filter(\.day == 3).explain(in: store))
        // order as links Chat.messages of 1 owner
        // matches of:
        //   scan index(day) of Message, 1 range: day == 3
        //   filter: in links Chat.messages of 1 owner
        // entries to read: 10
        _ = store
        _ = sent
        _ = messages
        _ = page
        _ = next
        _ = latest
        _ = count
    }
}
