// Dumps of types with full-text indexes: what is loaded is found, once the program has built the index.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Ledger: Hashable {
    #FullTextIndex<Ledger>(\.title, \.notes)
    #FullTextIndex<Ledger>(\.title, keepsOrder: false, where: { $0.id > 5 })

    let id: Int
    var title: String
    var notes: [String]
}

struct TextDumpTests {
    private func expect(_ found: [String: [Int]], in store: Store, _ note: Comment) throws {
        for (typed, ids) in found {
            #expect(try Ledger.matching(typed).keys(in: store).sorted() == ids, note)
        }
        #expect(try store.check().isEmpty, note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    @Test func aLoadedDump_isFound() throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync)
        let store = try Store(path: directory.path("a.trove"), records: [Ledger.self], options: options)
        try store.insert(contentsOf: (0..<300).map { Ledger(id: $0, title: "page \($0)", notes: ["sum \($0 % 7)"]) })
        let lines = try store.dump()
        let path = directory.path("b.trove")
        try Store.create(at: path, lines: lines)
        #expect(try Store.verify(path: path).findings.isEmpty)
        let created = try Store(path: path, records: [Ledger.self], options: options)
        let sums = ["page": Array(0..<300), "\"sum 3\" 10": [10], "\"page 299\"": [299]]
        try expect(sums, in: created, "created")

        // Into a store with other texts.
        try store.write { context in
            for id in 0..<20 { try context.insert(Ledger(id: id, title: "blank", notes: ["none"])) }
            try context.delete(Ledger.self, key: 20)
        }
        try store.insert(Ledger(id: 500, title: "new page", notes: []))
        let report = try store.load(lines: lines, onConflict: .replace)
        #expect(report.types.map(\.indexesToRebuild) == [[]])
        #expect(try store.check().isEmpty)
        #expect(try Ledger.matching("blank").count(in: store) == 0)
        #expect(try Ledger.matching("page").count(in: store) == 301)
        try store.insert(Ledger(id: 501, title: "page", notes: ["late"]))
        try store.close()
        let opened = try Store(path: directory.path("a.trove"), records: [Ledger.self], options: options)
        try expect(
            ["blank": [], "page": Array(0..<300) + [500, 501], "late": [501], "\"page 20\"": [20]], in: opened,
            "loaded")
        let partial = try #require(Ledger.schema.indexes.first { $0.isPartial }).text
        #expect(try Ledger.matching("page", index: partial).count(in: opened) == 296)
    }
}
