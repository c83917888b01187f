// The owners of the pages of a store's file.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Leaflet {
    #Index<Leaflet>(\.town)
    #FullTextIndex<Leaflet>(\.text)

    let id: Int
    var town: String
    var text: String
}

@Suite struct StoredPagesTests {
    @Test func eachTable_hasAName() throws {
        let file = try MigratedFile()
        let store = try file.open(Leaflet.self, User.self, Chat.self)
        try store.insert(
            contentsOf: (0..<500).map { Leaflet(id: $0, town: "Ulm \($0 % 9)", text: "a leaflet of number \($0)") })
        try Chat(id: "c", users: .relation([User(id: "u", name: "Jo")])).save(to: store)
        let pages = try store.read { try $0.pageUsage() }
        #expect(pages.owners.count == pages.usage.tables.count && pages.usage.findings.isEmpty)
        let names = Set(pages.owners.map(\.description))
        let type = "TroveTests.Leaflet"
        #expect(
            names.isSuperset(of: [
                "catalog", "names of tables", "free list", "records of \(type)", "\(type), index(town)",
                "\(type), fullText(text), words", "record numbers of \(type)", "records of TroveTests.User",
            ]), "\(names.sorted())")
        #expect(names.contains { $0.hasPrefix("links of TroveTests.") }, "\(names.sorted())")
        #expect(!pages.owners.contains { if case .other = $0 { true } else { false } }, "\(names.sorted())")
        // The sums are those of the types.
        for stored in try store.read({ try $0.storedTypes() }) where stored.links == nil {
            let place = try #require(pages.owners.firstIndex(of: .records(type: stored.name)))
            #expect(pages.usage.tables[place].entries == stored.count)
            #expect(pages.usage.tables[place].pages * pages.usage.pageSize == stored.size)
        }
        #expect(pages.owners.filter { $0.type == type }.count > 5)
    }

    @Test func aTableOfAnotherProgram_hasItsOwnName() throws {
        let file = try MigratedFile(of: Crew.plain(0..<10))
        do {
            let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
            _ = try environment.createDatabase("guest")
        }
        let pages = try file.open().read { try $0.pageUsage(cellLimit: 2) }
        #expect(pages.owners.contains(.other(table: "guest")))
        #expect(pages.usage.cellCount <= 2 && pages.size == pages.usage.pages * pages.usage.pageSize)
    }

    @Test func aCopyThatIsCompacted_saves() throws {
        let file = try MigratedFile(of: Crew.plain(0..<3_000))
        let store = try file.open()
        try store.write { try Query<Crew.Plain>().delete(in: $0) }
        let pages = try store.read { try $0.pageUsage() }
        #expect(pages.usage.savedBytes > pages.size / 2)
    }
}
