// The same queries with indexes and without. They return the same records, in the same order if the query has an order.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Queries over indexes, at random") struct IndexedQueryTests {
    private let store: Store
    private let samples: [TwinFields]
    private let seed: UInt64

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        samples = TwinFields.samples(100, using: &generator)
        try store.insert(contentsOf: samples.map { BareTwin($0) })
        try store.insert(contentsOf: samples.map { IndexedTwin($0) })
    }

    /// Returns the expected result of a filter and an order over an array.
    private func expected(_ filter: TwinFilter, _ order: [TwinOrder], of fields: [TwinFields]) -> [TwinFields] {
        fields.filter(filter.holds).sortedStably { left, right in
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

    /// Compares the result of a query with the expected result.
    private func check(
        _ found: [some Twin], _ all: [TwinFields], isSorted: Bool, _ plan: @autoclosure () throws -> some Any
    ) rethrows {
        let isRight =
            isSorted ? found.keys == all.keys : found.count == all.count && Set(found.keys) == Set(all.keys)
        let text = try isRight ? "" : "\(plan())"
        #expect(isRight, "seed \(seed): \(text)")
    }

    /// Runs a query with every possible plan.
    private func forEachPlan(
        of query: Query<IndexedTwin>, in context: ReadContext, _ body: (QueryPlan, [IndexedTwin], Int) throws -> Void
    ) throws {
        let planner = try query.planner()
        let table = try #require(try context.table(for: IndexedTwin.schema))
        let paths = IndexedTwin.schema.candidates.filter(table.isUsable)
        let choice = query.choice(by: planner, table: table, in: context, for: .records)
        var plans: [QueryPlan] = []
        for path in paths { planner.addPlans(over: path, paths[0], in: "IndexedTwin", to: &plans) }
        let ranged = plans.filter { !$0.isWholePath && $0.merged == nil }
        plans += try choice.unions()
        for (place, first) in ranged.enumerated() {
            plans += ranged[..<place].compactMap { second in
                planner.intersection(first, second, paths[0])
            }
        }
        for plan in plans {
            let run = try QueryRun(query, plan: plan, planner: planner, table: table, in: context, for: .records)
            let found = try run.collect(context) { matches, index, table in
                try IndexedTwin.decode(matches[index], table)
            }
            let counting = try QueryRun(query, plan: plan, planner: planner, table: table, in: context, for: .count)
            try body(plan, found, counting.count(context))
        }
    }

    // MARK: Whole results, and pages

    @Test func everyPlan_givesTheSame() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        var paths: Set<AccessPath.Kind> = []
        var hasUnions = false
        var hasIntersections = false
        var (sortsTies, knowsConditions) = (false, false)
        var (findsElements, mergesElements) = (false, false)
        try store.read { context in
            for number in 0..<400 {
                var filter = TwinFilter.random(.random(in: 0...3, using: &generator), samples, using: &generator)
                var order = TwinOrder.random(using: &generator)
                if number % 20 == 0, let open = samples.first(where: \.isOpen) {
                    filter = .and(.condition(.isOpen, .equal, open, open), filter)
                    order.insert(TwinOrder(property: .score, isDescending: number % 3 == 0), at: 0)
                }
                // Few random filters go by the indexes of marks.
                if number % 10 == 5,
                    let marked = samples.filter({ $0.marks?.isEmpty == false }).randomElement(using: &generator)
                {
                    let first: TwinFilter.Property = number % 20 == 5 ? .rank : .isOpen
                    filter = .and(
                        .and(.condition(first, .equal, marked, marked), .condition(.marks, .equal, marked, marked)),
                        filter)
                }
                let all = expected(filter, order, of: samples)
                let indexed = query(IndexedTwin.self, filter, order)
                try forEachPlan(of: indexed, in: context) { plan, found, count in
                    check(found, all, isSorted: !order.isEmpty, plan)
                    #expect(count == all.count, "seed \(seed): \(plan)")
                    paths.insert(plan.path.kind)
                    hasUnions = hasUnions || plan.merged?.isUnion == true
                    findsElements = findsElements || plan.path.elements != nil
                    mergesElements = mergesElements || plan.merged?.parts.count == 1
                    hasIntersections = hasIntersections || plan.merged?.isUnion == false
                    if case .ties = plan.scanOrder { sortsTies = true }
                    knowsConditions = knowsConditions || plan.path.condition != nil && plan.isExact
                }
                try checkPage(indexed, all, isSorted: !order.isEmpty, in: context, using: &generator)
            }
        }
        // The records and the indexes. Random filters may miss an index.
        #expect(paths.count >= IndexedTwin.indexes.count, "seed \(seed): only \(paths)")
        #expect(hasUnions && hasIntersections && sortsTies && knowsConditions && findsElements && mergesElements)
    }

    private func checkPage(
        _ query: Query<IndexedTwin>, _ all: [TwinFields], isSorted: Bool, in context: ReadContext,
        using generator: inout SeededGenerator
    ) throws {
        let (offset, limit) = (Int.random(in: 0...5, using: &generator), Int.random(in: -1...30, using: &generator))
        var query = query.offset(offset).limit(limit)
        var rest = all[...]
        if isSorted, Bool.random(using: &generator), let last = all.randomElement(using: &generator) {
            let record = IndexedTwin(last)
            query = Bool.random(using: &generator) ? query.after(key: record.indexKey) : query.after(record)
            rest = all[((all.keys.firstIndex(of: [last].keys[0]) ?? 0) + 1)...]
        }
        let page = Array(rest.dropFirst(offset).prefix(max(0, limit)))
        try forEachPlan(of: query, in: context) { plan, found, count in
            if isSorted {
                check(found, page, isSorted: true, plan)
            } else {
                #expect(found.count == page.count && Set(found.keys).isSubset(of: all.keys), "seed \(seed): \(plan)")
                #expect(Set(found.keys).count == found.count, "seed \(seed): \(plan)")
            }
            #expect(count == page.count, "seed \(seed): \(plan)")
        }
    }

    @Test func theTypeWithoutIndexes_findsTheSame() throws {
        var generator = SeededGenerator(seed: seed &+ 2)
        try store.read { context in
            for _ in 0..<400 {
                let filter = TwinFilter.random(.random(in: 0...3, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let bare = query(BareTwin.self, filter, order).limit([nil, 7].sample(&generator))
                let indexed = query(IndexedTwin.self, filter, order).limit(bare.limit)
                let (first, second) = try (bare.resolve(in: context), indexed.resolve(in: context))
                if bare.limit == nil || !order.isEmpty {
                    try check(
                        second, first.map(\.fields), isSorted: !order.isEmpty, indexed.explain(in: context))
                }
                #expect(first.count == second.count && second.map(\.fields).allSatisfy(filter.holds))
                #expect(try Set(indexed.keys(in: context)) == Set(second.map(\.indexKey)))
                #expect(try indexed.count(in: context) == second.count)
                #expect(try indexed.exists(in: context) == !second.isEmpty)
            }
        }
    }

    @Test func pages_joinToTheWhole() throws {
        var generator = SeededGenerator(seed: seed &+ 3)
        try store.read { context in
            for _ in 0..<150 {
                let filter = TwinFilter.random(.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let query = query(IndexedTwin.self, filter, order).limit(.random(in: 1...40, using: &generator))
                let isByKey = Bool.random(using: &generator)
                var joined: [IndexedTwin] = []
                while joined.count <= samples.count,
                    case let page = try (isByKey ? query.after(key: joined.last?.indexKey) : query.after(joined.last))
                        .resolve(in: context), !page.isEmpty
                {
                    joined += page
                }
                try check(
                    joined, expected(filter, order, of: samples), isSorted: !order.isEmpty, query.explain(in: context))
            }
        }
    }

    // MARK: Keys, and writes

    @Test func keyRanges_holdOverIndexes() throws {
        var generator = SeededGenerator(seed: seed &+ 4)
        try store.read { context in
            for _ in 0..<200 {
                let filter = TwinFilter.random(.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let groups = (Int.random(in: -4...2, using: &generator), Int.random(in: -4...2, using: &generator))
                let keys = [
                    IndexedTwin.query(group: .range(from: groups.0, upTo: groups.1)),
                    IndexedTwin.query(group: .within([groups.0, groups.1])).order(.descending),
                ].sample(&generator)
                let allowed = Set(try keys.select(\.group).resolve(in: context))
                let all = expected(filter, order, of: samples.filter { allowed.contains($0.group) })
                let query = keys.filter(filter.filter(IndexedTwin.self))
                    .sorted(by: order.map { $0.key(IndexedTwin.self) })
                try forEachPlan(of: query, in: context) { plan, found, count in
                    if order.isEmpty, keys.keyOrder == .descending {
                        check(found, all.reversed(), isSorted: true, plan)
                    } else {
                        check(found, all, isSorted: !order.isEmpty, plan)
                    }
                    #expect(count == all.count, "seed \(seed): \(plan)")
                }
            }
        }
    }

    @Test func aWrite_findsWhatItHasWritten() throws {
        var generator = SeededGenerator(seed: seed &+ 5)
        var changed = samples
        try store.write { context in
            for index in changed.indices where index % 3 == 0 {
                let other = samples.sample(&generator)
                (changed[index].age, changed[index].text) = (other.age, other.text)
                (changed[index].score, changed[index].home) = (other.score, other.home)
                try context.insert(IndexedTwin(changed[index]))
            }
            for _ in 0..<150 {
                let filter = TwinFilter.random(.random(in: 0...2, using: &generator), samples, using: &generator)
                let order = TwinOrder.random(using: &generator)
                let all = expected(filter, order, of: changed)
                try forEachPlan(of: query(IndexedTwin.self, filter, order), in: context) { plan, found, count in
                    check(found, all, isSorted: !order.isEmpty, plan)
                    #expect(count == all.count, "seed \(seed): \(plan)")
                }
            }
        }
        #expect(try store.check(IndexedTwin.self) == [])
    }
}

extension Sequence where Element: Twin {
    fileprivate var keys: [[UInt8]] { map { KeyWriter.bytes(of: $0.indexKey) } }
}

extension Sequence where Element == TwinFields {
    fileprivate var keys: [[UInt8]] { map { KeyWriter.bytes(of: Tuple($0.group, $0.name)) } }
}
