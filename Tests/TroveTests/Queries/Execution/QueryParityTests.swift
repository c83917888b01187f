// The scan that answers a query by key alone, beside the plan of the same query with a filter that every record passes.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Part: Hashable {
    let id: Int
    var name: String
    var size: Int
    var weight: Double
    var rank: Int?
    var share: Double?
}

@IndexKeyRecord("id")
private struct Sized {
    #Index<Sized>(\.size)
    let id: Int
    var size: Int
}

@Suite("Scans of keys beside plans") struct QueryParityTests {
    private typealias Call = @Sendable (Query<Part>, Store) throws -> Any?

    /// Every call. `or` is left out: it has no meaning without a filter before it.
    private static let calls: [(name: String, run: Call)] = [
        ("resolve", { try $0.resolve(in: $1) }),
        ("select property", { try $0.select(\.name).resolve(in: $1) }),
        ("select properties", { try $0.select(\.name, \.size).resolve(in: $1) }),
        ("first", { try $0.first(in: $1) }),
        ("keys", { try $0.keys(in: $1) }),
        ("count", { try $0.count(in: $1) }),
        ("last", { try $0.last(in: $1) }),
        ("exists", { try $0.exists(in: $1) }),
        ("min", { try $0.min(of: \.name).resolve(in: $1) }),
        ("min of optional", { try $0.min(of: \.rank).resolve(in: $1) }),
        ("max", { try $0.max(of: \.size).resolve(in: $1) }),
        ("max of optional", { try $0.max(of: \.rank).resolve(in: $1) }),
        ("sum", { try $0.sum(of: \.size).resolve(in: $1) }),
        ("sum of optional", { try $0.sum(of: \.rank).resolve(in: $1) }),
        ("sum of floats", { try $0.sum(of: \.weight).resolve(in: $1) }),
        ("sum of optional floats", { try $0.sum(of: \.share).resolve(in: $1) }),
        ("average", { try $0.average(of: \.size).resolve(in: $1) }),
        ("average of optional", { try $0.average(of: \.rank).resolve(in: $1) }),
        ("average of floats", { try $0.average(of: \.weight).resolve(in: $1) }),
        ("average of optional floats", { try $0.average(of: \.share).resolve(in: $1) }),
        (
            "forEach",
            { query, store in
                var seen: [Part] = []
                try query.forEach(in: store) { seen.append($0) }
                return seen
            }
        ),
        (
            "forEach until",
            { query, store in
                var seen: [Part] = []
                try query.forEach(in: store) { part in
                    seen.append(part)
                    return seen.count < 3 ? .continue : .stop
                }
                return seen
            }
        ),
        ("filter", { try $0.filter(\.size > 3).keys(in: $1) }),
        ("and", { try $0.and(\.size > 3).keys(in: $1) }),
        ("sorted", { try $0.sorted(by: \.name.desc).keys(in: $1) }),
        ("sorted by keys", { try $0.sorted(by: [SortKey(\Part.size)]).keys(in: $1) }),
        ("limit", { try $0.limit(2).keys(in: $1) }),
        ("offset", { try $0.offset(2).keys(in: $1) }),
        ("order", { try $0.order(.descending).keys(in: $1) }),
        ("after a key", { try $0.after(key: 9).keys(in: $1) }),
        ("after a record", { query, store in try query.after(try store.get(Part.self, key: 9)).keys(in: store) }),
        ("update", { query, store in try query.update(in: store) { $0.size += 1 } }),
        ("delete", { try $0.delete(in: $1) }),
    ]

    private func store() throws -> Store {
        let store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<20).map {
                Part(
                    id: $0, name: "\($0 * 7 % 20)", size: $0 * 3 % 11, weight: Double($0) / 4,
                    rank: $0 % 3 == 0 ? nil : $0, share: $0 % 4 == 0 ? nil : Double($0))
            })
        return store
    }

    /// The same range of keys, limit and order, once without a filter.
    @Test func everyCall_hasTheSameResult() throws {
        let queries: [Query<Part>] = [
            Part.query().order(.ascending), Part.query(id: .range(5..<15)).order(.ascending),
            Part.query(id: .lessThan(12)), Part.query(id: .greaterThan(3)).limit(8).order(.descending),
            Part.query(id: 100).order(.ascending), Part.query(), Part.query(id: .within([3, 19, 4])),
            Part.query().limit(5).after(key: 7), Part.query(id: .lessThan(12)).after(key: 9).limit(2),
        ]
        for query in queries {
            for (name, run) in Self.calls {
                let (scanned, planned) = (try store(), try store())
                let byScan = try run(query, scanned)
                let byPlan = try run(query.filter(\.size >= .min), planned)
                #expect("\(byScan as Any)" == "\(byPlan as Any)", "\(name) of \(query)")
                #expect(try Part.query().resolve(in: scanned) == Part.query().resolve(in: planned), "\(name)")
            }
        }
    }

    @Test func aLimitBeforeTheFirstFilter_countsInTheOrderOfTheKey() throws {
        let store = try Store.temporary()
        try store.insert(contentsOf: (0..<20).map { Sized(id: $0, size: 20 - $0) })
        #expect(try Sized.query().limit(3).filter(\.size >= 0).keys(in: store) == [0, 1, 2])
        #expect(try Sized.query().after(key: 4).filter(\.size >= 0).limit(2).keys(in: store) == [5, 6])
        // Otherwise, the index gives the order.
        #expect(try Sized.filter(\.size >= 0).limit(3).keys(in: store) == [19, 18, 17])
    }

    @Test func anOrWithoutACondition_isRefused() throws {
        let store = try store()
        let refused: [Query<Part>] = [
            Part.query().or(\.id == 3), Part.query(id: .lessThan(3)).or(\.id == 3).filter(\.size > 2),
            Part.query().sorted(by: \.name).or(\.id == 3).or(\.id == 4),
        ]
        for query in refused {
            #expect(storeError { try query.resolve(in: store) } == .query(.noCondition(type: "Part")))
            #expect(storeError { try query.count(in: store) } == .query(.noCondition(type: "Part")))
        }
        #expect(storeError { try Part.query(in: store).or(\.id == 3).resolve() } == .query(.noCondition(type: "Part")))
        #expect(try Part.filter(\.id == 3).or(\.id == 4).keys(in: store) == [3, 4])
        // A condition that every record passes is a condition.
        #expect(try Part.query().filter(.everything).or(\.id == 4).count(in: store) == 20)
        #expect(try Part.query().filter(!.within(\.name, [])).or(\.id == 4).count(in: store) == 20)
    }

    @Test func aQueryInKeyOrder_forgetsAnOtherOrder() throws {
        let store = try store()
        let query = Part.filter(\.size > 3).sorted(by: \.name)
        let keys = try query.keys(in: store).sorted()
        #expect(try query.order(.ascending).keys(in: store) == keys)
        #expect(try query.order(.descending).limit(3).keys(in: store) == Array(keys.reversed().prefix(3)))
    }
}
