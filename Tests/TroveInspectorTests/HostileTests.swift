// Hostile contents: pages stay whole, and show what is there.

#if Inspector
import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

struct HostileTests {
    private static let names = [
        "Module.A<b>", "Module.\"quoted\"", "Module.a/b", "Module.a?b=c&d#e", "Module.%2F", "Module.it's",
        "Module.\u{202E}txet", "Module.👩‍👩‍👧", "Module.<script>alert(1)</script>", "Module. space ", "Module.ä\u{301}",
    ]

    private static let texts = [
        "<script>alert(1)</script>", "</td></tr></table>", "\" onmouseover=\"alert(1)", "\u{202E}right to left",
        "שלום עולם", "👩‍👩‍👧‍👦🏳️‍🌈", "\u{0}\u{1}\u{1B}[31m\u{7F}\u{9B}", "a\r\nb", "\u{FEFF}\u{200B}", "{{x}}${y}`z`",
        String(repeating: "\u{301}", count: 5_000), String(repeating: "<", count: 3_000_000),
    ]

    @Test func names_areLinkedAndShown() async throws {
        let store = try SampleStore.named(Self.names)
        let site = TestSite(store)
        let page = try await site.page("/")
        for name in Self.names {
            let address = TypePage.address(name).text
            #expect(page.links.contains(address), "\(name)")
            let records = try await site.page(address)
            #expect(records.all("h1")[0].text == name)
            let record = try #require(records.links.first { $0.hasPrefix("/record/") })
            #expect(try await site.page(record).links.contains(address))
            // The link to SQL runs.
            let sql = try #require(records.links.first { $0.hasPrefix("/sql?") })
            #expect(try await site.page(sql).all(class: "error").isEmpty, "\(name)")
        }
    }

    @Test func texts_areShownOnEachPage() async throws {
        let store = try SampleStore.named(["Module.Note"], texts: Self.texts)
        let site = TestSite(store)
        let page = try await site.page("/type/Module.Note")
        let shown = page.all("tbody")[0].all("tr").map { $0.all("td")[1].text }
        #expect(shown.count == Self.texts.count)
        for (text, cell) in zip(Self.texts, shown) where text.unicodeScalars.count < 100 {
            #expect(cell.unicodeScalars.count == text.unicodeScalars.count, "\(text)")
        }
        // Texts of the store are isolated from the direction of the page.
        for row in page.all("tbody")[0].all("tr") { #expect(row.all("td")[1].all("bdi").count == 1) }
        for id in Self.texts.indices {
            let record = try await site.page("/record/Module.Note/\(id)?bytes=1")
            #expect(record.all("h1")[0].text == "id: \(id)")
        }
        let sql = try await site.page(SQLPage.address("SELECT text, text AS \"<b>\" FROM Note").text)
        #expect(sql.all("thead")[0].all("th").map(\.text) == ["text", "<b>"])
        #expect(sql.all("tbody")[0].all("tr").count == Self.texts.count)
    }

    @Test func typedTexts_areShownAsTyped() async throws {
        let site = TestSite(try SampleStore.named(["Module.Note"]))
        for text in Self.texts where text.utf8.count < 10_000 && !text.utf8.contains(0) {
            for page in ["/type/Module.Note", "/sql"] {
                for field in ["filter", "from", "q"] {
                    let address = Address(path: page.split(separator: "/").map(String.init)).with(field, text).text
                    _ = try await site.page(address)
                }
            }
            _ = try await site.page(Address("type", text).text, status: .notFound)
            _ = try await site.page(Address("record", "Module.Note", text).text, status: .notFound)
        }
    }

    @Test func manyRecordsOfLongTexts_areBounded() async throws {
        let texts = Array(repeating: String(repeating: "<&\"", count: 100_000), count: 60)
        let site = TestSite(try SampleStore.named(["Module.Note"], texts: texts))
        let response = try await site.send(.get, "/type/Module.Note")
        #expect(response.body.utf8.count < Budget.size)
        // A page ends after some megabytes, and the next one goes on.
        let page = try response.page()
        let count = page.all("tbody")[0].all("tr").count
        #expect(count > 0 && count < RecordScan.rowLimit)
        #expect(page.all("a").contains { $0.attributes["rel"] == "next" })
    }

    @Test func thousandsOfTypes_arePaged() async throws {
        let names = (0..<1_500).map { "Module.Type\(String(10_000 + $0))" }
        let site = TestSite(try SampleStore.named(names, options: StoreOptions(maximumTables: 4_000)))
        var page = try await site.page("/")
        var seen = page.all("tbody")[0].all("tr").map { $0.all("th")[0].text }
        #expect(seen.count == 1_000)
        while let next = page.all("a").first(where: { $0.attributes["rel"] == "next" })?.attributes["href"] {
            page = try await site.page(next)
            seen += page.all("tbody")[0].all("tr").map { $0.all("th")[0].text }
        }
        #expect(seen == names)
        #expect(try await site.page("/type/Module.Type11499").all("tbody")[0].all("tr").count == 1)
    }

    // MARK: Damage

    @Test func unreadableRecord_isARowWithItsError() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let marker = "SECRETMARK"
        try SampleStore.create(path, (0..<5).map { User(id: $0, name: $0 == 2 ? marker : "User \($0)") })
        var file = try RawFile(path)
        var damaged = 0
        for offset in file.bytes.indices.dropLast(marker.utf8.count)
        where file.bytes[offset...].starts(with: marker.utf8) {
            file.bytes[offset] = UInt8(ascii: "?")
            damaged += 1
        }
        #expect(damaged > 0)
        try file.write(to: path)
        var options = StoreOptions(isReadOnly: true)
        options.verifiesChecksums = true
        let site = TestSite(try SampleStore.open(path, options))
        let page = try await site.page("/type/TroveInspectorTests.User")
        let rows = page.all("tbody")[0].all("tr")
        #expect(rows.count == 5)
        #expect(rows[2].all("th")[0].text == "id: 2")
        #expect(rows[2].all(class: "error").count == 1)
        let link = try #require(rows[2].links.first)
        let record = try await site.page(link + "?bytes=1")
        // Neither its values nor its entries can be shown.
        #expect(record.all(class: "error").count == 2)
        #expect(record.all("pre").count == 2)
        let sql = try await site.page(SQLPage.address("SELECT * FROM User").text)
        #expect(sql.all(class: "error").count == 1)
    }

