// The command on a type with totals.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Ticket: Hashable {
    #Totals<Ticket>(by: \.venue, of: \.cents)
    #Totals<Ticket>(where: { $0.isSold })

    let id: Int
    var venue: String
    var cents: Int
    var isSold: Bool
}

@Suite struct TotalsCommandTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let type = "TroveCLITests.Ticket"
    private let byVenue = "totals(venue of cents)"
    private let sold = "totals(where { $0.isSold })"

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("tickets.trove")
        let store = try Store(path: path, records: [Ticket.self], options: StoreOptions(durability: .noSync))
        try store.insert(
            contentsOf: (0..<30).map {
                Ticket(id: $0, venue: ["Globe", "Opera", "Park"][$0 % 3], cents: $0 * 100, isSold: $0 % 2 == 0)
            })
    }

    /// Compares the totals with the records, as their program.
    private func expectSound(_ path: String) throws {
        let store = try Store(path: path, records: [Ticket.self], options: StoreOptions(durability: .noSync))
        #expect(try store.check() == [])
        let opera = Ticket.filter(\.venue == "Opera").sum(of: \.cents)
        #expect(try opera.explain(in: store).contains(byVenue))
        #expect(try opera.resolve(in: store) == stride(from: 1, to: 30, by: 3).reduce(0) { $0 + $1 * 100 })
        #expect(try Ticket.filter(\.isSold).count(in: store) == 15)
    }

    @Test func info_countsGroups() throws {
        let lines = try trove("info", path).lines
        for beginning in ["\(type), \(byVenue): 3 groups, ", "\(type), \(sold): 1 group, "] {
            #expect(lines.count { $0.hasPrefix(beginning) && $0.hasSuffix(" bytes") } == 1, "\(lines)")
        }
        #expect(lines.contains("features of the format: 4 (totals), needed to read"))
        let types = try #require(try jsonObject(trove("info", path, "--json").lines)["types"] as? [[String: Any]])
        let indexes = try #require(types.first?["indexes"] as? [[String: Any]])
        #expect(indexes.map { $0["name"] as? String } == [byVenue, sold])
        #expect(indexes.map { $0["entries"] as? Int } == [3, 1])
        #expect(indexes.map { $0["hasGroups"] as? Bool } == [true, true])
    }

    @Test func check_comparesGroups_andNotThoseOfACondition() throws {
        let (code, lines) = try trove("check", path)
        #expect(code == 0)
        #expect(
            lines.dropLast() == [
                "\(type), \(byVenue): 3 groups, no differences",
                "\(type), \(sold): 1 group, not checked: only its program can derive its entries",
            ])
        #expect(try trove("check", path, "Ticket", byVenue).lines.first == lines.first)
        let json = try jsonObject(trove("check", path, "--json").lines)
        let indexes = try #require(json["indexes"] as? [[String: Any]])
        #expect(indexes.map { $0["hasGroups"] as? Bool } == [true, true])
        #expect(indexes.map { $0["extent"] as? String } == ["whole", "unknown"])
    }

    @Test func theShell_listsGroups() throws {
        #expect(
            try shell("echo .indexes | trove sql '\(path)'").output
                == "Ticket: \(byVenue), 3 groups\nTicket: \(sold), 1 group\n")
    }

    @Test func markedTotals_areMadeByTheirProgram() throws {
        #expect(try trove("rebuild", path, "Ticket").code == 0)
        let lines = try trove("check", path).lines
        #expect(lines.count { $0.hasSuffix("not checked: the index is not ready") } == 2, "\(lines)")
        #expect(try trove("info", path).lines.count { $0.hasSuffix(", not ready: built from 0 records") } == 2)
        try expectSound(path)
    }

    @Test func aDump_isLoadedWithItsTotals() throws {
        let new = directory.path("new.trove")
        #expect(try shell("trove dump --all '\(path)' | trove load '\(new)'").code == 0)
        #expect(try trove("verify", new).code == 0)
        try expectSound(new)
        #expect(try trove("check", new).lines.first == "\(type), \(byVenue): 3 groups, no differences")
    }

    @Test func aSalvagedStore_hasItsTotals() throws {
        let saved = directory.path("saved.trove")
        #expect(try trove("salvage", path, saved).code == 0)
        #expect(try trove("verify", saved).code == 0)
        try expectSound(saved)
    }
}
#endif
