// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

enum FullText_Searching {
    @Sendable static func run() throws {
        // Docs/FullText.md:47
        let found = try Article.matching("ordered store").resolve(in: store)
        expectOutput(found.map(\.id), is: #"[1]"#, at: "Docs/FullText.md:48")
        for hit in try Article.matching("ordered").hits(in: store) {
            expectOutput(hit.record.id, hit.score > 0, is: #"1 true, 2 true"#, at: "Docs/FullText.md:50")
        }
        let late = try Article.matching("swift").filter(\.year >= 2021).limit(10).resolve(in: store)
        let newest = try Article.filter(.matches("swift")).sorted(by: \.year.desc).resolve(in: store)
        expectOutput(late.map(\.id), newest.map(\.id), is: #"[2] [2, 1]"#, at: "Docs/FullText.md:54")
        expectOutput(try Article.matching("stor*").count(in: store), is: #"2"#, at: "Docs/FullText.md:55")
        // Docs/FullText.md:66
        print(try Article.matching("swift").filter(\.year == 2021).explain(in: store))
        _ = found
        _ = late
        _ = newest
    }
}
