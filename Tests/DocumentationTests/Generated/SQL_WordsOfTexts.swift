// The Swift samples of Docs/SQL.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/SQL.md:438
@IndexKeyRecord("id")
private struct Article {
    #FullTextIndex<Article>(\.title, \.body, weights: [3, 1])

    let id: Int
    var title: String
    var body: String
    var year: Int
}

enum SQL_WordsOfTexts {
    @Sendable static func run() throws {
        // Docs/SQL.md:436


        let store = try Store.temporary(records: [Article.self])
        try store.insert(contentsOf: [
            Article(id: 1, title: "An ordered store", body: "Records in the order of keys.", year: 2020),
            Article(id: 2, title: "Swift stores", body: "An ordered store, and others.", year: 2021),
            Article(id: 3, title: "Wolves", body: "Once upon a time", year: 2022),
        ])

        let typed = "ordered store"
        let titles = try store.sql(
            "SELECT title FROM Article WHERE Article MATCH \(typed) ORDER BY rank LIMIT 10", as: String.self)
        expectOutput(titles, is: #"["An ordered store", "Swift stores"]"#, at: "Docs/SQL.md:458")
        let recent = try Article.fetch(sql: "WHERE body MATCH \(typed) AND year > 2020 ORDER BY rank", in: store)
        expectOutput(recent.map(\.id), is: #"[2]"#, at: "Docs/SQL.md:460")
        _ = store
        _ = typed
        _ = titles
        _ = recent
    }
}
