// The search page finds the hits of `trove search`, with their words.

#if Inspector
import Testing
import Trove

@testable import TroveInspector

extension TextAnalyzer {
    fileprivate static let riddles = TextAnalyzer("riddles", version: 1) { text, tokens in
        tokens.append(text, at: text.startIndex..<text.endIndex)
    }
}

@IndexKeyRecord("id")
private struct Riddle {
    #FullTextIndex<Riddle>(\.text, analyzer: .riddles)

    let id: Int
    var text: String
}

struct SearchPageTests {
    private let store: Store
    private let site: TestSite

    init() throws {
        store = try SampleStore.full()
        site = TestSite(store)
    }

    @Test func aHit_hasItsSnippetAndItsScoreByWord() async throws {
        let page = try await site.page("/search?q=swift")
        let hit = try #require(page.all(class: "hit").first)
        #expect(page.all(class: "hit").count == 1)
        #expect(hit.all("mark").map(\.text) == ["Swift"])
        #expect(hit.all(class: "snippet").map(\.text) == ["title Swift stores"])
        let link = try #require(hit.links.first)
        #expect(link.hasPrefix("/record/TroveInspectorTests.Article/0x"))
        #expect(try await site.page(link).text.contains("Swift stores"))
        let cells = try #require(hit.all("tbody").first?.all("tr").first).all.filter { ["th", "td"].contains($0.name) }
        #expect(cells.map(\.text) == ["swift", try score("swift"), "100.0 %", "1", "1 × title"])
        #expect(hit.all(class: "score").map(\.text) == [try score("swift")])
        #expect(
            page.element(id: "command")?.text
                == "trove search '/data/my store.trove' TroveInspectorTests.Article --index 'fullText(title,body)' "
                + "--snippets swift")
    }

    private func score(_ words: String) throws -> String {
        let hits = try store.read { try Article.matching(words).hits(in: $0) }
        return ScoreText.text(try #require(hits.first).score)
    }

    @Test func moreHits_areThoseOfOneIndex() async throws {
        try await store.write { context in
            for number in 10..<130 {
                try context.insert(Article(language: "de", number: number, title: "Wolves \(number)", body: "Grey."))
            }
        }
        let page = try await site.page("/search?q=wolves")
        #expect(page.all(class: "hit").count == 5)
        let more = try #require(page.all("a").first { $0.text == "More in this index" }?.attributes["href"])
        let all = try await site.page(more)
        #expect(all.all(class: "hit").count == 100)
        #expect(all.text.contains("The 100 best records are shown."))
        // The form keeps the index.
        let hidden = all.all("input").filter { $0.attributes["type"] == "hidden" }
        #expect(
            hidden.compactMap { $0.attributes["value"] } == ["TroveInspectorTests.Article", "fullText(title,body)"])
    }

    @Test func wordsOfTheText_areThoseOfTheAnalyzer() async throws {
        let page = try await site.page("/search?q=Ordered%20STORES%2C%20na%C3%AFve")
        #expect(page.all(class: "words").map { $0.all("code").map(\.text) } == [["ordered", "stores", "naive"]])
        #expect(try await site.page("/search?q=...").all(class: "words").map(\.text) == ["no words"])
    }

    @Test func aMisspelledWord_isASuggestion() async throws {
        let page = try await site.page("/search?q=swfit")
        #expect(page.all(class: "hit").isEmpty)
        #expect(page.text.contains("Nothing found in TroveInspectorTests.Article, fullText(title,body)."))
        #expect(page.all(class: "suggestions").flatMap(\.links) == ["/search?q=swift"])
    }

    @Test func anAnalyzerOfAProgram_isAnError_besideTheHitsOfOthers() async throws {
        try await store.insert(Riddle(id: 1, text: "swift"))
        let page = try await site.page("/search?q=swift")
        #expect(page.all(class: "hit").count == 1)
        #expect(page.all(class: "error").map(\.text).contains { $0.contains("riddles") })
        #expect(page.all(class: "words").map(\.text).contains("only its program has this analyzer"))
    }

    @Test func pagesWithoutHits_sayWhy() async throws {
        #expect(try await site.page("/search").all(class: "hit").isEmpty)
        let empty = TestSite(try await Store.temporary())
        #expect(try await empty.page("/search?q=x").text.contains("The store has no full-text index."))
        let unknown = try await site.page("/search?q=x&type=User&index=none", status: .notFound)
        #expect(unknown.text.contains("no full-text index “none”"))
    }

    @Test func anyText_isAQuery() async throws {
        let texts = ["%22", "title%3A", "-swift", "*", "~", "%3Cscript%3E", "a%20OR", "%F0%9F%90%8B", "((("]
        for text in texts {
            let page = try await site.page("/search?q=" + text)
            #expect(page.all(class: "error").isEmpty, "\(text)")
        }
    }
}
#endif
