// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:219
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

enum History_Undo {
    @Sendable static func run() throws {
        // Docs/History.md:217


        let rules = HistoryPolicy.keep(commits: 100).keepingDeleted(Note.self)
        let store = try Store.temporary(records: [Note.self], options: StoreOptions(history: rules))
        try store.insert(Note(id: 1, title: "Milk"))
        try store.write(author: "user") { context in
            try context.delete(Note.self, key: 1)
            try context.insert(Note(id: 2, title: "Bread"))
        }

        try store.write(author: "undo") { context in
            guard let last = try context.history().last(where: { $0.author == "user" }) else { return }
            for change in try last.changes(of: Note.self) {
                switch change {
                case .inserted(let id): try context.delete(Note.self, key: id)
                case .deleted(_, let tombstone): if let note = tombstone?.record { try context.insert(note) }
                default: break
                }
            }
        }
        expectOutput(try Note.query().resolve(in: store).map(\.title), is: #"["Milk"]"#, at: "Docs/History.md:243")
        _ = rules
        _ = store
    }
}
