// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/FullText.md:20
@IndexKeyRecord("id")
private struct Article {
    #FullTextIndex<Article>(\.title, \.body, \.tags, weights: [3, 1, 2])
    #Index<Article>(\.year)

    let id: Int
    var title: String
    var body: String?
    var tags: [String]
    var year: Int
}

enum FullText_DeclaringAnIndex {
    @Sendable static func run() throws {
        // Docs/FullText.md:18


        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Article(id: 1, title: "An ordered store", body: "Records in the order of keys.", tags: ["swift"], year: 2020),
            Article(id: 2, title: "Swift stores", body: "Ordered stores, and others.", tags: [], year: 2021),
            Article(id: 3, title: "Wolves", body: nil, tags: ["once upon", "a time"], year: 2022),
        ])
        _ = store
    }
}
