// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1690
@EntityModel
private struct Chat {
    let id: String
    var isArchived: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \.chat) var messages: [Message]?
}

// Docs/Cookbook.md:1697
@EntityModel
private struct Message {
    let id: String
    @Relationship(.required, inverse: \.messages) var chat: Chat?
    @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
    @Relationship var viewedBy: [User]? = nil
}

// Docs/Cookbook.md:1705
@EntityModel
private struct Attachment {
    let id: String
    @Relationship(.required, inverse: \.attachment) var message: Message?
}

// Docs/Cookbook.md:1711
@EntityModel
private struct User {
    let id: String
}

enum Cookbook_DeleteWithCascades {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1690




        let store = try Store.temporary(records: [Chat.self])
        try Chat(
            id: "1", isArchived: true,
            messages: .relation([
                Message(id: "1", attachment: .relation(Attachment(id: "a.png"))),
                Message(id: "2", viewedBy: .relation([User(id: "1")])),
            ])
        ).save(to: store)

        expectOutput(try Chat.filter(\.isArchived).delete(in: store), is: #"1"#, at: "Docs/Cookbook.md:1725")
        expectOutput(try Message.query().count(in: store), try Attachment.query().count(in: store), is: #"0 0"#, at: "Docs/Cookbook.md:1726")
        expectOutput(try User.query().count(in: store), is: #"1"#, at: "Docs/Cookbook.md:1727")
        _ = store
    }
}