    /// The counts of trees are numbers that nothing has verified, in a file that is opened with `--trust`.
    @Test(.timeLimit(.minutes(60)), arguments: [Int.max, Int.max - 1, -1, .min])
    func anyCountsInAFile_areShown(_ count: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let users = 977
        try SampleStore.create(path, (0..<users).map { User(id: $0, name: "User \($0)") })
        var file = try RawFile(path)
        // A record of a tree: branch pages, leaf pages, overflow pages, entries, root.
        var trees = 0
        for offset in stride(from: 32, to: file.bytes.count - 16, by: 2)
        where file.number(8, at: offset) == users
            && [-24, -16, -8].allSatisfy({ (0..<1_000).contains(file.number(8, at: offset + $0)) })
            && (2..<file.pageCount).contains(file.number(8, at: offset + 8)) && file.number(8, at: offset - 16) > 0
        {
            file.set(count, 8, at: offset)
            file.set(count, 8, at: offset - 16)
            trees += 1
        }
        #expect(trees >= 2)
        try file.write(to: path)
        let store = try SampleStore.open(path, StoreOptions(isReadOnly: true))
        let stored = try #require(try await store.read { try $0.storedTypes().first })
        #expect(stored.count >= Int.max - 1 && stored.size == .max)
        let site = TestSite(.success(store), path: path)
        let type = "TroveInspectorTests.User"
        for path in [
            "/", "/type/\(type)", "/type/\(type)?last=1", "/type/\(type)?filter=age%20%3E%203", "/type/\(type)/layout",
            "/record/\(type)/7", "/indexes", "/indexes/\(type)/index(age)", "/migrations", "/search",
            "/sql?q=SELECT%20count(*)%20FROM%20User%20WHERE%20age%20%3E%203", "/live", "/space", "/health?check=1",
            "/health?verify=1",
        ] {
            let page = try await site.finishedPage(path)
            #expect(!page.all("h1").isEmpty, "\(path)")
        }
        #expect(try await site.page("/").text.contains("9,223,372,036,854,775,80"))
    }

    @Test func damagedFile_hasAPageThatSaysSo() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        try Data("no store at all".utf8).write(to: URL(fileURLWithPath: path))
        let opened = Result { try SampleStore.open(path, StoreOptions(isReadOnly: true)) }
        guard case .failure = opened else {
            Issue.record("The file was opened.")
            return
        }
        let site = TestSite(opened, path: path)
        for address in ["/", "/sql", "/sql?q=SELECT%201", "/type/x", "/record/x/0x00"] {
            let page = try await site.page(address)
            #expect(page.all("h1")[0].text == "This store cannot be opened")
            #expect(page.all(class: "error").count == 1)
            #expect(page.element(id: "command")?.text == "trove verify \(path)")
        }
        #expect(try await site.send(.get, "/style.css").status == .ok)
    }
}
#endif
