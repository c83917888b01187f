// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:255
@IndexKeyRecord("number")
private struct Contract {
    let number: Int
    var holder: String
}

enum History_AnAuditTrail {
    @Sendable static func run() throws {
        // Docs/History.md:253


        let rules = HistoryPolicy.keep(days: 365).keepingDeleted(Contract.self)
        let store = try Store.temporary(records: [Contract.self], options: StoreOptions(history: rules))
        try store.write(author: "ines") { try $0.insert(Contract(number: 7, holder: "Lindgren")) }
        try store.write(author: "omar") { try $0.insert(Contract(number: 7, holder: "Lind"), onConflict: .replace) }
        try store.write(author: "omar") { try $0.delete(Contract.self, key: 7) }

        for commit in try store.read({ try $0.history() }) {
            for change in try commit.changes(of: Contract.self) where change.key == 7 {
                print(commit.author ?? "-", change)
                if case .deleted(_, let kept) = change { print(kept?.record?.holder ?? "") }
            }
        }
        // ines inserted(7)
        // omar updated(7)
        // omar deleted(7)
        // Lind
        _ = rules
        _ = store
    }
}
