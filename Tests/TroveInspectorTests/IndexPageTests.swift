// The pages of indexes show their sizes, values and words.

#if Inspector
import Testing
import Trove

@testable import TroveInspector

struct IndexPageTests {
    private let site: TestSite
    private let store: Store

    init() throws {
        store = try SampleStore.full()
        site = TestSite(store)
    }

    private func rows(_ page: HTMLElement) -> [[String]] {
        (page.all("tbody").first?.all("tr") ?? []).map { row in
            row.all.filter { ["th", "td"].contains($0.name) }.map(\.text)
        }
    }

    @Test func indexes_haveTheSizesOfTheCatalog() async throws {
        let page = try await site.page("/indexes")
        let types = try await store.read { try $0.storedTypes() }
        #expect(rows(page).count == types.reduce(0) { $0 + $1.indexes.count })
        let age = try #require(types.first { $0.name.hasSuffix("User") }?.indexes.first)
        let row = try #require(rows(page).first { $0[0] == "index(age)" })
        #expect(row[1] == "TroveInspectorTests.User")
        #expect(row[2] == "120")
        #expect(row[3].filter(\.isNumber) == "\(age.size)")
        #expect(row[4] == "\((age.size + 60) / 120)")
        #expect(row[6] == "ready")
    }

    @Test func anIndex_showsItsLargestGroups() async throws {
        let page = try await site.page("/indexes/TroveInspectorTests.User/index(age)")
        // The ages of 12 users are nil.
        #expect(page.text.contains("109 distinct values in 120 entries, all of them counted."))
        #expect(rows(page).first?[1] == "12")
        #expect(rows(page).first?[2] == "10.0 %")
        #expect(rows(page).count == 25)
        #expect(page.text.contains("The largest groups: 25 of 109."))
    }

    @Test func aFullText_showsItsTables() async throws {
        let page = try await site.page("/indexes/TroveInspectorTests.Article/fullText(title%2Cbody)")
        let index = try #require(
            try await store.read { try $0.storedTypes().first { $0.name.hasSuffix("Article") }?.indexes.first })
        let text = try #require(index.fullText)
        #expect(rows(page).map(\.[0]) == text.tables.map(\.name) + ["record numbers"])
        #expect(rows(page).map(\.[1]).first == "\(text.tables[0].rows)")
        #expect(page.text.contains("standard/1"))
        let search = try #require(page.all("a").first { $0.text == "Search its words" }?.attributes["href"])
        #expect(try await site.page(search + "&q=swift").all(class: "hit").count == 1)
    }

    @Test func otherNames_areNotFound() async throws {
        _ = try await site.page("/indexes/TroveInspectorTests.User/index(name)", status: .notFound)
        _ = try await site.page("/indexes/None/index(age)", status: .notFound)
        #expect(try await TestSite(try Store.temporary()).page("/indexes").text.contains("The store has no indexes."))
    }

    @Test func manyTypes_arePaged() async throws {
        let names = (0..<1_100).map { "Type\($0 + 10_000)" }
        let site = TestSite(try SampleStore.named(names, options: StoreOptions(maximumTables: 4_000)))
        // These types have no indexes.
        #expect(try await site.page("/indexes").text.contains("The store has no indexes."))
        var page = try await site.page("/migrations")
        #expect(rows(page).count == 1_000)
        let next = try #require(page.all("a").first { $0.attributes["rel"] == "next" }?.attributes["href"])
        page = try await site.page(next)
        #expect(rows(page).count == 100)
        #expect(page.all("a").allSatisfy { $0.attributes["rel"] != "next" })
    }
}
#endif
