// The calls of a query for several records, on queries by keys; and the forms of counts, existence, keys and plans.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Beadlet: Hashable {
    let id: String
    var weight: Int
}

@IndexKeyRecord("id")
private struct Marble: Hashable {
    #Index<Marble>(\.weight)

    let id: Int
    var weight: Int
}

@Suite("Runs of queries by keys") struct RecordQueryRunTests {
    let store: Store
    private let nodes = [Beadlet(id: "a", weight: 1), Beadlet(id: "b", weight: 2), Beadlet(id: "c", weight: 3)]

    init() throws {
        store = try Store.temporary()
        try store.insert(contentsOf: nodes)
    }

    @Test func aKey_isFoundOrNot() throws {
        #expect(try Beadlet.query("b").exists(in: store))
        #expect(try !Beadlet.query("z").exists(in: store))
        #expect(try Beadlet.query("b").first(in: store) == nodes[1])
        #expect(try Beadlet.query("z").first(in: store) == nil)
        #expect(try Beadlet.query("b").count(in: store) == 1)
        #expect(try Beadlet.query("z").count(in: store) == 0)
    }

    @Test func conditions_count() throws {
        #expect(try !Beadlet.query("b").filter(\.weight > 2).exists(in: store))
        #expect(try Beadlet.query("c").filter(\.weight > 2).count(in: store) == 1)
        #expect(try Beadlet.query("b").filter { $0.weight > 2 }.first(in: store) == nil)
    }

