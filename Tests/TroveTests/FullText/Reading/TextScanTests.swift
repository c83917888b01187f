// Searches while a full-text index is being built: they read all records, and find the same as the index.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

struct TextScanTests {
    /// The results of a query in every form.
    private struct Results: Equatable {
        var hits: [String] = []
        var keys: [Shanty.IndexKey] = []
        var titles: [String?] = []
        var visited: [Int] = []
        var page: [Int] = []
        var next: [Int] = []
        var newest: [Int] = []
        var count = 0
        var exists = false
        var filtered: [Int] = []
        var either: Set<Int> = []
        var others: Set<Int> = []

        init(of text: TextQuery<Shanty>, index: String?, in source: some RecordReadable) throws {
            let query = Shanty.matching(text, index: index)
            // The bits of the scores count.
            hits = try query.hits(in: source).map { "\($0.record) \($0.score.bitPattern)" }
            keys = try query.keys(in: source)
            titles = try query.select(\.title).resolve(in: source)
            try query.forEach(in: source) { visited.append($0.id) }
            let first = try query.limit(3).resolve(in: source)
            page = first.map(\.id)
            if let last = first.last { next = try query.after(last).limit(4).resolve(in: source).map(\.id) }
            newest = try query.sorted(by: \.year.desc).limit(5, offset: 1).resolve(in: source).map(\.id)
            count = try query.count(in: source)
            exists = try query.exists(in: source)
            let filter = Filter<Shanty>.matches(text, index: index)
            filtered = try Shanty.filter(filter && \.year == 3).resolve(in: source).map(\.id)
            either = Set(try Shanty.filter(filter || \.crew == 2).resolve(in: source).map(\.id))
            others = Set(try Shanty.filter(!filter && \.crew == 1).resolve(in: source).map(\.id))
        }
    }

    private func makeUnready(_ store: Store) throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.keyPrefix == 6_600_001 })
        for index in type.indexes.map(\.name) where index.hasPrefix("fullText") {
            #expect(try store.markForRebuild(index, of: type) == [index])
        }
    }

    @Test func anyQuery_findsTheSameWithoutTheIndex() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Shanty.self])
        try store.insert(contentsOf: Shanty.samples(100, &random))
        var expected: [(text: TextQuery<Shanty>, index: String?, results: Results)] = []
        for round in 0..<32 {
            let isLate = round % 4 == 0
            let text = TextQuery<Shanty>.random(isSimple: isLate, &random)
            let index = isLate ? Shanty.lateIndex : nil
            expected.append((text, index, try Results(of: text, index: index, in: store)))
        }
        try makeUnready(store)
        for (text, index, results) in expected {
            let found = try Results(of: text, index: index, in: store)
            #expect(found == results, "\(text) in \(index ?? "the first index"), seed \(seed)")
        }
        #expect(
            try Shanty.matching("the").explain(in: store).hasPrefix(
                """
                search fullText(title,verses) of Shanty: the
                scan of all records: the index is not built yet
                """))
        // Writes fill the index in part; until it is ready, it is not read.
        try store.write { context in
            try context.insert(Shanty(port: "Hull", id: 1_000, title: "the whale", verses: [], year: 1, crew: 1))
            #expect(try Shanty.matching("whale").keys(in: context).count == 1)
            #expect(try Shanty.matching("whale").delete(in: context) == 1)
        }
        try store.finishMigrations()
        for (text, index, results) in expected {
            #expect(try Results(of: text, index: index, in: store) == results, "\(text), seed \(seed)")
        }
        #expect(try store.check().isEmpty)
    }

    @Test func statements_changeTheSameRecords() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<8 {
            let samples = Shanty.samples(60, &random)
            let text = TextQuery<Shanty>.random(&random)
            let stores = try (0..<2).map { _ in try Store.temporary(records: [Shanty.self]) }
            for store in stores { try store.insert(contentsOf: samples) }
            try makeUnready(stores[1])
            let results = try stores.map { store in
                try store.write { context in
                    var counts: [Int] = []
                    counts.append(
                        try Shanty.matching(text).filter(\.year > 3).update(in: context) { shanty in
                            shanty.verses.append("the late whale")
                        })
                    counts.append(try Shanty.matching("whale").count(in: context))
                    counts.append(try Shanty.filter(.matches(text) && \.crew == 1).delete(in: context))
                    return (counts, try Shanty.query().resolve(in: context))
                }
            }
            #expect(results[0].0 == results[1].0, "\(text), seed \(seed)")
            #expect(results[0].1 == results[1].1, "\(text), seed \(seed)")
            try stores[1].finishMigrations()
            for store in stores { #expect(try store.check().isEmpty, "\(text), seed \(seed)") }
        }
    }

    @Test func beforeTheFirstBuild_searchesScan() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let samples = Shanty.samples(80, &random)
        let directory = try TemporaryDirectory()
        let path = directory.path("shanties.trove")
        let options = StoreOptions(durability: .noSync)
        let bare = try Store(path: path, options: options)
        try bare.insert(contentsOf: samples.map(BareShanty.init))
        try bare.close()
        let store = try Store(path: path, records: [Shanty.self], migrations: .lazily, options: options)
        let built = try Store.temporary(records: [Shanty.self])
        try built.insert(contentsOf: samples)
        for text: TextQuery<Shanty> in ["the cat", "\"the cat\"", "ca* OR fox", "-the"] {
            let expected = try Results(of: text, index: nil, in: built)
            #expect(try Results(of: text, index: nil, in: store) == expected, "\(text), seed \(seed)")
        }
    }

    @Test func longTextsAndWords_areScored() throws {
        let long = String(repeating: "cat ", count: 70_000)
        let word = String(repeating: "a", count: 300)
        let records = [
            Shanty(port: "Hull", id: 1, title: long, verses: [], year: 1, crew: 1),
            Shanty(port: "Hull", id: 2, title: "\(word)b", verses: ["cat"], year: 1, crew: 1),
            Shanty(port: "Hull", id: 3, title: "\(word)c", verses: ["\(word)c cat"], year: 1, crew: 1),
        ]
        let store = try Store.temporary(records: [Shanty.self])
        try store.insert(contentsOf: records)
        let queries: [TextQuery<Shanty>] = [
            "cat", .word("\(word)c"), .prefix("aaaa"), .prefix(word), .prefix("\(word)c"), .phrase("\(word)c cat"),
        ]
        let expected = try queries.map { try Results(of: $0, index: nil, in: store) }
        #expect(expected[0].count == 3 && expected[1].count == 1 && expected[2].count == 2)
        try makeUnready(store)
        for (query, results) in zip(queries, expected) {
            #expect(try Results(of: query, index: nil, in: store) == results, "\("\(query)".prefix(20))")
        }
    }
}
