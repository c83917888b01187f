// The listener of a live object, on which Combine's publisher is built.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Listeners of live objects", .hangLimit) struct ChangeListenerTests {
    private final class Listener: ChangeListener {
        private let calls = Monitor(0)

        var count: Int { calls.withLock { $0 } }
        func objectHasChanged() { calls.withLock { $0 += 1 } }
    }

    @Test func aListener_isNotifiedOfEachChange() async throws {
        let store = try await Store.temporary(records: [Rower.self])
        let rower = try await Rower.create(Rower(id: 1, name: "Ines", age: 30), in: store)
        let list = try LiveList(Rower.query(in: store))
        let (ofRower, ofList) = (rower.listener { Listener() }, list.listener { Listener() })
        #expect(rower.listener { Listener() } === ofRower)
        rower.name = "Ines"
        #expect(ofRower.count == 0)
        rower.name = "Tomo"
        #expect(ofRower.count >= 1 && ofList.count == 0)
        try await rower.save()
        await store.live.settle()
        #expect(ofList.count >= 1)
    }

    /// Where commits are delivered, no observer can be between reading and waiting.
    @Test func aChangeWhereCommitsAreDelivered_isReportedOnce() async throws {
        let store = try await Store.temporary(records: [Rower.self])
        let rower = try await Rower.create(Rower(id: 1, name: "Ines", age: 30), in: store)
        let list = try LiveList(Rower.query(in: store))
        await store.live.settle()
        let (ofRower, ofList) = (rower.listener { Listener() }, list.listener { Listener() })
        store.rounds.deliveryQueue.sync {
            rower.age = 31
            list.query = Rower.filter(\.age > 40)
        }
        await store.live.settle()
        #expect(ofRower.count == 1 && ofList.count == 1)
        // Elsewhere, it is reported at once, and once more there.
        rower.age = 32
        list.query = Rower.filter(\.age > 20)
        await store.live.settle()
        #expect(ofRower.count == 3 && ofList.count == 3)
        rower.revert()
    }

    @MainActor
    @Test func aChangeOnTheMainActor_isReportedOnce() async throws {
        let store = try await Store.temporary(records: [Rower.self])
        store.live.delivery = MainActor.shared
        let rower = try await Rower.create(Rower(id: 1, name: "Ines", age: 30), in: store)
        let list = try LiveList(Rower.query(in: store))
        await store.live.settle()
        let (ofRower, ofList) = (rower.listener { Listener() }, list.listener { Listener() })
        for age in 1...3 {
            rower.age = age
            list.query = Rower.filter(\.age > age)
            #expect(ofRower.count == age && ofList.count == age)
            await store.live.settle()
        }
        #expect(ofRower.count == 3 && ofList.count == 3)
        try onAnotherThread { rower.age = 4 }
        await store.live.settle()
        #expect(ofRower.count == 5)
        rower.revert()
    }
}
