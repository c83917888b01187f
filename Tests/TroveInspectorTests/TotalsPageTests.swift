// The pages of totals count groups, not entries.

#if Inspector
import Testing
import Trove

@testable import TroveInspector

@IndexKeyRecord("id")
private struct Ticket {
    #Totals<Ticket>(by: \.venue, of: \.cents)
    #Totals<Ticket>(where: { $0.isSold })

    let id: Int
    var venue: String
    var cents: Int
    var isSold: Bool
}

struct TotalsPageTests {
    private let site: TestSite
    private let type = "TroveInspectorTests.Ticket"

    init() throws {
        let store = try Store.temporary(records: [Ticket.self])
        try store.insert(
            contentsOf: (0..<60).map {
                Ticket(id: $0, venue: ["Globe", "Opera", "Park"][$0 % 3], cents: $0, isSold: $0 == 7)
            })
        site = TestSite(store)
    }

    private func rows(_ page: HTMLElement) -> [[String]] {
        (page.all("tbody").first?.all("tr") ?? []).map { row in
            row.all.filter { ["th", "td"].contains($0.name) }.map(\.text)
        }
    }

    @Test func indexes_countGroups() async throws {
        let rows = rows(try await site.page("/indexes"))
        #expect(rows.map { $0[0] } == ["totals(venue of cents)", "totals(where { $0.isSold })"])
        #expect(rows.map { $0[2] } == ["3 groups", "1 group"])
        #expect(rows.map { $0[6] } == ["ready", "ready"])
    }

    @Test func theType_namesItsTotals() async throws {
        let links = try await site.page("/type/\(type)").all("a").map(\.text)
        #expect(links.contains("totals(venue of cents)") && links.contains("totals(where { $0.isSold })"), "\(links)")
    }

    @Test func totals_showTheirGroups() async throws {
        let page = try await site.page("/indexes/\(type)/totals(venue%20of%20cents)")
        let facts = page.all("dt").map(\.text)
        #expect(facts.contains("Groups") && facts.contains("Bytes a group"), "\(facts)")
        #expect(!facts.contains("Entries") && !facts.contains("Records"))
        #expect(page.text.contains("3 groups of 60 records."))
        #expect(page.all("th").map(\.text).starts(with: ["Group", "Records", "Share of the records"]))
        #expect(
            rows(page).map { Array($0.prefix(2)) } == [[#""Globe""#, "20"], [#""Opera""#, "20"], [#""Park""#, "20"]])
        // Without the program, a condition cannot be evaluated; its row can be read.
        let sold = try await site.page("/indexes/\(type)/totals(where%20%7B%20$0.isSold%20%7D)")
        #expect(sold.text.contains("1 group of 1 record."))
        #expect(rows(sold).map { Array($0.prefix(2)) } == [["all records", "1"]])
    }

    @Test func aCheck_comparesGroups() async throws {
        let page = try await site.finishedPage("/health?check=1")
        #expect(page.all(class: "verdict").map(\.text) == ["No differences were found."])
        #expect(
            rows(page) == [
                ["totals(venue of cents) of \(type)", "3 groups", "all groups and records", "0"],
                [
                    "totals(where { $0.isSold }) of \(type)", "1 group",
                    "nothing: only the program derives its entries", "0",
                ],
            ])
    }

    @Test func aRecord_hasARowForItsGroup() async throws {
        let page = try await site.page("/record/\(type)/7")
        let table = try #require(
            page.all("table").first { $0.all("th").map(\.text).starts(with: ["Index", "Entries"]) })
        let rows = table.all("tr").dropFirst().map { row in row.all("td").map(\.text).joined() }
        #expect(rows.first == #""Opera""#)
        #expect(rows.last?.contains("the group of all records") == true, "\(rows)")
    }
}
#endif
