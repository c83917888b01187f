// The Swift samples of Docs/Options.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum Options_SuspendedStores {
    @Sendable static func run() throws {
        // Docs/Options.md:115
        let store = try Store(path: samplePath("people.trove"))
        // Docs/Options.md:119
        try store.suspend()
        expectOutput(store.isSuspended, is: #"true"#, at: "Docs/Options.md:120")
        try store.resume()
        _ = store
    }
}
