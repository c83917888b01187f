// Filters on parts of strings find the same with an index of trigrams, without it, and in plain Swift.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Filters on parts of strings") struct PartFilterTests {
    /// The records as they should be, in the order of their keys.
    private struct Model {
        var records: [Int: Parted] = [:]
        var sorted: [Parted] { records.keys.sorted().map { records[$0]! } }
    }

    /// The results of a filter in every form.
    private struct Results: Equatable {
        var found: [Int] = []
        var count = 0
        var exists = false
        var visited: [Int] = []
        var page: [Int] = []
        var next: [Int] = []
        var backwards: [Int] = []
        var newest: [Int] = []
        var byTitle: [Int] = []

        init<Record: PartedRecord>(_ filter: Filter<Record>, in source: some RecordReadable) throws {
            // Parts of words are by relevance where an index has them.
            let query = Record.filter(filter).unordered()
            found = try query.keys(in: source)
            count = try query.count(in: source)
            exists = try query.exists(in: source)
            try query.forEach(in: source) { visited.append($0.values.id) }
            let pages = Record.query().order(.ascending).filter(filter)
            let first = try pages.limit(4, offset: 1).resolve(in: source)
            page = first.map(\.values.id)
            if let last = first.last { next = try pages.after(last).limit(5).keys(in: source) }
            backwards = try Record.query().order(.descending).filter(filter).limit(5).keys(in: source)
            newest = try query.sorted(by: Record.yearPath.appending(path: \.desc)).limit(6, offset: 1).keys(in: source)
            byTitle = try query.sorted(by: Record.titlePath).keys(in: source)
        }

        init(_ filter: PartFilter, _ all: [Parted]) {
            let matches = all.filter(filter.matches)
            found = matches.map(\.id)
            (count, exists, visited) = (found.count, !found.isEmpty, found)
            page = Array(found.dropFirst().prefix(4))
            if let last = page.last { next = Array(found.filter { $0 > last }.prefix(5)) }
            backwards = found.reversed().prefix(5).map { $0 }
            newest = matches.sorted { ($1.year, $0.id) < ($0.year, $1.id) }.dropFirst().prefix(6).map(\.id)
            byTitle =
                matches.sorted { left, right in
                    let (one, other) = (Array(left.title.utf8), Array(right.title.utf8))
                    return one == other ? left.id < right.id : one.lexicographicallyPrecedes(other)
                }.map(\.id)
        }
    }

    private func expectSame(
        _ rounds: Int, _ model: Model, in source: some RecordReadable, _ note: String, _ random: inout SeededGenerator
    ) throws -> Int {
        var byTrigrams = 0
        let all = model.sorted
        for _ in 0..<rounds {
            let filter = PartFilter.random(all, &random)
            var expected = Results(filter, all)
            #expect(try Results(filter.filter(PlainLeaf.self), in: source) == expected, "\(filter) \(note)")
            var found = try Results(filter.filter(PartedLeaf.self), in: source)
            // Without an order, the order may be that of the index of years, or of the records' numbers.
            if !filter.isOfParts {
                (found.found, expected.found) = (found.found.sorted(), expected.found.sorted())
                (found.visited, expected.visited) = (found.visited.sorted(), expected.visited.sorted())
            }
            #expect(found == expected, "\(filter) \(note)")
            let plan = try PartedLeaf.filter(filter.filter()).unordered().explain(in: source)
            if plan.contains("candidates by ") { byTrigrams += 1 }
        }
        return byTrigrams
    }

    private func change(_ model: inout Model, _ context: TransactionContext, _ random: inout SeededGenerator) throws {
        for _ in 0..<Int.random(in: 1...20, using: &random) {
            let id = Int.random(in: 0..<200, using: &random)
            if Int.random(in: 0..<5, using: &random) == 0 {
                model.records[id] = nil
                _ = try PartedLeaf.query(id: id).delete(in: context)
                _ = try PlainLeaf.query(id: id).delete(in: context)
            } else {
                let values = Parted.sample(id, &random)
                model.records[id] = values
                try context.insert(PartedLeaf(values))
                try context.insert(PlainLeaf(values))
            }
        }
        let filter = PartFilter.random(model.sorted, depth: 0, &random)
        let matches = model.sorted.filter(filter.matches).map(\.id)
        if Bool.random(using: &random), matches.count < 20 {
            for id in matches { model.records[id] = nil }
            #expect(try PartedLeaf.filter(filter.filter()).delete(in: context) == matches.count, "\(filter)")
            #expect(try PlainLeaf.filter(filter.filter()).delete(in: context) == matches.count, "\(filter)")
        } else {
            // The new texts may match, too.
            for id in matches { model.records[id]?.body += "banana" }
            #expect(try PartedLeaf.filter(filter.filter()).update(in: context) { $0.body += "banana" } == matches.count)
            #expect(try PlainLeaf.filter(filter.filter()).update(in: context) { $0.body += "banana" } == matches.count)
        }
    }

    private struct Abort: Error {}

    @Test func anyFilter_findsTheSame() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let note = "TROVE_TEST_SEED=\(seed)"
        let directory = try TemporaryDirectory()
        let path = directory.path("leaves.trove")
        let options = StoreOptions(durability: .noSync)
        var model = Model()
        var byTrigrams = 0
        for _ in 0..<2 {
            let store = try Store(path: path, records: [PartedLeaf.self, PlainLeaf.self], options: options)
            for _ in 0..<4 {
                try store.write { context in
                    try change(&model, context, &random)
                    byTrigrams += try expectSame(4, model, in: context, "in the write, \(note)", &random)
                    try? context.nested { nested in
                        var lost = model
                        try change(&lost, nested, &random)
                        byTrigrams += try expectSame(3, lost, in: nested, "in a nested write, \(note)", &random)
                        throw Abort()
                    }
                    byTrigrams += try expectSame(2, model, in: context, "after an abort, \(note)", &random)
                }
                byTrigrams += try expectSame(10, model, in: store, note, &random)
            }
            #expect(try store.check().isEmpty, "\(note)")
            try makeUnready(store)
            #expect(try expectSame(8, model, in: store, "before the build, \(note)", &random) == 0)
            try store.finishMigrations()
            byTrigrams += try expectSame(8, model, in: store, "after the build, \(note)", &random)
            #expect(try store.check().isEmpty, "\(note)")
        }
        #expect(try Store.verify(path: path).findings.isEmpty)
        // Most random filters match many records, or are not answered by the indexes.
        #expect(byTrigrams > 0, "\(note)")
    }

    private func makeUnready(_ store: Store) throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("PartedLeaf") })
        for index in type.indexes.map(\.name) where index.hasPrefix("fullText") {
            #expect(try store.markForRebuild(index, of: type) == [index])
        }
    }
}
