// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:113
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
    var text: String
}

enum History_DeletedRecords {
    @Sendable static func run() throws {
        // Docs/History.md:111


        let rules = HistoryPolicy.keep(days: 30).keepingDeleted(Note.self, \.title)
        let store = try Store.temporary(records: [Note.self], options: StoreOptions(history: rules))
        try store.insert(Note(id: 1, title: "Milk", text: "Two liters"))
        try store.delete(Note.self, key: 1)

        if let last = try store.read({ try $0.history() }).last {
            for case .deleted(let id, let tombstone?) in try last.changes(of: Note.self) {
                print(id, tombstone[\.title] ?? "", tombstone[\.text] ?? "not kept")
            }
        }
        // 1 Milk not kept
        _ = rules
        _ = store
    }
}
