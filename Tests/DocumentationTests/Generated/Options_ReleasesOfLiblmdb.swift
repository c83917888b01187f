// The Swift samples of Docs/Options.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum Options_ReleasesOfLiblmdb {
    @Sendable static func run() throws {
        // Docs/Options.md:79
        let store = try Store(path: samplePath("people.trove"))
        // Docs/Options.md:83
        let plan = try Store.upgradePlan(path: store.path)
        expectOutput(plan.isUpToDate, plan.isInUse, is: #"true true"#, at: "Docs/Options.md:84")
        _ = store
        _ = plan
    }
}
