// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:260
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
}

enum Observation_ChangedKeys {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:258


            let store = try await Store.temporary(records: [User.self])
            let changes = store.changes  // from here on
            let watcher = Task {
                for try await change in changes {
                    switch change.keys(of: User.self) {
                    case .none: break
                    case .these(let keys): print("remove \(keys) from the cache")
                    case .any: print("empty the cache")
                    }
                }
            }
            // …
            watcher.cancel()  // when the program no longer needs the cache
            _ = store
            _ = changes
            _ = watcher
        }
    }
}
