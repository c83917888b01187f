// Edits that are never lost: values that cannot be stored yet, and saves in the transaction of another store.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Reading: Hashable {
    let id: Int
    var name: String = "Ruby"
    var levels: Set<Double> = []
}

@Suite("Edits of live objects that are kept") struct KeptEditTests {
    private let store: Store
    private let other: Store

    init() throws {
        store = try Store.temporary(records: [Reading.self])
        other = try Store.temporary(records: [Reading.self])
    }

    /// A set of two NaNs cannot be stored: the save throws, and the edits stay, whatever others store meanwhile.
    @Test func anEditThatCannotBeStored_survivesAnotherWrite() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        reading.change {
            $0.name = "edited"
            $0.levels = [.nan, .nan]
        }
        #expect(throws: StoreError.self) { try reading.save() }
        #expect(reading.hasChanges && reading.name == "edited")
        try store.insert(Reading(id: 1, name: "Korben"))
        try store.live.refresh()
        #expect(reading.hasChanges && reading.name == "edited" && reading.levels.count == 2)
        // What prevents the save is corrected.
        reading.levels = [1]
        try reading.save()
        #expect(try store.get(Reading.self, key: 1) == Reading(id: 1, name: "edited", levels: [1]))
    }

    @Test func anEditThatCannotBeStored_survivesTheCommitOfAnEarlierSave() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        try store.write { context in
            reading.name = "saved"
            try reading.save(in: context)
            reading.levels = [.nan, .nan]
        }
        #expect(reading.hasChanges && reading.name == "saved" && reading.levels.count == 2)
    }

    /// The context of another store is refused, and changes neither store.
    @Test func aSaveInAnotherStore_isRefused() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        try other.insert(Reading(id: 1))
        reading.name = "edited"
        #expect(throws: StoreError.self) { try other.write { try reading.save(in: $0) } }
        #expect(reading.hasChanges && reading.name == "edited")
        #expect(try other.get(Reading.self, key: 1) == Reading(id: 1))
    }

    @Test func aDeleteInAnotherStore_isRefused() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        try other.insert(Reading(id: 1))
        #expect(throws: StoreError.self) { try other.write { try reading.delete(in: $0) } }
        #expect(!reading.isDeleted)
        #expect(try other.get(Reading.self, key: 1) == Reading(id: 1))
    }
}
