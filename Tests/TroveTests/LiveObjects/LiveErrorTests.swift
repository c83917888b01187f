// Live objects whose records cannot be read.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects of damaged records") struct LiveErrorTests {
    private let store: Store

    init() throws { store = try Store.live() }

    /// Replaces the stored value of a record by other bytes.
    private func damage(_ id: Int) throws {
        try store.write { context in
            let table = try #require(try context.table(for: Traveler.schema))
            let key = KeyWriter.bytes(of: id)
            let value = try Traveler(id: id).encodedValue()
            try context.keyspace.put(table.database, key, Array(value.dropLast()))
            context.noteChange()
            key.withRawSpan { context.changedKeys.note(Traveler.keyPrefix, $0) }
        }
    }

    @Test func theObject_keepsItsValue_andThrows() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let other = try Traveler.create(Traveler(id: 2), in: store)
        try damage(1)
        try store.write(Traveler(id: 2, name: "followed"))
        try store.live.refresh()
        #expect(traveler.value == Traveler(id: 1) && !traveler.isDeleted)
        #expect(other.name == "followed")
        #expect(throws: StoreError.self) { try traveler.refresh() }
        traveler.name = "edited"
        #expect(throws: StoreError.self) { try traveler.save() }
        #expect(traveler.name == "edited" && traveler.hasChanges)
        // A delete needs no value.
        try traveler.delete()
        #expect(traveler.isDeleted)
        #expect(try store.stored(1) == nil)
    }

    /// An object whose record could not be read does not count as up to date.
    @Test func aSearch_throws_untilTheRecordCanBeRead() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try store.live.refresh()
        try damage(1)
        try store.live.refresh()
        #expect(throws: StoreError.self) { try Traveler.live(1, in: store) }
        try store.write(Traveler(id: 1, name: "repaired"))
        try store.live.refresh()
        #expect(try Traveler.live(1, in: store) === traveler)
        #expect(traveler.name == "repaired" && !traveler.version.state.isUnread)
    }

    @Test func aMergeOfUndecodableBytes_isRefused() throws {
        let base = try Traveler(id: 1).encodedValue()
        let mine = try Traveler(id: 1, age: 5).encodedValue()
        for length in 0..<base.count {
            let theirs = Array(base.prefix(length))
            // Whatever the bytes, there is a record or none, and no trap.
            _ = Traveler(id: 1, age: 5).merged(base: base, mine: mine, theirs: theirs)
            _ = EditMerge(Traveler.schema).difference(base, theirs)
        }
        #expect(Traveler(id: 1, age: 5).merged(base: base, mine: mine, theirs: []) == nil)
    }
}
