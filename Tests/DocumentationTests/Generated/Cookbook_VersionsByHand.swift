// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2543
@IndexKeyRecord(keyPrefix: 1, fieldsVersion: 2, "key")
private struct Document: Sendable {
    let key: Int
    let value: String
}

enum Cookbook_VersionsByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2543

        let store = try Store.temporary()
        try store.insert(Document(key: 1, value: "one"))
        expectOutput(try Document.select(in: store).count, is: #"1"#, at: "Docs/Cookbook.md:2551")
        _ = store
    }
}
