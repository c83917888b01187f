// The Swift samples of Docs/Options.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum Options_FileProtection {
    @Sendable static func run() throws {
        // Docs/Options.md:159
        let secret = StoreOptions(fileProtection: .completeUnlessOpen)
        expectOutput(secret.fileProtection == .completeUnlessOpen, is: #"true"#, at: "Docs/Options.md:160")
        _ = secret
    }
}
