// The calls of a query for several records, on queries by keys.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Beadlet: Hashable {
    let id: String
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
        #expect(try Beadlet.filter(\.weight > 1).first().exists(in: store))
        #expect(try Beadlet.filter(\.weight > 1).first().first(in: store) == nodes[1])
        #expect(try !Beadlet.filter(\.weight > 3).last().exists(in: store))
        #expect(
            try Beadlet.filter(\.weight > 1).sorted(by: \.weight.desc).first().filter(\.weight < 3).count(in: store)
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
