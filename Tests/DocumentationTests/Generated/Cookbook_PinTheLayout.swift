// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2525
@IndexKeyRecord(validated: 9133034254934726901, "key")
private struct Verified: Sendable {
    let key: Int
    let value: String
}

enum Cookbook_PinTheLayout {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2525

        let store = try Store.temporary()
        try store.insert(Verified(key: 1, value: "one"))
        _ = store
    }
}
