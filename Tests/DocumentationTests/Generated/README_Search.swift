// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:259
@IndexKeyRecord("id")
private struct Article {
    #FullTextIndex<Article>(\.title, \.body, weights: [3, 1])

    let id: Int
    var title: String
    var body: String
    var year: Int
}

enum README_Search {
    @Sendable static func run() throws {
        // README.md:259

        let store = try Store(path: samplePath("articles.trove"), records: [Article.self])
        try store.insert(contentsOf: [
            Article(id: 1, title: "Stores", body: "Every ordered store keeps its records by key.", year: 2024),
            Article(id: 2, title: "An ordered store", body: "What an order is good for.", year: 2022),
            Article(id: 3, title: "Über Listen", body: "Geordnet, aber kein Store.", year: 2023),
        ])
        let hits = try Article.matching("ordered store").limit(10).hits(in: store)
        expectOutput(hits.map(\.record.title), hits.allSatisfy { $0.score > 0 }, is: #"["An ordered store", "Stores"] true"#, at: "README.md:276")
        let typed = "\"ordered store\" OR uber*"
        expectOutput(try Article.matching(typed).filter(\.year >= 2023).keys(in: store).sorted(), is: #"[1, 3]"#, at: "README.md:278")
        _ = store
        _ = hits
        _ = typed
    }
}
