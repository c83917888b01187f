// Filters and orders by closures: what is decoded, what a plan says, and the calls of queries.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Filters and orders by closures") struct ClosureTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Haul.self, Quay.self])
        try store.insert(
            contentsOf: (0..<100).map { id in
                Haul(id: id, label: String(repeating: "x", count: id % 7), weight: id / 10)
            })
        try Quay(id: 1, name: "a", hauls: .ids([13, 12, 11, 10])).save(to: store)
        try Quay(id: 2, name: "bcd", hauls: .ids([20, 21])).save(to: store)
    }

    private func explain(_ query: Query<Haul>) throws -> [String] {
        try query.explain(in: store).split(separator: "\n").map(String.init)
    }

    @Test func aFilter_isExplained() throws {
        #expect(
            try explain(Haul.filter { $0.label.count > 3 }) == [
                "scan Haul, all records", "filter: a closure",
                "closure: decodes each record that passes the other conditions; no index serves it",
                "entries to read: 100",
            ])
        let query = Haul.filter(\.weight == 3).filter(where: { $0.label.count > 3 }).limit(2)
        #expect(try explain(query)[0] == "scan index(weight) of Haul, 1 range: weight == 3")
        #expect(try explain(query).contains("filter: a closure"))
        #expect("\(query)" == "Haul.filter(\\.weight == 3).filter(.where { … }).limit(2)")
    }

    @Test func anOrder_isExplained() throws {
        let query = Haul.filter(\.weight == 3).sorted { $0.label.count < $1.label.count }.limit(2)
        #expect(
            try explain(query) == [
                "scan index(weight) of Haul, 1 range: weight == 3",
                "order: a closure; all matches decoded and sorted", "limit 2", "entries to read: 10",
            ])
        #expect("\(query)" == "Haul.filter(\\.weight == 3).sorted(by: { … }).limit(2)")
        #expect(try query.keys(in: store) == [35, 36])
        #expect(try query.offset(2).keys(in: store) == [30, 37])
        #expect(try query.after(key: 36).keys(in: store) == [30, 37])
    }

    @Test func otherConditions_areTestedFirst() throws {
        let calls = Mutex(0)
        let count = try Haul.filter(
            .where { _ in
                calls.withLock { $0 += 1 }
                return true
            } && \.label == "xxx"
        ).count(in: store)
        #expect(count == 14 && calls.withLock { $0 } == 14)
    }

    @Test func aCountOrAnExistence_needsNoOrder() throws {
        let calls = Mutex(0)
        let query = Haul.query().sorted { left, right in
            calls.withLock { $0 += 1 }
            return left.weight < right.weight
        }
        #expect(try query.count(in: store) == 100)
        #expect(try query.limit(7).offset(95).count(in: store) == 5)
        #expect(try query.exists(in: store))
        #expect(try query.sum(of: \.weight).resolve(in: store) == 450)
        #expect(calls.withLock { $0 } == 0)
    }

    @Test func anUpdate_testsAgain() throws {
        // Each call takes the match away from the next record.
        let updated = try store.write { context in
            var visited: [Int] = []
            try Haul.filter(where: { $0.label.count == 6 }).sorted(by: \.id).forEach(in: context) { haul in
                visited.append(haul.id)
                try Haul(id: haul.id + 7, label: "").save(to: context)
            }
            return visited
        }
        #expect(updated == [6, 20, 34, 48, 62, 76, 90])
    }

    @Test func bulkAndRelatedQueries_takeClosures() throws {
        let long = Quay.filter(where: { $0.name.count > 1 }).related(\.$hauls)
        #expect(try long.keys(in: store) == [20, 21])
        let hauls = Quay.query(1).related(\.$hauls)
        #expect(try hauls.filter { $0.id.isMultiple(of: 2) }.keys(in: store) == [12, 10])
        #expect(try hauls.sorted { $0.id < $1.id }.limit(2).keys(in: store) == [10, 11])
        #expect(try hauls.limit(10, offset: 1).keys(in: store) == [12, 11, 10])
        let groups = try Quay.filter(where: { $0.id == 1 }).relatedGroups(\.$hauls).resolve(in: store)
        #expect(groups.map { $0.targets.map(\.id) } == [[13, 12, 11, 10]])
        #expect(try Haul.query([3, 99, 200]).filter { $0.id > 3 }.keys(in: store) == [99])
        #expect(try Haul.query([3, 99]).sorted { $0.id > $1.id }.keys(in: store) == [99, 3])
        #expect(try Haul.query(in: store).filter { $0.id < 2 }.sorted { $0.id > $1.id }.keys() == [1, 0])
        let quay = Quay.query(1).with(\.$hauls) { $0.sorted { $0.id < $1.id } }
        #expect(try quay.explain(in: store).contains("with Quay.hauls: sorted by a closure"))
    }

    @Test func aClosure_seesNoRelations() throws {
        let query = Haul.filter(where: { $0.$quay.isNone })
        #expect(try query.count(in: store) == 100)
    }

    /// The owners are found once: for the choice of the plan, and for the run.
    @Test func ownersOfACompetingIndex_areScannedOnce() throws {
        let calls = Mutex(0)
        let owners = Quay.filter(where: { _ in
            calls.withLock { $0 += 1 }
            return true
        })
        let query = owners.related(\.$hauls).filter(\.weight == 1)
        #expect(try query.keys(in: store) == [13, 12, 11, 10])
        #expect(calls.withLock { $0 } == 2)
        calls.withLock { $0 = 0 }
        #expect(try query.sorted(by: \.id).limit(1).keys(in: store) == [10])
        #expect(calls.withLock { $0 } == 2)
        calls.withLock { $0 = 0 }
        #expect(try owners.related(\.$hauls).filter(\.weight == 2).count(in: store) == 2)
        #expect(calls.withLock { $0 } == 2)
    }
}
