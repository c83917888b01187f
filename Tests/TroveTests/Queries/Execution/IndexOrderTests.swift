// The order of a query by key after a filter with an index is added, and the records that the closure of a write
// visits.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Aged: Equatable {
    #Index<Aged>(\.age)
    #Unique<Aged>(\.crown, collisions: .custom { context, _, existing in try context.delete(existing) })

    let id: Int
    var age: Int
    var crown: Bool?
}

@Suite("Order with indexes") struct IndexOrderTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("aged.trove"), records: [Aged.self], options: StoreOptions(durability: .noSync))
        // A younger record has a greater key.
        try store.insert(contentsOf: (1...300).map { Aged(id: $0, age: 301 - $0) })
    }

    private func ids(_ query: Query<Aged>) throws -> [Int] { try query.resolve(in: store).map(\.id) }

    @Test func limitsAndContinuations_byKey_stayInTheOrderOfKeys() throws {
        #expect(try ids(Aged.query().after(key: 290).filter(\.age >= 2)) == Array(291...299))
        #expect(try ids(Aged.query().page(limit: 3).filter(\.age >= 2)) == [1, 2, 3])
        #expect(try ids(Aged.query().order(.ascending).filter(\.age <= 3)) == [298, 299, 300])
        #expect(try ids(Aged.query().order(.descending).filter(\.age <= 3)) == [300, 299, 298])
        #expect(try Aged.query().page(limit: 3, order: .ascending).filter(\.age >= 2).delete(in: store) == 3)
        #expect(try store.read { try $0.get(Aged.self, key: 3) } == nil)
    }

    @Test func aStoppedQuery_continuesAfterTheLastRecord() throws {
        let query = Aged.filter(\.age >= 1)
        var seen: [Aged] = []
        try query.forEach(in: store) { record in
            seen.append(record)
            return seen.count < 5 ? .continue : .stop
        }
        let last = try #require(seen.last)
        let rest = try query.after(last).resolve(in: store)
        #expect(Set((seen + rest).map(\.id)) == Set(1...300))
        #expect(rest.count == 295)
        let parts = try ids(query.limit(20)) + ids(query.offset(20))
        #expect(Set(parts) == Set(1...300))
    }

    @Test func anUpdate_meetsNoRecordThatItHasRemoved() throws {
        try store.write { context in
            try context.insert(Aged(id: 299, age: 2, crown: true))
            // The collision rule of the first record's crown deletes the second record.
            try Aged.filter(\.age <= 2).sorted(by: \.age).limit(2).update(in: context) { record in
                if record.id == 300 { record.crown = true }
            }
            #expect(try Aged.filter(\.age <= 2).resolve(in: context).map(\.id) == [300])
        }
        #expect(try store.check() == [])
    }

    @Test func aClosure_meetsNoRecordThatItHasChanged() throws {
        try store.write { context in
            var seen: [Int] = []
            try Aged.filter(\.age >= 298).forEach(in: context) { record in
                seen.append(record.age)
                for id in 1...3 where id != record.id { try context.insert(Aged(id: id, age: 0)) }
                return .continue
            }
            #expect(seen.count == 1)
        }
        #expect(try store.check() == [])
    }
}
