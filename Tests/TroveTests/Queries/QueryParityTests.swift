// The calls that a query by key and a query by properties both answer, each with the same result.

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

@Suite("The calls of both kinds of queries") struct QueryParityTests {
    private typealias Call<Q> = @Sendable (Q, Store) throws -> Any?

    private struct Pair: Sendable {
        let name: String
        let byKey: Call<KeyQuery<Part>>
        let byProperties: Call<Query<Part>>
    }

    /// Every call. `or` is left out: it has no meaning without a filter before it.
    private static let pairs: [Pair] = [
        Pair(name: "resolve") {
            try $0.resolve(in: $1)
        } byProperties: {
            try $0.resolve(in: $1)
        },
        Pair(name: "select") {
            try $0.select(in: $1)
        } byProperties: {
            try $0.select(in: $1)
        },
        Pair(name: "select property") {
            try $0.select(\.name, in: $1)
        } byProperties: {
            try $0.select(\.name, in: $1)
        },
        Pair(name: "select properties") {
            try $0.select(\.name, \.size, in: $1)
        } byProperties: {
            try $0.select(\.name, \.size, in: $1)
        },
        Pair(name: "first") {
            try $0.first(in: $1)
        } byProperties: {
            try $0.first(in: $1)
        },
        Pair(name: "keys") {
            try $0.keys(in: $1)
        } byProperties: {
            try $0.keys(in: $1)
        },
        Pair(name: "count") {
            try $0.count(in: $1)
        } byProperties: {
            try $0.count(in: $1)
        },
        Pair(name: "exists") {
            try $0.exists(in: $1)
        } byProperties: {
            try $0.exists(in: $1)
        },
        Pair(name: "explain") {
            try $0.explain(in: $1)
        } byProperties: {
            try $0.explain(in: $1)
        },
        Pair(name: "description") { query, _ in
            query.description
        } byProperties: { query, _ in
            query.description
        },
        Pair(name: "min") {
            try $0.min(of: \.name).resolve(in: $1)
        } byProperties: {
            try $0.min(of: \.name).resolve(in: $1)
        },
        Pair(name: "min of optional") {
            try $0.min(of: \.rank).resolve(in: $1)
        } byProperties: {
            try $0.min(of: \.rank).resolve(in: $1)
        },
        Pair(name: "max") {
            try $0.max(of: \.size).resolve(in: $1)
        } byProperties: {
            try $0.max(of: \.size).resolve(in: $1)
        },
        Pair(name: "max of optional") {
            try $0.max(of: \.rank).resolve(in: $1)
        } byProperties: {
            try $0.max(of: \.rank).resolve(in: $1)
        },
        Pair(name: "sum") {
            try $0.sum(of: \.size).resolve(in: $1)
        } byProperties: {
            try $0.sum(of: \.size).resolve(in: $1)
        },
        Pair(name: "sum of optional") {
            try $0.sum(of: \.rank).resolve(in: $1)
        } byProperties: {
            try $0.sum(of: \.rank).resolve(in: $1)
        },
        Pair(name: "sum of floats") {
            try $0.sum(of: \.weight).resolve(in: $1)
        } byProperties: {
            try $0.sum(of: \.weight).resolve(in: $1)
        },
        Pair(name: "sum of optional floats") {
            try $0.sum(of: \.share).resolve(in: $1)
        } byProperties: {
            try $0.sum(of: \.share).resolve(in: $1)
        },
        Pair(name: "average") {
            try $0.average(of: \.size).resolve(in: $1)
        } byProperties: {
            try $0.average(of: \.size).resolve(in: $1)
        },
        Pair(name: "average of optional") {
            try $0.average(of: \.rank).resolve(in: $1)
        } byProperties: {
            try $0.average(of: \.rank).resolve(in: $1)
        },
        Pair(name: "average of floats") {
            try $0.average(of: \.weight).resolve(in: $1)
        } byProperties: {
            try $0.average(of: \.weight).resolve(in: $1)
        },
        Pair(name: "average of optional floats") {
            try $0.average(of: \.share).resolve(in: $1)
        } byProperties: {
            try $0.average(of: \.share).resolve(in: $1)
        },
        Pair(name: "forEach") { query, store in
            var seen: [Part] = []
            try query.forEach(in: store) { seen.append($0) }
            return seen
        } byProperties: { query, store in
            var seen: [Part] = []
            try query.forEach(in: store) { seen.append($0) }
            return seen
        },
        Pair(name: "forEach until") { query, store in
            var seen: [Part] = []
            try query.forEach(in: store) { part in
                seen.append(part)
                return seen.count < 3 ? .continue : .stop
            }
            return seen
        } byProperties: { query, store in
            var seen: [Part] = []
            try query.forEach(in: store) { part in
                seen.append(part)
                return seen.count < 3 ? .continue : .stop
            }
            return seen
        },
        Pair(name: "filter") {
            try $0.filter(\.size > 3).keys(in: $1)
        } byProperties: {
            try $0.filter(\.size > 3).keys(in: $1)
        },
        Pair(name: "and") {
            try $0.and(\.size > 3).keys(in: $1)
        } byProperties: {
            try $0.and(\.size > 3).keys(in: $1)
        },
        Pair(name: "sorted") {
            try $0.sorted(by: \.name.desc).keys(in: $1)
        } byProperties: {
            try $0.sorted(by: \.name.desc).keys(in: $1)
        },
        Pair(name: "sorted by keys") {
            try $0.sorted(by: [SortKey(\Part.size)]).keys(in: $1)
        } byProperties: {
            try $0.sorted(by: [SortKey(\Part.size)]).keys(in: $1)
        },
        Pair(name: "limit") {
            try $0.limit(2).keys(in: $1)
        } byProperties: {
            try $0.limit(2).keys(in: $1)
        },
        Pair(name: "offset") {
            try $0.offset(2).keys(in: $1)
        } byProperties: {
            try $0.offset(2).keys(in: $1)
        },
        Pair(name: "order") {
            try $0.order(.descending).keys(in: $1)
        } byProperties: {
            try $0.order(.descending).keys(in: $1)
        },
        Pair(name: "after a key") {
            try $0.after(key: 9).keys(in: $1)
        } byProperties: {
            try $0.after(key: 9).keys(in: $1)
        },
        Pair(name: "after a record") { query, store in
            try query.after(try store.get(Part.self, key: 9)).keys(in: store)
        } byProperties: { query, store in
            try query.after(try store.get(Part.self, key: 9)).keys(in: store)
        },
        Pair(name: "update") { query, store in
            try query.update(in: store) { $0.size += 1 }
        } byProperties: { query, store in
            try query.update(in: store) { $0.size += 1 }
        },
        Pair(name: "delete") {
            try $0.delete(in: $1)
        } byProperties: {
            try $0.delete(in: $1)
        },
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

    /// The same range of keys, limit and order, once as each kind of query.
    @Test func everyCall_hasTheSameResult() throws {
        let queries: [KeyQuery<Part>] = [
            Part.query().order(.ascending), Part.query(id: .range(5..<15)).order(.ascending),
            Part.query(id: .lessThan(12)), Part.query(id: .greaterThan(3)).limit(8).order(.descending),
            Part.query(id: 100).order(.ascending),
        ]
        for query in queries {
            for pair in Self.pairs {
                let (first, second) = (try store(), try store())
                let byKey = try pair.byKey(query, first)
                let byProperties = try pair.byProperties(Query(query), second)
                #expect("\(byKey as Any)" == "\(byProperties as Any)", "\(pair.name) of \(query)")
                #expect(try Part.query().select(in: first) == Part.query().select(in: second), "\(pair.name)")
            }
        }
    }

    @Test func aQueryInKeyOrder_forgetsAnOtherOrder() throws {
        let store = try store()
        let query = Part.filter(\.size > 3).sorted(by: \.name)
        let keys = try query.keys(in: store).sorted()
        #expect(try query.order(.ascending).keys(in: store) == keys)
        #expect(try query.order(.descending).limit(3).keys(in: store) == Array(keys.reversed().prefix(3)))
    }
}
