// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:178
@IndexKeyRecord("room", "number")
private struct Message {
    let room: String
    let number: Int
    let text: String
}

enum Cookbook_Pages {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:178

        let store = try Store.temporary()
        try store.write { context in
            try context.insert(contentsOf: (1...250).map { Message(room: "lobby", number: $0, text: "Hello \($0)") })
        }

        var sizes: [Int] = []
        var last: Message.IndexKey?
        repeat {
            let page = try Message.select(in: store, limit: 100, after: last, room: "lobby")
            sizes.append(page.count)
            last = page.last?.indexKey
        } while sizes.last == 100
        expectOutput(sizes, is: #"[100, 100, 50]"#, at: "Docs/Cookbook.md:197")
        // Docs/Cookbook.md:203
        let newest = try Message.select(in: store, limit: 2, order: .descending, room: "lobby")
        expectOutput(newest.map(\.number), is: #"[250, 249]"#, at: "Docs/Cookbook.md:204")
        let older = try Message.select(in: store, limit: 2, order: .descending, after: newest.last?.indexKey, room: "lobby")
        expectOutput(older.map(\.number), is: #"[248, 247]"#, at: "Docs/Cookbook.md:206")
        _ = store
        _ = sizes
        _ = last
        _ = newest
        _ = older
    }
}
