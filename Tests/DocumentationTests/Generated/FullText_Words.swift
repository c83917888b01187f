// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum FullText_Words {
    @Sendable static func run() throws {
        // Docs/FullText.md:107
        expectOutput(TextAnalyzer.standard.tokens(of: "An Überblick").map(\.term), is: #"["an", "uberblick"]"#, at: "Docs/FullText.md:107")
        let swedish = TextAnalyzer.standard.keepingMarks(on: "åäö").without(.swedish)
        _ = swedish
    }
}
