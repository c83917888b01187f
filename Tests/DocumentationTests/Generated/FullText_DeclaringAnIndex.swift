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
        // Docs/FullText.md:49
        let found = try Article.matching("ordered store").resolve(in: store)
        expectOutput(found.map(\.id), is: #"[1]"#, at: "Docs/FullText.md:50")
        let hits = try Article.matching("ordered").hits(in: store)
        expectOutput(hits.map(\.record.id), hits.allSatisfy { $0.score > 0 }, is: #"[1, 2] true"#, at: "Docs/FullText.md:52")
        let late = try Article.matching("swift").filter(\.year >= 2021).limit(10).resolve(in: store)
        let newest = try Article.filter(.matches("swift")).sorted(by: \.year.desc).resolve(in: store)
        expectOutput(late.map(\.id), newest.map(\.id), is: #"[2] [2, 1]"#, at: "Docs/FullText.md:55")
        expectOutput(try Article.matching("stor*").count(in: store), is: #"2"#, at: "Docs/FullText.md:56")
        // Docs/FullText.md:67
        print(try Article.matching("swift").filter(\.year == 2021).explain(in: store))
        // Docs/FullText.md:94
        let query: TextQuery<Article> = .all(.word("ordered"), .any(.prefix("stor"), .phrase("order of keys", slop: 1)))
            .excluding("java")
            .preferring(.word("swift").boosted(by: 2))
        expectOutput(try Article.matching(query).keys(in: store), is: #"[1, 2]"#, at: "Docs/FullText.md:97")
        expectOutput(try Article.matching(.word("swift").within(\.tags)).count(in: store), is: #"1"#, at: "Docs/FullText.md:98")
        expectOutput(try Article.matching(.near("records keys", within: 4)).count(in: store), is: #"1"#, at: "Docs/FullText.md:99")
        // Docs/FullText.md:112
        expectOutput(TextAnalyzer.standard.tokens(of: "An Überblick").map(\.term), is: #"["an", "uberblick"]"#, at: "Docs/FullText.md:112")
        let swedish = TextAnalyzer.standard.keepingMarks(on: "åäö").without(.swedish)
        _ = store
        _ = found
        _ = hits
        _ = late
        _ = newest
        _ = query
        _ = swedish
    }
}
