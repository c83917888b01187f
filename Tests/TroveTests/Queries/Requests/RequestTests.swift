// Several requests of one snapshot.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Ferry: Equatable {
    let id: Int
    var city: String
    var seats: Int
}

@Suite("Requests of one snapshot", .hangLimit) struct RequestTests {
    private let store: Store
    private let ferries = [
        Ferry(id: 1, city: "Oslo", seats: 90), Ferry(id: 2, city: "Bergen", seats: 40),
        Ferry(id: 3, city: "Oslo", seats: 60),
    ]

    init() throws {
        store = try Store.temporary()
        try store.insert(contentsOf: ferries)
    }

    @Test func severalRequests_returnATuple() throws {
        let large = Ferry.filter(\.seats >= 50)
        let (first, count, seats, cities, one) = try store.fetch(
            large.sorted(by: \.seats).first, large.count, Ferry.query().sum(of: \.seats), large.select(\.city),
            Ferry.query(2))
        #expect(first == ferries[2] && count == 2 && seats == 190)
        #expect(cities == ["Oslo", "Oslo"] && one == ferries[1])
        #expect(try store.fetch(large.keys) == [1, 3])
        try store.read { context in
            let (all, groups) = try context.fetch(Ferry.query(), Ferry.grouped(by: \.city).count)
            #expect(all == ferries && groups.map(\.value) == [1, 2])
        }
    }

    @Test func awaitedRequests_returnATuple() async throws {
        let (exists, last) = try await store.fetch(Ferry.filter(\.seats > 90).exists, Ferry.query().last)
        #expect(!exists && last == ferries[2])
    }

    @Test func anError_isThatOfTheRequest() throws {
        let error = storeError { _ = try store.fetch(Ferry.query().count, Ferry.query().select(\.city.count)) }
        guard case .query(.notStored(type: "Ferry", _)) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    /// A write between two requests would show in the second.
    @Test func severalRequests_haveOneSnapshot() throws {
        struct Writing: StoreRequest {
            let store: Store
            func value(in context: ReadContext) throws -> Int {
                _ = try onAnotherThread { [store] in try store.insert(Ferry(id: 9, city: "Bodø", seats: 1)) }
                return try Ferry.query().count(in: context)
            }
        }
        let (before, written, after) = try store.fetch(Ferry.query().count, Writing(store: store), Ferry.query().count)
        #expect([before, written, after] == [3, 3, 3])
        #expect(try Ferry.query().count(in: store) == 4)
    }
}
