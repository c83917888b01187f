// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveStemming

// Docs/FullText.md:35
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

// Docs/FullText.md:286
private enum Language: String, RecordValue { case english, german }

// Docs/FullText.md:288
@IndexKeyRecord("id")
private struct Story {
    #FullTextIndex<Story>(\.text, analyzer: .english.without(.english), where: { $0.language == .english })
    #FullTextIndex<Story>(\.text, analyzer: .german, where: { $0.language == .german })

    let id: Int
    var language: Language
    var text: String
}

// Docs/FullText.md:342
extension TextAnalyzer {
    static let cars = TextAnalyzer.standard.replacing([
        "auto": ["car"], "automobile": ["car"], "nyc": ["new york city"], "dog": ["dog", "animal"],
    ])
}

// Docs/FullText.md:348
@IndexKeyRecord("id")
private struct Advert {
    #FullTextIndex<Advert>(\.text, analyzer: .cars)

    let id: Int
    var text: String
}

enum FullText_DeclaringAnIndex {
    @Sendable static func run() throws {
        // Docs/FullText.md:33


        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Article(id: 1, title: "An ordered store", body: "Records in the order of keys.", tags: ["swift"], year: 2020),
            Article(id: 2, title: "Swift stores", body: "Ordered stores, and others.", tags: [], year: 2021),
            Article(id: 3, title: "Wolves", body: nil, tags: ["once upon", "a time"], year: 2022),
        ])
        // Docs/FullText.md:74
        let found = try Article.matching("ordered store").resolve(in: store)
        expectOutput(found.map(\.id), is: #"[1]"#, at: "Docs/FullText.md:75")
        let hits = try Article.matching("ordered").hits(in: store)
        expectOutput(hits.map(\.record.id), hits.allSatisfy { $0.score > 0 }, is: #"[1, 2] true"#, at: "Docs/FullText.md:77")
        let late = try Article.matching("swift").filter(\.year >= 2021).limit(10).resolve(in: store)
        let newest = try Article.filter(.matches("swift")).sorted(by: \.year.desc).resolve(in: store)
        expectOutput(late.map(\.id), newest.map(\.id), is: #"[2] [2, 1]"#, at: "Docs/FullText.md:80")
        expectOutput(try Article.matching("stor*").count(in: store), is: #"2"#, at: "Docs/FullText.md:81")
        // Docs/FullText.md:98
        let first = try Article.matching("ordered").limit(1).hits(in: store)
        let second = try Article.matching("ordered").after(first.last).limit(1).hits(in: store)
        expectOutput(second.map(\.record.id), is: #"[2]"#, at: "Docs/FullText.md:100")
        try Article.matching("ordered").unordered().forEach(in: store) { print($0.title) }
        // Docs/FullText.md:107
        print(try Article.matching("swift \"ordered stores\"").filter(\.year > 2000).limit(10).explain(in: store))
        // search fullText(title,body,tags) of Article: swift and "ordered stores"
        // filter: year > 2000
        // order: relevance
        // limit 10
        // words: swift 2 records, ordered 2, stores 1; rows to read: at most 1
        // Docs/FullText.md:155
        let counts = try ["s", "swif", "swift st", "swift st "].map { typed in
            try Article.matching(TextQuery(typed, lastIsPrefix: true)).count(in: store)
        }
        expectOutput(counts, is: #"[2, 2, 2, 0]"#, at: "Docs/FullText.md:158")
        expectOutput(try Article.matching(TextQuery("wolves ordered", joining: .any)).keys(in: store), is: #"[3, 1, 2]"#, at: "Docs/FullText.md:159")
        // Docs/FullText.md:167
        let query: TextQuery<Article> = .all(.word("ordered"), .any(.prefix("stor"), .phrase("order of keys", slop: 1)))
            .excluding("java")
            .preferring(.word("swift").boosted(by: 2))
        expectOutput(try Article.matching(query).keys(in: store), is: #"[1, 2]"#, at: "Docs/FullText.md:170")
        expectOutput(try Article.matching(.word("swift").within(\.tags)).count(in: store), is: #"1"#, at: "Docs/FullText.md:171")
        expectOutput(try Article.matching(.near("records keys", within: 4)).count(in: store), is: #"1"#, at: "Docs/FullText.md:172")
        // Docs/FullText.md:198
        expectOutput(try Article.matching("sotres~").keys(in: store), is: #"[2]"#, at: "Docs/FullText.md:198")
        expectOutput(try Article.matching("ordred~ store~").keys(in: store), is: #"[1, 2]"#, at: "Docs/FullText.md:199")
        expectOutput(try Article.matching(.fuzzy("wsift", anyFirstLetter: true)).count(in: store), is: #"2"#, at: "Docs/FullText.md:200")
        print(try Article.matching("store~").limit(10).explain(in: store))
        // search fullText(title,body,tags) of Article: store~
        // order: relevance; best 10 kept, blocks passed over
        // limit 10
        // words: store~ 2 records (store 1, stores 1); rows to read: at most 2
        // Docs/FullText.md:229
        try store.read { context in
            print(try context.words(of: Article.self, beginning: "St", limit: 5).map { "\($0.word) \($0.recordCount)" })
            // ["store 1", "stores 1"]
            for suggestion in try context.suggestions(for: "ordred sotres", of: Article.self) {
                expectOutput(suggestion.text, suggestion.edits, suggestion.recordCount, is: #"ordered stores 2 1"#, at: "Docs/FullText.md:233")
            }
        }
        // Docs/FullText.md:266
        expectOutput(TextAnalyzer.standard.tokens(of: "An Überblick").map(\.term), is: #"["an", "uberblick"]"#, at: "Docs/FullText.md:266")
        let swedish = TextAnalyzer.standard.keepingMarks(on: "åäö").without(.swedish)
        // Docs/FullText.md:284



        let stories = try Store.temporary()
        try stories.insert(contentsOf: [
            Story(id: 1, language: .english, text: "He stored the gifts of the cities."),
            Story(id: 2, language: .german, text: "Die Häuser der Stadt."),
        ])
        let english = "fullText(text by standard/1+without-english+snowball-english where { $0.language == .english })"
        let german = "fullText(text by standard/1+snowball-german where { $0.language == .german })"
        expectOutput(try Story.matching("\"storing a gift\" city", index: english).keys(in: stories), is: #"[1]"#, at: "Docs/FullText.md:305")
        expectOutput(try Story.matching("\"storing gifts\"", index: english).keys(in: stories), is: #"[]"#, at: "Docs/FullText.md:306")
        expectOutput(try Story.matching("haus", index: german).keys(in: stories), is: #"[2]"#, at: "Docs/FullText.md:307")
        // Docs/FullText.md:342


        let adverts = try Store.temporary()
        try adverts.insert(contentsOf: [
            Advert(id: 1, text: "An auto in NYC"), Advert(id: 2, text: "The car, in New York City"),
            Advert(id: 3, text: "A dog"), Advert(id: 4, text: "An animal"),
        ])
        expectOutput(try Advert.matching("automobile").keys(in: adverts), is: #"[1, 2]"#, at: "Docs/FullText.md:361")
        expectOutput(try Advert.matching("\"in new york city\"").keys(in: adverts), is: #"[1, 2]"#, at: "Docs/FullText.md:362")
        expectOutput(try Advert.matching("animal").keys(in: adverts), try Advert.matching("dog").keys(in: adverts), is: #"[4, 3] [3, 4]"#, at: "Docs/FullText.md:363")
        // Docs/FullText.md:411
        let idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
        let score = { (x: Double, length: Double) in idf * x * 2.2 / (x + 1.2 * (0.25 + 0.75 * length / 7)) }
        expectOutput([score(3, 10), score(1, 6)].map { ($0 * 10_000).rounded() / 10_000 }, is: #"[0.6765, 0.4992]"#, at: "Docs/FullText.md:413")

        let scored = try Article.matching("ordered").hits(in: store)
        expectOutput(scored.map { ($0.score * 10_000).rounded() / 10_000 }, is: #"[0.6765, 0.4992]"#, at: "Docs/FullText.md:416")
        // Docs/FullText.md:426
        let ranked = try Article.matching("ordered stor*")
            .sorted(by: .relevance(.weight(\.title, 5), k1: 1.2, b: 0.75), \.year.desc)
            .limit(10).hits(in: store)
        for hit in ranked { print(hit.explanation) }
        // Docs/FullText.md:479
        let order = try Article.matching("\"order of keys\" title:store").hits(in: store)[0]
        expectOutput(order.ranges(in: \.body).map { order.record.body?[$0] ?? "" }, is: #"["order of keys"]"#, at: "Docs/FullText.md:480")
        expectOutput(order.snippet(of: \.body, words: 4).marked(), is: #"…the <b>order of keys</b>."#, at: "Docs/FullText.md:481")
        expectOutput(order.snippet(of: \.title).marked("[", "]", escapesHTML: false), is: #"An ordered [store]"#, at: "Docs/FullText.md:482")
        expectOutput(order.ranges(in: \.tags).count, is: #"1"#, at: "Docs/FullText.md:483")
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
        _ = stories
        _ = english
        _ = german
        _ = adverts
        _ = idf
        _ = score
        _ = scored
        _ = ranked
        _ = order
    }
}
