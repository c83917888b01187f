// The pages show what is in the store.

#if Inspector
import Foundation
import Testing
import Trove

@testable import TroveInspector

struct PageTests {
    private let store: Store
    private let site: TestSite
    private static let users = "/type/TroveInspectorTests.User"

    init() throws {
        store = try SampleStore.full()
        site = TestSite(store)
    }

    /// Returns the cells of a page's rows in the body of its first table.
    private func rows(_ page: HTMLElement) -> [[String]] {
        (page.all("tbody").first?.all("tr") ?? []).map { row in
            (row.all.filter { ["th", "td"].contains($0.name) }).map(\.text)
        }
    }

    private func keys(_ page: HTMLElement) -> [String] { rows(page).compactMap(\.first) }

    private func link(_ page: HTMLElement, _ relation: String) -> String? {
        page.all("a").first { $0.attributes["rel"] == relation }?.attributes["href"]
    }

    private func sqlPath(_ statement: String) -> String { SQLPage.address(statement).text }

    // MARK: Types

    @Test func types_haveCountsAndLinks() async throws {
        let page = try await site.page("/")
        let row = try #require(rows(page).first { $0[0].hasPrefix("TroveInspectorTests.User") })
        #expect(row[1] == "120")
        #expect(row[5].contains("index(age): "))
        #expect(page.links.contains(Self.users))
        #expect(page.all("svg").count == rows(page).count)
        let commit = try await store.read { try $0.storedCommitSequence() }
        #expect(page.element(id: "commit")?.attributes["data-commit"] == "\(commit)")
        #expect(page.element(id: "command")?.text == "trove info '/data/my store.trove'")
        #expect(page.text.contains("Free pages"))
        // Relations are rows with the words of `trove info`.
        #expect(page.text.contains(", inverse TroveInspectorTests."))
    }

    @Test func emptyStore_hasAPage() async throws {
        let site = TestSite(try SampleStore.empty())
        #expect(try await site.page("/").text.contains("The store has no types."))
        _ = try await site.page("/sql")
        #expect(try await site.page("/type/User", status: .notFound).text.contains("no type “User”"))
    }

    @Test func everyPage_saysItsCommit() async throws {
        let before = try await site.page(Self.users).element(id: "commit")?.attributes["data-commit"]
        try await store.insert(User(id: 500))
        let after = try await site.page(Self.users).element(id: "commit")?.attributes["data-commit"]
        #expect(try #require(before.flatMap { Int($0) }) + 1 == after.flatMap { Int($0) })
    }

    // MARK: Records

    @Test func records_arePagedByKey() async throws {
        var page = try await site.page(Self.users)
        #expect(link(page, "prev") == nil)
        var seen: [String] = []
        var pages = 1
        while true {
            seen += keys(page)
            guard let next = link(page, "next") else { break }
            page = try await site.page(next)
            pages += 1
        }
        #expect(seen == (0..<120).map { "id: \($0)" })
        #expect(pages == 3)
        // Backward.
        var back: [String] = []
        page = try await site.page(Self.users + "?last=1")
        #expect(link(page, "next") == nil)
        while true {
            back = keys(page) + back
            guard let before = link(page, "prev") else { break }
            page = try await site.page(before)
        }
        #expect(back == seen)
    }

