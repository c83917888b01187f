// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:594
@IndexKeyRecord("id")
private struct Message {
    #Totals<Message>(by: \.folder, where: { !$0.isRead })
    #Totals<Message>(by: \.isStarred, \.folder)

    let id: Int
    var folder: String
    var isRead: Bool = false
    var isStarred: Bool = false
}

enum Cookbook_UnreadBadges {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:594

        let store = try Store.temporary(records: [Message.self])
        try store.insert(contentsOf: (1...9).map { id in
            Message(id: id, folder: id < 4 ? "Inbox" : "Lists", isStarred: id % 4 == 0)
        })

        let unread = Message.filter(!\.isRead)
        expectOutput(try unread.filter(\.folder == "Inbox").count(in: store), is: #"3"#, at: "Docs/Cookbook.md:611")
        expectOutput(try unread.grouped(by: \.folder).count(in: store).map(\.value), is: #"[3, 6]"#, at: "Docs/Cookbook.md:612")

        // Each save and delete changes the badge, in its own transaction.
        try store.insert(Message(id: 2, folder: "Inbox", isRead: true))
        try Message.filter(\.folder == "Lists").update(in: store) { $0.isRead = true }
        expectOutput(try unread.grouped(by: \.folder).count(in: store).map { "\($0.key) \($0.value)" }, is: #"["Inbox 2"]"#, at: "Docs/Cookbook.md:617")
        expectOutput(try unread.exists(in: store), is: #"true"#, at: "Docs/Cookbook.md:618")
        expectOutput(try Message.filter(\.isStarred && \.folder == "Lists").count(in: store), is: #"2"#, at: "Docs/Cookbook.md:619")
        _ = store
        _ = unread
    }
}
