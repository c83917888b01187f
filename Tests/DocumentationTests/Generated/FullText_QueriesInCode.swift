// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum FullText_QueriesInCode {
    @Sendable static func run() throws {
        // Docs/FullText.md:91
        let query: TextQuery<Article> = .all(.word("ordered"), .any(.prefix("stor"), .phrase("order of keys", slop: 1)))
            .excluding("java")
            .preferring(.word("swift").boosted(by: 2))
        expectOutput(try Article.matching(query).keys(in: store), is: #"[1, 2]"#, at: "Docs/FullText.md:94")
        expectOutput(try Article.matching(.word("swift").within(\.tags)).count(in: store), is: #"1"#, at: "Docs/FullText.md:95")
        expectOutput(try Article.matching(.near("records keys", within: 4)).count(in: store), is: #"1"#, at: "Docs/FullText.md:96")
        _ = query
    }
}
