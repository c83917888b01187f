// The pages of layouts and migrations say what `trove migrations` says.

#if Inspector
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

/// Two versions of a program.
enum FirstReaders {
    @IndexKeyRecord(keyPrefix: 7_200_001, fieldsVersion: 1, "id")
    struct Reader {
        let id: Int
        var name: String
        var score: Int
    }
}

enum SecondReaders {
    @IndexKeyRecord(keyPrefix: 7_200_001, fieldsVersion: 2, "id")
    struct Reader {
        let id: Int
        var score: Double
        var town: String?
    }
}

struct LayoutPageTests {
    private let directory: TemporaryDirectory
    private let site: TestSite
    private let path = "/type/TroveInspectorTests.SecondReaders.Reader/layout"

    init() throws {
        directory = try TemporaryDirectory()
        let file = directory.path("readers.trove")
        do {
            let readers = (1...3).map { FirstReaders.Reader(id: $0, name: "old", score: $0) }
            try Store(path: file).insert(contentsOf: readers)
        }
        let store = try Store(path: file)
        try store.insert(SecondReaders.Reader(id: 4, score: 0.5, town: "Ulm"))
        site = TestSite(store)
    }

    @Test func layouts_haveTheirRecords_differencesAndRules() async throws {
        let page = try await site.page(path)
        #expect(page.all("h2").map(\.text) == ["Version 2, the newest", "Version 1"])
        #expect(page.all(class: "hint").map(\.text) == ["1 record", "3 records"])
        let lists = page.all("ul").map { $0.all("li").map(\.text) }
        #expect(
            lists.first.map(Set.init)
                == ["score was Int64, is Double", "town is added: String?", "name is removed: String"])
        let rules = try #require(lists.last)
        #expect(lists.count == 2 && rules.contains("town is new: nil in old records"))
        #expect(rules.contains { $0.hasPrefix("name is removed") } && rules.contains { $0.hasPrefix("score") })
        let fields = page.all("tbody").map { $0.all("tr").map { $0.all("th")[0].text } }
        #expect(fields == [["id", "score", "town"], ["id", "name", "score"]])
        #expect(page.element(id: "command")?.text == "trove migrations '/data/my store.trove'")
    }

    @Test func migrations_nameTheTypesWithOlderRecords() async throws {
        let page = try await site.page("/migrations")
        #expect(
            page.text.contains("1 type may have records of older layouts: TroveInspectorTests.SecondReaders.Reader"))
        #expect(page.links.filter { $0 == path }.count == 2)
        let layouts = page.all("ol").map { $0.all("li").map(\.text) }
        #expect(layouts.count == 1 && layouts[0].count == 2 && layouts[0][0].hasPrefix("version 1(id:Int64){"))
        let whole = TestSite(try SampleStore.full())
        #expect(try await whole.page("/migrations").text.contains("Every record has the newest layout of its type."))
    }

    @Test func aTypeWithOneLayout_needsNoScan() async throws {
        let page = try await TestSite(try SampleStore.full()).page("/type/TroveInspectorTests.User/layout")
        #expect(page.all(class: "hint").map(\.text) == ["120 records"])
        #expect(page.all("ul").isEmpty)
    }
}
#endif
