// The same queries with indexes and without: the same records, in the same order where there is one.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Queries over indexes, at random") struct IndexedQueryTests {
    private let store: Store
    private let samples: [TwinFields]
    private let seed: UInt64

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        samples = TwinFields.samples(160, using: &generator)
        try store.insert(contentsOf: samples.map { BareTwin($0) })
        try store.insert(contentsOf: samples.map { IndexedTwin($0) })
    }

    /// What a filter and an order give of the array.
    private func expected(_ filter: TwinFilter, _ order: [TwinOrder]) -> [TwinFields] {
        samples.filter(filter.holds).sortedStably { left, right in
            for part in order {
                if let isBefore = part.sorts(left, before: right) { return isBefore }
            }
            return false
        }
    }

    private func query<Record: Twin>(
        _ type: Record.Type, _ filter: TwinFilter, _ order: [TwinOrder]
    ) -> Query<Record> {
        Record.filter(filter.filter(type)).sorted(by: order.map { $0.key(type) })
    }

    // MARK: Whole results, and pages

    @Test func indexes_changeNothingButTheCost() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        var usesOfIndexes = 0
        try store.read { context in
            for _ in 0..<2_500 {
                let filter = TwinFilter.random(
                    Int.random(in: 0...3, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let all = expected(filter, order)
                let indexed = query(IndexedTwin.self, filter, order)
                let bare = query(BareTwin.self, filter, order)
                try check(indexed, bare, all, isSorted: !order.isEmpty, in: context)
                try checkPage(indexed, bare, all, isSorted: !order.isEmpty, in: context, using: &generator)
                if try indexed.explain(in: context).contains("index(") { usesOfIndexes += 1 }
            }
        }
        #expect(usesOfIndexes > 500, "seed \(seed)")
    }

    /// Compares all that is found.
    private func check(
        _ indexed: Query<IndexedTwin>, _ bare: Query<BareTwin>, _ all: [TwinFields], isSorted: Bool,
        in context: some RecordReadable
    ) throws {
        let (found, foundBare) = try (indexed.resolve(in: context), bare.resolve(in: context))
        let plan = try indexed.explain(in: context)
        let note: Comment = "seed \(seed): \(plan)"
        if isSorted {
            #expect(found.keys == all.keys, note)
            #expect(foundBare.keys == all.keys, note)
        } else {
            #expect(found.count == all.count && Set(found.keys) == Set(all.keys), note)
            #expect(foundBare.count == all.count && Set(foundBare.keys) == Set(all.keys), note)
        }
        #expect(try indexed.count(in: context) == all.count, note)
        #expect(try indexed.exists(in: context) == !all.isEmpty, note)
        let keys = try indexed.keys(in: context).map { KeyWriter.bytes(of: $0) }
        #expect(isSorted ? keys == all.keys : Set(keys) == Set(all.keys), note)
    }

    /// Compares a page.
    private func checkPage(
        _ indexed: Query<IndexedTwin>, _ bare: Query<BareTwin>, _ all: [TwinFields], isSorted: Bool,
        in context: some RecordReadable, using generator: inout SeededGenerator
    ) throws {
        let (offset, limit) = (Int.random(in: 0...5, using: &generator), Int.random(in: -1...30, using: &generator))
        var (indexed, bare) = (indexed.offset(offset).limit(limit), bare.offset(offset).limit(limit))
        var rest = all[...]
        if isSorted, Bool.random(using: &generator), let last = all.randomElement(using: &generator) {
            let isByKey = Bool.random(using: &generator)
            indexed = isByKey ? indexed.after(key: IndexedTwin(last).indexKey) : indexed.after(IndexedTwin(last))
            bare = isByKey ? bare.after(key: BareTwin(last).indexKey) : bare.after(BareTwin(last))
            rest = all[((all.keys.firstIndex(of: [last].keys[0]) ?? 0) + 1)...]
        }
        let page = Array(rest.dropFirst(offset).prefix(max(0, limit)))
        let (found, foundBare) = try (indexed.resolve(in: context), bare.resolve(in: context))
        let plan = try indexed.explain(in: context)
        let note: Comment = "seed \(seed): \(plan)"
        if isSorted {
            #expect(found.keys == page.keys, note)
            #expect(foundBare.keys == page.keys, note)
        } else {
            #expect(found.count == page.count && Set(found.keys).isSubset(of: all.keys), note)
            #expect(Set(found.keys).count == found.count, note)
        }
        #expect(try indexed.count(in: context) == page.count, note)
    }

    @Test func pages_joinToTheWhole() throws {
        var generator = SeededGenerator(seed: seed &+ 2)
        try store.read { context in
            for _ in 0..<150 {
                let filter = TwinFilter.random(
                    Int.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let all = expected(filter, order)
                let query = query(IndexedTwin.self, filter, order)
                    .limit(Int.random(in: 1...40, using: &generator))
                let isByKey = Bool.random(using: &generator)
                var joined: [IndexedTwin] = []
                while case let page =
                    try (isByKey ? query.after(key: joined.last?.indexKey) : query.after(joined.last))
                    .resolve(in: context), !page.isEmpty
                {
                    joined += page
                    guard joined.count <= all.count else { break }
                }
                let plan = try query.explain(in: context)
                if order.isEmpty {
                    #expect(joined.count == all.count && Set(joined.keys) == Set(all.keys), "seed \(seed): \(plan)")
                } else {
                    #expect(joined.keys == all.keys, "seed \(seed): \(plan)")
                }
            }
        }
    }

    // MARK: In a write

    @Test func aWrite_findsWhatItHasWritten() throws {
        var generator = SeededGenerator(seed: seed &+ 3)
        var changed = samples
        try store.write { context in
            for index in changed.indices where index % 3 == 0 {
                let others = samples.sample(&generator)
                (changed[index].age, changed[index].text) = (others.age, others.text)
                (changed[index].score, changed[index].home) = (others.score, others.home)
                try context.insert(IndexedTwin(changed[index]))
            }
            for _ in 0..<300 {
                let filter = TwinFilter.random(
                    Int.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let all = changed.filter(filter.holds).sortedStably { left, right in
                    order.lazy.compactMap { $0.sorts(left, before: right) }.first ?? false
                }
                let query = query(IndexedTwin.self, filter, order)
                let found = try query.resolve(in: context)
                let plan = try query.explain(in: context)
                if order.isEmpty {
                    #expect(found.count == all.count && Set(found.keys) == Set(all.keys), "seed \(seed): \(plan)")
                } else {
                    #expect(found.keys == all.keys, "seed \(seed): \(plan)")
                }
            }
        }
        #expect(try store.check(IndexedTwin.self) == [])
    }

    @Test func keyRanges_holdOverIndexes() throws {
        var generator = SeededGenerator(seed: seed &+ 4)
        try store.read { context in
            for _ in 0..<300 {
                let filter = TwinFilter.random(
                    Int.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let groups = (Int.random(in: -4...6, using: &generator), Int.random(in: -4...6, using: &generator))
                let keys = [
                    IndexedTwin.query(group: .range(from: groups.0, upTo: groups.1)),
                    IndexedTwin.query(group: .within([groups.0, groups.1])).order(.descending),
                ].sample(&generator)
                let query = keys.filter(filter.filter(IndexedTwin.self))
                    .sorted(by: order.map { $0.key(IndexedTwin.self) })
                let bounds = Set(try keys.select(\.group, in: context))
                let all = expected(filter, order).filter { bounds.contains($0.group) }
                let found = try query.resolve(in: context)
                let plan = try query.explain(in: context)
                #expect(found.count == all.count && Set(found.keys) == Set(all.keys), "seed \(seed): \(plan)")
                if !order.isEmpty { #expect(found.keys == all.keys, "seed \(seed): \(plan)") }
                #expect(try query.count(in: context) == all.count, "seed \(seed): \(plan)")
            }
        }
    }
}

extension Sequence where Element: Twin {
    fileprivate var keys: [[UInt8]] { map { KeyWriter.bytes(of: $0.indexKey) } }
}

extension Sequence where Element == TwinFields {
    fileprivate var keys: [[UInt8]] {
        map { fields in KeyWriter.bytes { writer in
            fields.group.encodeKey(into: &writer)
            fields.name.encodeKey(into: &writer)
        } }
    }
}
