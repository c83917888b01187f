// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:70
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

enum History_ReadingIt {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/History.md:68


            let store = try await Store.temporary(records: [Note.self], options: StoreOptions(history: .keep()))
            let token = try await store.read { try $0.historyToken }
            for id in 1...3 { try await store.insert(Note(id: id, title: "note")) }

            for try await commit in store.history(after: token) {
                for case .inserted(let id) in try commit.changes(of: Note.self) { print(id) }
                if try commit.changes(of: Note.self).contains(where: { $0.key == 3 }) { break }
            }
            // 1
            // 2
            // 3
            _ = store
            _ = token
        }
    }
}
