// Loops over hits in a write transaction, whose bodies change the records of other hits.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Pebble {
    #FullTextIndex<Pebble>(\.text)

    let id: Int
    var text: String
}

struct TextLoopTests {
    private static let count = 2_000

    private func store() throws -> Store {
        let store = try Store.temporary(records: [Pebble.self])
        try store.insert(contentsOf: (0..<Self.count).map { Pebble(id: $0, text: "all n\($0)") })
        return store
    }

    @Test(arguments: [0, 1, 2, 3]) func aBody_mayDeleteOtherHits(_ form: Int) throws {
        let store = try store()
        try store.write { context in
            let query = [
                Pebble.matching("all"), Pebble.matching("all").unordered(), Pebble.matching("-none").unordered(),
                Pebble.matching("al*").filter(\.id >= 0).limit(Self.count),
            ][form]
            var seen: Set<Int> = []
            try query.forEach(in: context) { pebble in
                #expect(seen.insert(pebble.id).inserted)
                // Far beyond those that were read with it.
                let other = Self.count - 1 - pebble.id
                if other > pebble.id { try context.delete(Pebble.self, key: other) }
                if pebble.id % 300 == 0 { _ = try Pebble.matching("n\(pebble.id)").count(in: context) }
            }
            #expect(seen.isSuperset(of: 0..<Self.count / 2))
            #expect(try Pebble.matching("all").count(in: context) == Self.count / 2)
        }
        #expect(try store.check() == [])
    }

    @Test func aBody_mayDeleteAll() throws {
        let store = try store()
        try store.write { context in
            var seen = 0
            try Pebble.matching("all").unordered().forEach(in: context) { _ in
                if seen == 0 { _ = try Pebble.query().delete(in: context) }
                seen += 1
            }
            #expect(seen < Self.count)
        }
        #expect(try store.check() == [])
    }
}