    @Test func theFirstOfAQuery_isFoundOrNot() throws {
        #expect(try Beadlet.filter(\.weight > 1).first.exists(in: store))
        #expect(try Beadlet.filter(\.weight > 1).first.first(in: store) == nodes[1])
        #expect(try !Beadlet.filter(\.weight > 3).last.exists(in: store))
        #expect(
            try Beadlet.filter(\.weight > 1).sorted(by: \.weight.desc).first.filter(\.weight < 3).count(in: store)
                == 0)
    }

    @Test func lists_areCountedAsTheyAreResolved() throws {
        for keys in [["c", "a"], ["z"], [], ["c", "z", "c", "b"]] {
            let query = Beadlet.query(keys)
            let resolved = try query.resolve(in: store)
            #expect(try query.count(in: store) == resolved.count)
            #expect(try query.first(in: store) == resolved.first)
            #expect(try query.exists(in: store) == !resolved.isEmpty)
        }
    }

    @Test func contexts_andBoundQueries_areTheSame() throws {
        try store.write { context in
            try context.insert(Beadlet(id: "d", weight: 4))
            #expect(try Beadlet.query("d").exists(in: context))
            #expect(try !Beadlet.query("d").exists(in: store))
            #expect(try Beadlet.query("d", in: context).exists())
            #expect(try Beadlet.query("d", in: context).count() == 1)
            #expect(try Beadlet.query("d", in: context).first()?.weight == 4)
            #expect(try Beadlet.query(["d", "a", "d"], in: context).count() == 3)
            #expect(try Beadlet.query(["d", "a"], in: context).first()?.weight == 4)
            #expect(try !Beadlet.query(["z"], in: context).exists())
        }
    }

    @Test func asyncForms_areTheSame() async throws {
        #expect(try await Beadlet.query("b").exists(in: store))
        #expect(try await Beadlet.query("b").count(in: store) == 1)
        #expect(try await Beadlet.query("b").first(in: store) == nodes[1])
        #expect(try await !Beadlet.query("z", in: store).exists())
        #expect(try await Beadlet.query("z", in: store).count() == 0)
        #expect(try await Beadlet.query("z", in: store).first() == nil)
        #expect(try await Beadlet.query(["b", "b"]).count(in: store) == 2)
        #expect(try await Beadlet.query(["b", "b"]).first(in: store) == nodes[1])
        #expect(try await Beadlet.query(["z"]).exists(in: store) == false)
        #expect(try await Beadlet.query(["b", "b"], in: store).count() == 2)
        #expect(try await Beadlet.query(["b"], in: store).first() == nodes[1])
        #expect(try await Beadlet.query(["b"], in: store).exists())
    }

    // MARK: Every form of a request

    /// In such a closure, the compiler knows of no async function around a call.
    @Test func closuresOfOneExpression_haveTheAsyncForms() async throws {
        let counts: [@Sendable (Store) async throws -> Int] = [
            { try await Beadlet.filter(\.weight > 1).count(in: $0) },
            { try await Beadlet.filter(\.weight > 1).keys(in: $0).count },
            { try await Beadlet.grouped(by: \.weight).count(in: $0).count - 1 },
            { try await Beadlet.grouped(by: \.weight).keys(in: $0).count - 1 },
            { try await Beadlet.query(["b", "b"]).count(in: $0) },
            { try await Beadlet.filter(\.weight > 1).exists(in: $0) ? 2 : 0 },
            { try await Beadlet.filter(\.weight > 1).count.explain(in: $0).isEmpty ? 0 : 2 },
            { try await Beadlet.grouped(by: \.id).sum(of: \.weight).explain(in: $0).isEmpty ? 0 : 2 },
            { try await Beadlet.filter(\.weight > 1, in: $0).count.resolve() },
        ]
        for count in counts { #expect(try await count(store) == 2) }
    }

    /// Expects a value of a request in a context and in a store, bound to each, awaited and observed.
    private func expect<Request: StoreRequest>(
        _ value: Request.Value, of request: Request, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws where Request.Value: Equatable {
        let read = try await store.read { context in
            [
                try request.resolve(in: context), try Bound(request, in: context).resolve(),
                try Bound(request, in: context)(),
            ]
        }
        #expect(read == Array(repeating: value, count: 3), sourceLocation: sourceLocation)
        func now() throws -> [Request.Value] {
            [
                try request.resolve(in: store), try Bound(request, in: store).resolve(),
                try Bound(request, in: store)(),
            ]
        }
        #expect(try now() == read, sourceLocation: sourceLocation)
        let awaited = [
            try await request.resolve(in: store), try await Bound(request, in: store).resolve(),
            try await Bound(request, in: store)(),
        ]
        #expect(awaited == read, sourceLocation: sourceLocation)
        var values = request.values(in: store).makeAsyncIterator()
        let observed = try await values.next()
        #expect(observed == value, sourceLocation: sourceLocation)
    }

    @Test func countsExistenceAndKeys_areTheSameInEveryForm() async throws {
        let heavy = Beadlet.filter(\.weight > 1)
        try await expect(2, of: heavy.count)
        try await expect(true, of: heavy.exists)
        try await expect(["b", "c"], of: heavy.keys)
        try await expect(false, of: Beadlet.filter(\.weight > 3).exists)
        let byKey = Beadlet.query(id: .greaterThan("a"))
        try await expect(2, of: byKey.count)
        try await expect(true, of: byKey.exists)
        try await expect(["b", "c"], of: byKey.keys)
        try await expect(["c", "b"], of: byKey.order(.descending).keys)
        try await expect(1, of: Beadlet.query("b").count)
        try await expect(false, of: Beadlet.query("z").exists)
        try await expect(1, of: heavy.last.count)
        try await expect(2, of: Beadlet.query(["c", "z", "a"]).count)
        try await expect(3, of: Beadlet.query(["c", "b", "c"]).count)
        try await expect(true, of: Beadlet.query(["z", "a"]).exists)
    }

    @Test func plans_areTheSameInEveryForm() async throws {
        func expectPlans<Base: QueryCounting>(_ query: Base, _ beginning: String) async throws {
            let (plan, count) = try await store.read { context in
                (try query._explain(in: context), try query._explainCount(in: context))
            }
            #expect(plan.hasPrefix(beginning), "\(plan)")
            try await expect(plan, of: query.explain)
            try await expect(count, of: query.count.explain)
        }
        try await expectPlans(Beadlet.filter(\.weight > 1), "scan Beadlet")
        try await expectPlans(Beadlet.query(id: .greaterThan("a")), "scan Beadlet")
        try await expectPlans(Beadlet.query("b"), "scan Beadlet")
        try await expectPlans(Beadlet.filter(\.weight > 1).first, "scan Beadlet")
        try await expectPlans(Beadlet.query(["b", "a"]), "walk a list of 2 keys")
        // A repeated key is counted by its records.
        let repeated = Beadlet.query(["b", "b"])
        #expect(try await repeated.count.explain(in: store) == repeated.explain(in: store))
        let distinct = try await Beadlet.query(["b", "a"]).count.explain(in: store)
        #expect(distinct.contains("\ncount: "), "\(distinct)")
    }

    @Test func boundQueries_haveTheRequestsOfTheirQueries() async throws {
        let (heavy, one, list) = (Beadlet.filter(\.weight > 1), Beadlet.query("b"), Beadlet.query(["c", "z"]))
        let plans = try await store.read { context in
            [try heavy.explain(in: context), try one.explain(in: context), try list.explain(in: context)]
        }
        let (counts, found, keys, boundPlans) = try await store.read { context in
            let bound = Beadlet.filter(\.weight > 1, in: context)
            let (one, list) = (Beadlet.query("b", in: context), Beadlet.query(["c", "z"], in: context))
            return (
                [try bound.count(), try one.count(), try list.count()],
                [try bound.exists(), try one.exists(), try list.exists()], try bound.keys(),
                [try bound.explain(), try one.explain(), try list.explain()]
            )
        }
        #expect(counts == [2, 1, 1])
        #expect(found == [true, true, true])
        #expect(keys == ["b", "c"])
        #expect(boundPlans == plans)
        let bound = Beadlet.filter(\.weight > 1, in: store)
        let (boundOne, boundList) = (Beadlet.query("b", in: store), Beadlet.query(["c", "z"], in: store))
        #expect(try await [bound.count(), boundOne.count(), boundList.count()] == counts)
        #expect(try await [bound.exists(), boundOne.exists(), boundList.exists()] == found)
        #expect(try await bound.keys() == keys)
        #expect(try await [bound.explain(), boundOne.explain(), boundList.explain()] == plans)
        let countPlan = try await heavy.count.explain(in: store)
        #expect(try await bound.count.explain() == countPlan)
        var observed = bound.sorted(by: \.weight.desc).keys.values().makeAsyncIterator()
        #expect(try await observed.next() == ["c", "b"])
    }

    @Test func anUnorderedQuery_isAwaitedInTheOrderOfItsPlan() async throws {
        // An order by key would need a sort where an index answers.
        let store = try await Store.temporary(records: [Marble.self])
        try await store.insert(contentsOf: (0..<300).map { Marble(id: $0, weight: 300 - $0) })
        let light = Marble.filter(\.weight < 4)
        let read = try await store.read { context in try light.resolve(in: context) }
        #expect(read.map(\.id) == [299, 298, 297])
        #expect(try await light.resolve(in: store) == read)
        #expect(try await Marble.filter(\.weight < 4, in: store).resolve() == read)
    }

    // MARK: Spellings of filters

    @Test func prefixesAndSuffixes_areThoseOfSwift() throws {
        try store.insert(contentsOf: [Beadlet(id: "Ab", weight: 5), Beadlet(id: "ab", weight: 6)])
        #expect(try Beadlet.filter(.hasPrefix(\.id, "a")).keys(in: store) == ["a", "ab"])
        #expect(try Beadlet.filter(.hasPrefix(\.id, "A")).keys(in: store) == ["Ab"])
        #expect(try Beadlet.filter(.hasSuffix(\.id, "b")).keys(in: store) == ["Ab", "ab", "b"])
        #expect(try Beadlet.filter(.hasSuffix(\.id, "B")).keys(in: store) == [])
    }

    @Test func severalFilters_allHold() throws {
        #expect(try Beadlet.filter(\.weight > 1, \.weight < 3).keys(in: store) == ["b"])
        #expect(try Beadlet.filter(\.weight > 0, \.weight < 3, \.id > "a").keys(in: store) == ["b"])
        #expect(try Beadlet.query().filter(\.weight > 1, \.weight < 3).keys(in: store) == ["b"])
        #expect(
            try Beadlet.query().sorted(by: \.id.desc).filter(\.weight > 1, \.weight < 4).keys(in: store) == ["c", "b"])
    }
}
