// The Swift samples of Docs/Aggregates.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Aggregates.md:126
@IndexKeyRecord("id")
private struct Message {
    #Totals<Message>(by: \.folder, where: { !$0.isRead })

    let id: Int
    var folder: String
    var isRead: Bool = false
}

enum Aggregates_Recipes {
    @Sendable static func run() throws {
        // Docs/Aggregates.md:126

        let store = try Store.temporary(records: [Message.self])
        try store.insert(contentsOf: (1...9).map { Message(id: $0, folder: ["Inbox", "Lists"][$0 % 2]) })
        try store.insert(Message(id: 2, folder: "Inbox", isRead: true))

        let unread = Message.filter(!\.isRead)
        expectOutput(try unread.filter(\.folder == "Inbox").count(in: store), is: #"3"#, at: "Docs/Aggregates.md:140")
        for (folder, count) in try unread.grouped(by: \.folder).count(in: store) { print(folder, count) }
        // Inbox 3
        // Lists 5
        _ = store
        _ = unread
    }
}
