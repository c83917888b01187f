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

    // MARK: Without an encoded value

    @Test func aValueThatCannotBeStored_isDeleted_andReverted() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        reading.levels = [.nan, .nan]
        try reading.delete()
        reading.revert()
        #expect(reading.isDeleted && !reading.hasChanges && reading.levels.count == 2)
        let draft = Reading.draft(Reading(id: 2, levels: [.nan, .nan]), in: store)
        for _ in 0..<2 { draft.revert() }
        #expect(draft.isDeleted && !draft.hasChanges)
    }

    @Test func aValueThatCannotBeStored_followsANewRecord() throws {
        let reading = try Reading.create(Reading(id: 1), in: store)
        reading.levels = [.nan, .nan]
        try store.write { context in
            try reading.delete(in: context)
            try context.insert(Reading(id: 1, name: "Korben"))
        }
        try store.live.refresh()
        #expect(!reading.isDeleted && reading.value == Reading(id: 1, name: "Korben"))
    }
}
