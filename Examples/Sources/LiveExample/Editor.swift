// The process that edits the messages of the demo.

import Trove

/// The process that edits.
struct Editor {
    static let farewell = "Good night."
    static let mostMessages = 6

    let path: String

    func run() async throws {
        let store = try await Store(path: path, records: [LiveMessage.self])
        let texts = [
            "Taxi, please.", "Multipass!", "Big badaboom.", "Green?", "Super green.", "Time is not important.",
        ]
        let authors = ["Korben", "Leeloo", "Ruby", "Cornelius", "Zorg", "David"]
        for (id, text) in texts.enumerated() {
            let message = LiveMessage(id: id, author: authors[id], text: text, isRead: false)
            try await store.insert(message)
            try await Task.sleep(for: .milliseconds(300))
        }
        for id in texts.indices.dropLast() {
            try await store.write { context in
                guard var message = try context.get(LiveMessage.self, key: id) else { return }
                message.isRead = true
                try context.insert(message)
            }
            try await Task.sleep(for: .milliseconds(300))
        }
        try await store.insert(LiveMessage(id: 100, author: "Zorg and all", text: Self.farewell, isRead: false))
    }
}