    @Test func columns_unfoldNestedValues() async throws {
        let page = try await site.page(Self.users)
        let headings = page.all("thead")[0].all("th").map(\.text)
        #expect(
            headings == [
                "Key", "id", "name", "age", "home.city", "home.number", "tags", "shape", "photo", "scores",
            ])
        let row = rows(page)[1]
        #expect(Array(row[1...5]) == ["1", "User 1", "1", "Paris", "1"])
        #expect(rows(page)[0][3] == "nil")
    }

    @Test func longValues_areCut() async throws {
        let long = String(repeating: "wörd ", count: 2_000_000)
        try await store.insert(
            User(
                id: 1_000, name: long, tags: Array(repeating: "x", count: 10_000),
                photo: Data(repeating: 7, count: 9_999)))
        let response = try await site.send(.get, Self.users + "?from=1000")
        let row = try #require(rows(try response.page()).first)
        #expect(row[2].hasSuffix("… of 12,000,000 bytes"))
        #expect(row[6].hasSuffix("… of 10,000 elements"))
        #expect(row[8].hasSuffix("… of 9,999 bytes"))
        #expect(response.body.utf8.count < 20_000)
        let record = try await site.send(.get, "/record/TroveInspectorTests.User/1000?bytes=1")
        #expect(try record.page().text.contains("… of 12,000,000 bytes"))
        #expect(record.body.utf8.count < Budget.size)
    }

    @Test func firstKey_isSought() async throws {
        #expect(keys(try await site.page(Self.users + "?from=117")) == ["id: 117", "id: 118", "id: 119"])
        #expect(keys(try await site.page(Self.users + "?from=id%3A+118")) == ["id: 118", "id: 119"])
        #expect(keys(try await site.page(Self.users + "?from=500")) == [])
        let wrong = try await site.page(Self.users + "?from=x")
        #expect(wrong.all(class: "error").count == 1)
        // The form keeps what has been typed.
        #expect(wrong.element(id: "from")?.attributes["value"] == "x")
        let articles = "/type/TroveInspectorTests.Article"
        #expect(keys(try await site.page(articles + "?from=en")).count == 3)
    }

    // MARK: Filters

    @Test func condition_isTestedWithItsPlan() async throws {
        let page = try await site.page(Self.users + "?filter=age+%3E+115")
        #expect(keys(page) == (116..<120).map { "id: \($0)" })
        let plan = try #require(page.all(class: "plan").first)
        #expect(plan.text.contains("120 records read"))
        #expect(plan.text.contains("age>?"))
        let statement = try #require(plan.links.first)
        #expect(rows(try await site.page(statement)).count == 4)
        #expect(page.element(id: "filter")?.attributes["value"] == "age > 115")
        #expect(page.element(id: "command")?.text.hasSuffix("--where 'age > 115'") == true)
    }

    @Test func condition_isPaged() async throws {
        var page = try await site.page(Self.users + "?filter=id+%3E%3D+20")
        var seen = keys(page)
        while let next = link(page, "next") {
            page = try await site.page(next)
            seen += keys(page)
        }
        #expect(seen == (20..<120).map { "id: \($0)" })
    }

    @Test(arguments: [
        ("home.city == Paris", 50), ("name contains 9", 21), ("age == nil", 12), ("age != nil", 50), ("id < 0", 0),
    ])
    func conditions_match(_ condition: String, _ count: Int) async throws {
        let address = TypePage.address("TroveInspectorTests.User").with("filter", condition).text
        #expect(rows(try await site.page(address)).count == count)
    }

    @Test(arguments: ["age > old", "nothing == 1", "home == Paris"])
    func wrongConditions_areErrorsOnThePage(_ condition: String) async throws {
        let address = TypePage.address("TroveInspectorTests.User").with("filter", condition).text
        let page = try await site.page(address)
        #expect(page.all(class: "error").count == 1)
        #expect(page.element(id: "filter")?.attributes["value"] == condition)
    }

    @Test func words_areSearched() async throws {
        let articles = "/type/TroveInspectorTests.Article"
        let page = try await site.page(articles + "?filter=stores")
        #expect(keys(page).count == 1)
        #expect(try #require(page.all(class: "plan").first).text.contains("full text (Article MATCH ?), best first"))
        #expect(page.element(id: "command")?.text.contains("trove search") == true)
        #expect(try await site.page(articles + "?filter=wolvs").links.contains { $0.contains("filter=wolves") })
        #expect(try await site.page(Self.users + "?filter=paris").all(class: "error").count == 1)
    }

    // MARK: A record

    @Test func record_hasItsValuesAndBytes() async throws {
        let page = try await site.page("/record/TroveInspectorTests.User/7")
        let text = page.text
        for part in ["home", "city", "Paris", "circle", "radius", "scores", "1.5", "The checksum is right"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(page.all("pre").isEmpty)
        let bytes = try await site.page("/record/TroveInspectorTests.User/7?bytes=1")
        #expect(bytes.all("pre").first?.text.hasPrefix("000000  80 00 00 00 00 00 00 07") == true)
        #expect(try await site.page("/record/TroveInspectorTests.User/0x8000000000000007").all("h1")[0].text == "id: 7")
        _ = try await site.page("/record/TroveInspectorTests.User/999", status: .notFound)
        _ = try await site.page("/record/TroveInspectorTests.None/1", status: .notFound)
    }

    /// Returns the text of a record's entries by index.
    private func entries(_ page: HTMLElement) throws -> [String: String] {
        let table = try #require(
            page.all("table").first { $0.all("th").map(\.text).starts(with: ["Index", "Entries"]) })
        return Dictionary(
            table.all("tbody")[0].all("tr").map { ($0.all("th")[0].text, $0.all("td")[0].text) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test func record_hasItsEntriesInEachIndex() async throws {
        let path = "/record/TroveInspectorTests.User/7"
        #expect(try entries(await site.page(path)) == ["index(age)": "7, 7"])
        #expect(try await site.page(path).links.contains("/indexes/TroveInspectorTests.User/index%28age%29"))
        let articles = try await site.page("/type/TroveInspectorTests.Article")
        let article = try #require(articles.links.first { $0.hasPrefix("/record/") })
        #expect(try entries(await site.page(article)) == ["fullText(title,body)": "the document of the record"])
        // A type without indexes has no such part.
        #expect(try await site.page("/record/TroveInspectorTests.Mail/5").element(id: "entries") == nil)
    }

    @Test func entriesOfTags_areBoundedAndEscaped() async throws {
        let store = try await Store.temporary(records: [Tagged.self])
        let hostile = "<b>&'\u{202E}"
        try await store.insert(Tagged(id: 1, tags: [hostile] + (0..<80).map { "tag \($0)" }))
        let site = TestSite(store)
        let page = try await site.page("/record/TroveInspectorTests.Tagged/1")
        let text = try #require(try entries(page).values.first)
        #expect(text.contains("<b>&'") && text.contains("50 of 81 entries"), "\(text)")
        #expect(page.all("li").count { $0.text.contains("tag ") || $0.text.contains("<b>") } == 50)
    }

    @Test func links_leadBothWays() async throws {
        let ann = try await site.page("/record/TroveInspectorTests.Person/1")
        let sections = ann.all("section").filter { !$0.all("h3").isEmpty }
        func links(_ heading: String) -> [String] {
            sections.first { $0.all("h3")[0].text == heading }?.all("li").map(\.text) ?? []
        }
        #expect(links("letters") == ["id: 7", "id: 5"])
        #expect(links("groups") == ["bnot stored", "id: \"a/b\""])
        #expect(links("friends") == ["3not stored", "id: 2"])
        #expect(links("boss") == ["9not stored"])
        // The inverse of a relation, and who points here by a one-way relation.
        let mail = try await site.page("/record/TroveInspectorTests.Mail/5")
        #expect(mail.text.contains("Who points here"))
        let author = try #require(mail.links.last { $0.contains("/record/TroveInspectorTests.Person/") })
        #expect(try await site.page(author).all("h1")[0].text == "id: 1")
        let club = try await site.page(
            Address("record", "TroveInspectorTests.Club", "a/b").text)
        #expect(club.all("section").contains { $0.text.contains("members") && $0.text.contains("id: 2") })
    }

    // MARK: SQL

    @Test func statement_hasRowsPlanAndFiles() async throws {
        let statement = "SELECT id, name FROM User WHERE age > 117 ORDER BY id"
        let page = try await site.page(sqlPath(statement))
        #expect(rows(page) == [["118", "User 118"], ["119", "User 119"]])
        #expect(try #require(page.all(class: "plan").first).text.contains("User by"))
        #expect(page.all("textarea")[0].text.contains(statement))
        let csv = try await site.send(.get, sqlPath(statement) + "&form=csv")
        #expect(csv.body == "id,name\r\n118,User 118\r\n119,User 119\r\n")
        #expect(csv.headers[.contentDisposition] == "attachment; filename=\"rows.csv\"")
        let json = try await site.send(.get, sqlPath(statement) + "&form=json")
        #expect(json.body == "{\"id\":118,\"name\":\"User 118\"}\n{\"id\":119,\"name\":\"User 119\"}\n")
    }

    @Test func rows_comeByThousands() async throws {
        let statement = """
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499) SELECT i FROM n
            """
        var page = try await site.page(sqlPath(statement))
        var seen = rows(page).count
        #expect(seen == 1_000)
        while let next = link(page, "next") {
            page = try await site.page(next)
            seen += rows(page).count
        }
        #expect(seen == 2_500)
        #expect(rows(page).last == ["2499"])
    }

    @Test(arguments: [
        "SELEC 1", "SELECT nothing FROM User", "DELETE FROM User", "INSERT INTO User(id) VALUES (1)",
        "DROP TABLE User", "ATTACH '/etc/passwd' AS p", "PRAGMA journal_mode = WAL", "", ";", "SELECT 1; SELECT 2",
        "SELECT load_extension('x')", "SELECT writefile('/tmp/x', 'y')",
    ])
    func wrongStatements_areErrorsOnThePage(_ statement: String) async throws {
        let page = try await site.page(sqlPath(statement))
        #expect(page.all(class: "error").count == (statement.isEmpty ? 0 : 1))
        #expect(try await store.read { try User.query().count(in: $0) } == 120)
        let file = try await site.send(.get, sqlPath(statement) + "&form=csv")
        #expect(try file.page().all("h1")[0].text == "SQL")
    }

    @Test(.timeLimit(.minutes(60))) func endlessStatement_endsAfterASecond() async throws {
        let statement = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let site = TestSite(store, maximumAge: .seconds(1))
        let page = try await site.page(sqlPath(statement))
        #expect(page.all(class: "error").first?.text.contains("after a second") == true)
        #expect(page.all("textarea")[0].text.contains(statement))
        // Its snapshot is free again.
        #expect(try await site.page("/").all("h1")[0].text == "Types")
    }

    @Test func files_areBounded() async throws {
        let wide = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
        let csv = try await site.send(.get, sqlPath(wide + "SELECT hex(zeroblob(100000)) FROM n") + "&form=csv")
        #expect(csv.body.utf8.count <= SQLPage.sizeLimit + 200_002)
        let page = try await site.send(.get, sqlPath("SELECT hex(zeroblob(4000000))") + "&form=json")
        #expect(try page.page().all(class: "error").count == 1)
        let shown = try await site.send(.get, sqlPath("SELECT hex(zeroblob(4000000))"))
        #expect(shown.status == .ok)
        #expect(shown.body.utf8.count < 20_000)
    }
}
#endif
