// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum LiveObjects_HowLongObjectsAndEditsLive {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/LiveObjects.md:466

            let store = try await Store.temporary()
            do {
                try await store.live.saveAllChanges()
            } catch {
                print("\(store.live.unsavedCount) objects are not saved: \(error)")
            }
            _ = store
        }
    }
}
