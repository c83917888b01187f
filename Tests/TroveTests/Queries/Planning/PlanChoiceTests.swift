// The plans of random queries, chosen without counting entries where the choice is certain, beside the choice by
// counts.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("The choice of plans, at random") struct PlanChoiceTests {
    private let store: Store
    private let samples: [TwinFields]
    private let seed: UInt64

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        samples = TwinFields.samples(2_500, using: &generator)
        try store.insert(contentsOf: samples.map { IndexedTwin($0) })
    }

    /// Compares the choices for some queries. Returns how many were certain.
    private func check(_ count: Int, in context: ReadContext, using generator: inout SeededGenerator) throws -> Int {
        let table = try #require(try context.table(for: IndexedTwin.schema))
        var certain = 0
        for _ in 0..<count {
            let filter = TwinFilter.random(.random(in: 0...2, using: &generator), samples, using: &generator)
            let query = IndexedTwin.filter(filter.filter(IndexedTwin.self))
                .sorted(by: TwinOrder.random(using: &generator).map { $0.key(IndexedTwin.self) })
                .limit([nil, 1, 20, 500].sample(&generator)).offset([0, 0, 7].sample(&generator))
            let need = ([.records, .each, .keys, .count] as [QueryNeed]).sample(&generator)
            let planner = try query.planner()
            let paths = IndexedTwin.schema.candidates.filter(table.isUsable)
            var plans: [QueryPlan] = []
            for path in paths { planner.addPlans(over: path, paths[0], in: "IndexedTwin", to: &plans) }
            let model = query.choice(by: planner, table: table, in: context, for: need)
            guard plans.count > 1, let choice = try model.certainBest(of: plans) else { continue }
            certain += 1
            let counted = try model.countedBest(of: plans)
            #expect("\(choice)" == "\(counted)", "seed \(seed)")
        }
        return certain
    }

    @Test func certainChoice_isTheChoiceByCounts() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        let certain = try store.read { try check(1_500, in: $0, using: &generator) }
        #expect(certain > 20, "\(certain) of 1,500 choices were certain; seed \(seed)")
        try store.write { context in
            _ = try IndexedTwin.filter(\.age < 3).delete(in: context)
            #expect(try check(300, in: context, using: &generator) > 0)
            _ = try IndexedTwin.filter(\.age < 5).delete(in: context)
            _ = try check(300, in: context, using: &generator)
        }
    }

    // MARK: Readers of properties

    @Test func readers_areThoseOfTheirKeyPaths() throws {
        for _ in 0..<3 {
            #expect(try IndexedTwin.reader(of: \.age).property.name == "age")
            #expect(try IndexedTwin.reader(of: \.code).property.name == "code")
            #expect(try BareTwin.reader(of: \.age).property.name == "age")
            #expect(try IndexedTwin.reader(of: \.level).property.name == "level")
            #expect(throws: StoreError.self) { try IndexedTwin.reader(of: \.name.count) }
        }
        #expect(try IndexedTwin.reader(of: \.age) === IndexedTwin.reader(of: \.age))
    }

    @Test func theCacheByKeyPaths_isLimited() throws {
        let cache = KeyPathCache()
        let reader = try IndexedTwin.reader(of: \.age)
        var creations = 0
        let paths = (0..<1_000).map { \[Int].[$0] }
        for _ in 0..<2 {
            for path in paths {
                let found = try cache.value(of: path) { () throws(StoreError) in
                    creations += 1
                    return reader
                }
                #expect(found === reader)
            }
        }
        #expect(creations == 1_000 + (1_000 - 256))
    }

    // MARK: Sort properties

    @Test func descendingPaths_sortByTheirBase() throws {
        for _ in 0..<2 {
            #expect(try IndexedTwin.sortProperty(of: \.age).isDescending == false)
            #expect(try IndexedTwin.sortProperty(of: \.age.desc).isDescending)
            #expect(try IndexedTwin.sortProperty(of: \.age.desc).property.name == "age")
            #expect(try IndexedTwin.sortProperty(of: \.level.desc).property.name == "level")
            #expect(throws: StoreError.self) { try IndexedTwin.sortProperty(of: \.name.count) }
            #expect(throws: StoreError.self) { try IndexedTwin.sortProperty(of: \.name.count.desc) }
            #expect(throws: StoreError.self) { try IndexedTwin.sortProperty(of: \.age.desc.desc) }
        }
        #expect(SortKey(\IndexedTwin.age.desc).term.isDescending)
        #expect(!SortKey(\IndexedTwin.age.desc).desc.term.isDescending)
    }
}
