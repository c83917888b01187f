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

/// A record whose decoding compares its properties.
private struct OpeningHours: Hashable {
    let id: Int
    var first: Int
    var last: Int
}

extension OpeningHours: IndexKeyRecord {
    static let schema = RecordSchema(
        of: Self.self, name: "OpeningHours", fileID: #fileID, key: [KeyProperty("id", \Self.id)],
        fields: [
            FieldProperty("first", \Self.first, fieldCoding(of: Int.self)),
            FieldProperty("last", \Self.last, fieldCoding(of: Int.self)),
        ])

    var indexKey: Int { id }

    func encodeKey(into writer: inout KeyWriter) { id.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int {
        let size = try fieldCoding(of: Int.self).encodedSize(of: first)
        return try size + fieldCoding(of: Int.self).encodedSize(of: last)
    }

    func encodeFields(into writer: inout ValueWriter) {
        fieldCoding(of: Int.self).encode(first, into: &writer)
        fieldCoding(of: Int.self).encode(last, into: &writer)
    }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        id = try Int(decodingKey: &reader.key)
        first = try fieldCoding(of: Int.self).decode(from: &reader.fields)
        last = try fieldCoding(of: Int.self).decode(from: &reader.fields)
        guard first <= last else { throw reader.fields.malformed("hours in order") }
    }
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

    /// An edit and a newer record can each be valid, and their merge not. The save must not write the older properties
    /// over the newer ones.
    @Test func anEditThatDoesNotMerge_isAConflict() throws {
        let store = try Store.temporary(records: [OpeningHours.self])
        let hours = try OpeningHours.create(OpeningHours(id: 1, first: 9, last: 17), in: store)
        hours.change { $0.first = 14 }
        try store.insert(OpeningHours(id: 1, first: 9, last: 12))
        try store.live.refresh()
        #expect(hours.hasChanges && hours.value == OpeningHours(id: 1, first: 14, last: 17))
        #expect(throws: StoreError.self) { try hours.save() }
        #expect(try store.get(OpeningHours.self, key: 1) == OpeningHours(id: 1, first: 9, last: 12))
        // A later edit merges again.
        hours.change { $0.first = 10 }
        #expect(hours.value == OpeningHours(id: 1, first: 10, last: 12))
        try hours.save()
        #expect(try store.get(OpeningHours.self, key: 1) == OpeningHours(id: 1, first: 10, last: 12))
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
