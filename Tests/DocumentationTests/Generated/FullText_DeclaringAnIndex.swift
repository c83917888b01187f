// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/FullText.md:26
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
        // Docs/FullText.md:24


        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Article(id: 1, title: "An ordered store", body: "Records in the order of keys.", tags: ["swift"], year: 2020),
            Article(id: 2, title: "Swift stores", body: "Ordered stores, and others.", tags: [], year: 2021),
            Article(id: 3, title: "Wolves", body: nil, tags: ["once upon", "a time"], year: 2022),
        ])
        // Docs/FullText.md:63
        let found = try Article.matching("ordered store").resolve(in: store)
        expectOutput(found.map(\.id), is: #"[1]"#, at: "Docs/FullText.md:64")
        let hits = try Article.matching("ordered").hits(in: store)
        expectOutput(hits.map(\.record.id), hits.allSatisfy { $0.score > 0 }, is: #"[1, 2] true"#, at: "Docs/FullText.md:66")
        let late = try Article.matching("swift").filter(\.year >= 2021).limit(10).resolve(in: store)
        let newest = try Article.filter(.matches("swift")).sorted(by: \.year.desc).resolve(in: store)
        expectOutput(late.map(\.id), newest.map(\.id), is: #"[2] [2, 1]"#, at: "Docs/FullText.md:69")
        expectOutput(try Article.matching("stor*").count(in: store), is: #"2"#, at: "Docs/FullText.md:70")
        // Docs/FullText.md:86
        let first = try Article.matching("ordered").limit(1).hits(in: store)
        let second = try Article.matching("ordered").after(first.last).limit(1).hits(in: store)
        expectOutput(second.map(\.record.id), is: #"[2]"#, at: "Docs/FullText.md:88")
        try Article.matching("ordered").unordered().forEach(in: store) { print($0.title) }
        // Docs/FullText.md:95
        print(try Article.matching("swift \"ordered stores\"").filter(\.year > 2000).limit(10).explain(in: store))
        // search fullText(title,body,tags) of Article: swift and "ordered stores"
        // filter: year > 2000
        // order: relevance
        // limit 10
        // words: swift 2 records, ordered 2, stores 1; rows to read: at most 1
        // Docs/FullText.md:133
        let counts = try ["s", "swif", "swift st", "swift st "].map { typed in
            try Article.matching(TextQuery(typed, lastIsPrefix: true)).count(in: store)
        }
        expectOutput(counts, is: #"[2, 2, 2, 0]"#, at: "Docs/FullText.md:136")
        expectOutput(try Article.matching(TextQuery("wolves ordered", joining: .any)).keys(in: store), is: #"[3, 1, 2]"#, at: "Docs/FullText.md:137")
        // Docs/FullText.md:145
        let query: TextQuery<Article> = .all(.word("ordered"), .any(.prefix("stor"), .phrase("order of keys", slop: 1)))
            .excluding("java")
            .preferring(.word("swift").boosted(by: 2))
        expectOutput(try Article.matching(query).keys(in: store), is: #"[1, 2]"#, at: "Docs/FullText.md:148")
        expectOutput(try Article.matching(.word("swift").within(\.tags)).count(in: store), is: #"1"#, at: "Docs/FullText.md:149")
        expectOutput(try Article.matching(.near("records keys", within: 4)).count(in: store), is: #"1"#, at: "Docs/FullText.md:150")
        // Docs/FullText.md:163
        expectOutput(TextAnalyzer.standard.tokens(of: "An Überblick").map(\.term), is: #"["an", "uberblick"]"#, at: "Docs/FullText.md:163")
        let swedish = TextAnalyzer.standard.keepingMarks(on: "åäö").without(.swedish)
        // Docs/FullText.md:203
        let idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
        let score = { (x: Double, length: Double) in idf * x * 2.2 / (x + 1.2 * (0.25 + 0.75 * length / 7)) }
        expectOutput([score(3, 10), score(1, 6)].map { ($0 * 10_000).rounded() / 10_000 }, is: #"[0.6765, 0.4992]"#, at: "Docs/FullText.md:205")

        let scored = try Article.matching("ordered").hits(in: store)
        expectOutput(scored.map { ($0.score * 10_000).rounded() / 10_000 }, is: #"[0.6765, 0.4992]"#, at: "Docs/FullText.md:208")
        // Docs/FullText.md:217
        let ranked = try Article.matching("ordered stor*")
            .sorted(by: .relevance(.weight(\.title, 5), k1: 1.2, b: 0.75), \.year.desc)
            .limit(10).hits(in: store)
        for hit in ranked { print(hit.explanation) }
        _ = store
        _ = found
        _ = hits
        _ = late
        _ = newest
        _ = first
        _ = second
        _ = counts
        _ = query
        _ = swedish
        _ = idf
        _ = score
        _ = scored
        _ = ranked
    }
}
