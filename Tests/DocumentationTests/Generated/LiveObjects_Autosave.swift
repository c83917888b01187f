// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:420
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_Autosave {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/LiveObjects.md:418


            let store = try await Store.temporary(records: [User.self])
            store.live.autosaveDelay = .milliseconds(500)
            let watcher = Task {
                for await failure in store.live.failures {
                    print("\(failure.key) was not saved: \(failure.error)")
                }
            }
            // …
            watcher.cancel()  // when the program no longer shows failures
            _ = store
            _ = watcher
        }
    }
}
