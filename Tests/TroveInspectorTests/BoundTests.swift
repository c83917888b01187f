// Each page is bounded, whatever the store has in it.

#if Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@Suite struct BoundTests {
    private func next(_ page: HTMLElement) -> String? {
        page.all("a").first { $0.attributes["rel"] == "next" }?.attributes["href"]
    }

    private func names(_ page: HTMLElement) -> [String] {
        (page.all("tbody").first?.all("tr") ?? []).compactMap { $0.all("th").first?.all("bdi").first?.text }
    }

    @Test func parts_endWithTheirBudget() {
        var budget = Budget()
        let quarter = String(repeating: "x", count: Budget.size / 4 - 7)
        let shown = budget.parts(of: 0..<9) { _ in Tag.p { quarter } }
        #expect(shown.count == 4)
        #expect(budget.left <= 0)
        #expect(budget.parts(of: 0..<9) { _ in Tag.p { "x" } }.isEmpty)
        // The first part is shown in any case, or a page could not lead to the next.
        var other = Budget()
        #expect(other.parts(of: 0..<2) { _ in Tag.p { String(repeating: "<", count: Budget.size) } }.count == 1)
        #expect(other.left < 0)
        #expect(Budget.hint(3, of: 3, "rows").markup.isEmpty)
        #expect(Budget.hint(3, of: 5, "rows").markup.contains("3 of 5 rows are shown: a page has at most 4 MB."))
        #expect(Budget.hint(3, of: 5, "rows", limit: 3).markup.contains("3 of 5 rows are shown.<"))
    }

    @Test(arguments: ["/", "/migrations"]) func longNames_arePaged(_ path: String) async throws {
        let names = (0..<300).map { "Module.Type\($0 + 1_000)" + String(repeating: "<", count: 3_000) }
        let site = TestSite(try SampleStore.named(names, options: StoreOptions(maximumTables: 2_000)))
        var seen: [String] = []
        var following: String? = path
        while let path = following {
            let response = try await site.send(.get, path)
            #expect(response.body.utf8.count < PageFrame.sizeLimit)
            let page = try response.page()
            let shown = self.names(page)
            #expect(!shown.isEmpty)
            if shown.count < names.count { #expect(page.text.contains("of 300 types are shown")) }
            seen += shown
            following = next(page)
        }
        #expect(seen == names)
    }

    @Test func aLayoutOfManyFields_isCut() async throws {
        struct Description: Encodable {
            struct Layout: Encodable {
                var version = 1
                var layout: String
            }
            var name = "Module.Wide"
            var keyPrefix = 1_000
            var key = "(id:Int64)"
            var layouts: [Layout]
            var oldest = 1
        }
        let fields = (0..<60_000).map { "field\($0):Int64" }.joined(separator: ",")
        let description = Description(layouts: [.init(layout: "(id:Int64){\(fields)}")])
        let json = String(decoding: try JSONEncoder().encode(description), as: UTF8.self)
        let store = try await Store.temporary()
        try await store.load(from: ["[\"trove\",3]", "[\"type\",\(json)]", "[\"end\",0]"])
        let site = TestSite(store)
        for path in ["/", "/migrations", "/type/Module.Wide", "/type/Module.Wide/layout"] {
            let response = try await site.send(.get, path)
            #expect(response.body.utf8.count < PageFrame.sizeLimit, "\(path)")
            let page = try response.page()
            if path.hasSuffix("layout") {
                #expect(page.text.contains("of 60,001 fields are shown: a page has at most 4 MB."))
            }
        }
    }

    @Test func aRecordOfManyLongValues_isCut() async throws {
        let store = try await Store.temporary(records: [User.self])
        let tags = (0..<200).map { "\($0)" + String(repeating: "<", count: 20_000) }
        try await store.insert(User(id: 1, tags: tags, photo: Data(repeating: 1, count: 1 << 20)))
        let site = TestSite(store)
        for path in ["/record/TroveInspectorTests.User/1", "/record/TroveInspectorTests.User/1?bytes=1&entries=1"] {
            let response = try await site.send(.get, path)
            #expect(response.body.utf8.count < PageFrame.sizeLimit)
            let page = try response.page()
            #expect(page.text.contains("The rest of the record is left out: a page has at most 4 MB."))
        }
    }

    @Test func wideRows_areCut_andTheNextPageGoesOn() async throws {
        let columns = (0..<500).map { "i AS c\($0)" }.joined(separator: ", ")
        let statement = """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT \(columns) FROM n
            """
        let site = TestSite(try SampleStore.empty())
        var seen: [String] = []
        var following: String? = SQLPage.address(statement).text
        while let path = following {
            let response = try await site.send(.get, path)
            #expect(response.body.utf8.count < PageFrame.sizeLimit)
            let page = try response.page()
            let rows = page.all("tbody").first?.all("tr") ?? []
            #expect(!rows.isEmpty)
            seen += rows.compactMap { $0.all("td").first?.text }
            following = next(page)
        }
        #expect(seen == (0..<1_000).map { "\($0)" })
    }

    /// A single part that is too large, such as a name, has a page that says so.
    @Test func aPageOfOneEnormousName_isASentence() async throws {
        let name = "Module." + String(repeating: "<", count: 3 << 20)
        let site = TestSite(try SampleStore.named([name]))
        let response = try await site.send(.get, "/")
        #expect(response.body.utf8.count < 10_000)
        #expect(try response.page().text.contains("a page has at most 8 MB"))
    }

    // MARK: Many

    @Test func tenThousandTypes_arePaged() async throws {
        let names = (0..<10_000).map { "Module.Type\(String(100_000 + $0))" }
        let site = TestSite(try SampleStore.named(names, options: StoreOptions(maximumTables: 24_000)))
        let response = try await site.send(.get, "/")
        #expect(response.body.utf8.count < PageFrame.sizeLimit)
        var page = try response.page()
        #expect(page.text.contains("1,000 of 10,000 types are shown."))
        var seen = self.names(page)
        while let path = next(page) {
            page = try await site.page(path)
            seen += self.names(page)
        }
        #expect(seen == names)
        for path in ["/migrations", "/indexes", "/search?q=text", "/sql", "/live", "/type/Module.Type109999"] {
            let response = try await site.send(.get, path)
            #expect(response.status == .ok && response.body.utf8.count < PageFrame.sizeLimit, "\(path)")
        }
    }

    @Test(.timeLimit(.minutes(60))) func aTextOfTenMegabytes_isShownCut() async throws {
        let store = try await Store.temporary(records: [Article.self])
        let body = String(repeating: "<b>wolves & \u{202E}stores</b> ", count: (10 << 20) / 28)
        try await store.insert(Article(language: "en", number: 1, title: "Long", body: body))
        let site = TestSite(store)
        let records = try await site.page("/type/TroveInspectorTests.Article")
        let record = try #require(records.links.first { $0.hasPrefix("/record/") })
        let paths = [
            "/type/TroveInspectorTests.Article", "/type/TroveInspectorTests.Article?filter=wolves",
            "/type/TroveInspectorTests.Article?filter=body%20contains%20wolves", record, record + "?bytes=1",
            record + "?entries=1", "/search?q=wolves", SQLPage.address("SELECT * FROM Article").text,
        ]
        for path in paths {
            let response = try await site.send(.get, path)
            #expect(response.status == .ok, "\(path)")
            #expect(response.body.utf8.count < 200_000 || path.hasSuffix("bytes=1"), "\(path)")
            #expect(response.body.utf8.count < Budget.size, "\(path)")
            #expect(try response.page().all(class: "error").isEmpty, "\(path)")
        }
        // A large record has a link to its entries.
        let page = try await site.page(record)
        let link = try #require(page.links.first { $0.hasSuffix("entries=1") })
        #expect(try await site.page(link).text.contains("the document of the record"))
    }
}
#endif
