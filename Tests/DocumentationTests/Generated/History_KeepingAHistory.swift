// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:24
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

enum History_KeepingAHistory {
    @Sendable static func run() throws {
        // Docs/History.md:22


        let options = StoreOptions(history: .keep(days: 30, commits: 100_000))
        let store = try Store(path: samplePath("notes.trove"), records: [Note.self], options: options)

        try store.insert(Note(id: 1, title: "Milk"))
        try store.write(author: "sync") { context in
            try context.insert(Note(id: 2, title: "Bread"))
            try context.insert(Note(id: 1, title: "Oat milk"), onConflict: .replace)
        }

        for commit in try store.read({ try $0.history() }).suffix(2) {
            print(commit.author ?? "-", try commit.changes(of: Note.self))
        }
        // - [inserted(1)]
        // sync [updated(1), inserted(2)]
        _ = options
        _ = store
    }
}
