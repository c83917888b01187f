// The listener of a live object, on which Combine's publisher is built.

import LMDB
import Testing

@testable import Trove

@Suite("Listeners of live objects", .hangLimit) struct ChangeListenerTests {
    private final class Listener: ChangeListener {
        private let calls = Monitor(0)

        var count: Int { calls.withLock { $0 } }
        func objectHasChanged() { calls.withLock { $0 += 1 } }
    }

    @Test func aListener_isToldOfEachChange() async throws {
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
}
