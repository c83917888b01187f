// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:146
@IndexKeyRecord("id")
private struct Chat {
    let id: Int
    var title: String
}

// Docs/Observation.md:152
@IndexKeyRecord("chat", "id")
private struct Message {
    let chat: Int
    let id: Int
    var isRead: Bool
}

enum Observation_SeveralRequestsOfOneSnapshot {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:144



            let store = try await Store.temporary(records: [Chat.self, Message.self])
            try await store.write { context in
                try context.insert(Chat(id: 1, title: "Fhloston"))
                try context.insert(Message(chat: 1, id: 1, isRead: false))
            }
            // Docs/Observation.md:167
            let unread = Message.filter(\.isRead == false).count
            for try await (chats, count) in store.observe(Chat.query(), unread) {
                print(chats.map(\.title), count)
                if count == 0 { break }
                try await store.write { context in
                    try Message.query(chat: 1).update(in: context) { $0.isRead = true }
                }
            }
            _ = store
            _ = unread
        }
    }
}
