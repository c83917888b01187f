// The Swift samples of Docs/Options.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum Options_OptionsOfAStore {
    @Sendable static func run() throws {
        // Docs/Options.md:6
        let options = StoreOptions(durability: .full, busyTimeout: .seconds(5), maximumReadAge: .seconds(60))
        let store = try Store(path: samplePath("people.trove"), options: options)
        expectOutput(store.path.hasSuffix("people.trove"), is: #"true"#, at: "Docs/Options.md:8")
        _ = options
        _ = store
    }
}
