// New records under new ids, also where an id is taken.

import LMDB
import Testing

@testable import Trove

@IndexKeyRecord("id")
private struct Ticket: Equatable {
    #Unique<Ticket>(\.code, collisions: .throw)

    let id: AutoID
    var code: Int
}

@Suite("New records under new ids", .hangLimit) struct AutoIDCreatingTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Ticket.self]) }

    @Test func aNewRecord_isStored_underANewID() async throws {
        let first = try await Ticket.create(in: store) { Ticket(id: $0, code: 1) }
        let second = try await Ticket.create(in: store) { Ticket(id: $0, code: 2) }
        let third = try await store.write { context in try Ticket.create(in: context) { Ticket(id: $0, code: 3) } }
        #expect(first.id < second.id && second.id < third.id && !third.isDraft)
        #expect(try await Ticket.query().resolve(in: store) == [first.value, second.value, third.value])
    }

    /// Another process has made the same ids, and stores its records first.
    @Test func aTakenID_isReplaced() throws {
        var ids: [AutoID] = []
        let ticket = try Ticket.create(in: store) { id in
            ids.append(id)
            if ids.count < 4 { try store.insert(Ticket(id: id, code: ids.count)) }
            return Ticket(id: id, code: 100)
        }
        #expect(ids.count == 4 && ticket.id == ids[3] && Set(ids).count == 4 && ids == ids.sorted())
        #expect(try Ticket.query().count(in: store) == 4)
    }

    @Test func otherErrors_areThrown() throws {
        _ = try Ticket.create(in: store) { Ticket(id: $0, code: 1) }
        var calls = 0
        #expect(throws: StoreError.self) {
            try Ticket.create(in: store) { id in
                calls += 1
                return Ticket(id: id, code: 1)
            }
        }
        let taken = try #require(try Ticket.query().resolve(in: store).first)
        // The closure does not use the id.
        #expect(throws: StoreError.self) {
            try Ticket.create(in: store) { _ in
                calls += 1
                return Ticket(id: taken.id, code: 2)
            }
        }
        #expect(throws: CancellationError.self) {
            try Ticket.create(in: store) { _ in throw CancellationError() }
        }
        #expect(calls == 2)
        #expect(try Ticket.query().count(in: store) == 1)
    }
}
