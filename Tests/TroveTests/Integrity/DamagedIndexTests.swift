// Indexes with errors: an index created by another program, orphaned entries, and damaged records whose entries cannot
// be derived.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Member: Equatable {
    #Index<Member>(\.age)
    #Unique<Member>(\.email, collisions: .throw)
    #Unique<Member>(\.slot, collisions: .upsert)

    let id: Int
    var age: Int
    var email: String?
    var slot: Int?
}

@Suite("Damaged indexes") struct DamagedIndexTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let prefix = Member.keyPrefix

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("members.trove"), records: [Member.self], options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<5).map { Member(id: $0, age: $0, email: "\($0)", slot: $0) })
    }

    private func members() throws -> [Int] { try Query<Member>().resolve(in: store).map(\.id) }

    /// Stores the index entry of a value and a key.
    private func addEntry(_ index: String, _ value: some KeyComponent, _ id: Int) throws {
        let key = KeyWriter.bytes(of: value) + KeyWriter.bytes(of: id)
        try store.put(RawEntry(key: key, value: []), into: store.storedIndex(prefix, index))
    }

    private func expectDamage(_ index: String, _ body: () throws -> Void) {
        do {
            try body()
            Issue.record("nothing was thrown")
        } catch StoreError.record(.indexDamaged(_, let damaged, _)) {
            #expect(damaged == index)
        } catch {
            Issue.record(error)
        }
    }

    @Test func anIndexOfAnotherProgram_preventsWrites_untilItIsDropped() throws {
        try store.write { context in
            var type = try #require(try context.catalogStorage().type(prefix))
            let index = RecordIndex<Member>.index([IndexedProperty("slot", \.slot) { $0.slot }])
            _ = try context.keyspace.createTable(named: TableName(keyPrefix: prefix, table: .init(rawValue: 9)).text)
            type.indexes[9] = CatalogIndex(index.descriptor)
            try context.set(type, prefix)
        }
        for write in [
            { try store.insert(Member(id: 9, age: 1)) }, { try store.delete(Member.self, key: 1) },
            { try Query<Member>().delete(in: store) > 0 },
        ] {
            #expect {
                _ = try write()
            } throws: { error in
                guard case StoreError.schema(.schemaNewer(_, _, _, _, let indexes)) = error else { return false }
                return indexes == ["index(slot)"]
            }
        }
        #expect(try Member.filter(\.age == 3).resolve(in: store).map(\.id) == [3])
        #expect(try Member.filter(\.age == 3).explain(in: store).contains("index(age)"))
        try store.dropUndeclaredIndexes()
        try store.insert(Member(id: 9, age: 1))
        #expect(try store.check() == [])
    }

    @Test func anEntryOfAMissingRecord_isReported_andReplacesNothing() throws {
        try addEntry("unique(slot)", 77 as Int?, 99)
        try addEntry("unique(email)", "77" as String?, 99)
        expectDamage("unique(slot)") { try store.insert(Member(id: 9, age: 1, slot: 77)) }
        expectDamage("unique(slot)") { try store.insert(contentsOf: [Member(id: 9, age: 1, slot: 77)]) }
        expectDamage("unique(email)") { try store.insert(Member(id: 9, age: 1, email: "77")) }
        #expect(try members() == [0, 1, 2, 3, 4])
        try store.rebuild(Member.self)
        try store.insert(Member(id: 9, age: 1, email: "77", slot: 77))
        #expect(try store.check() == [])
    }

    @Test func anEntryThatItsRecordNoLongerHas_removesNoRecord() throws {
        try addEntry("unique(slot)", 77 as Int?, 3)
        expectDamage("unique(slot)") { try store.insert(Member(id: 9, age: 1, slot: 77)) }
        #expect(try members() == [0, 1, 2, 3, 4])
    }

    @Test func aDamagedRecord_canBeRemoved_withItsEntries() throws {
        try store.write { context in
            let table = try #require(try context.table(for: Member.schema))
            let key = KeyWriter.bytes(of: 3)
            _ = try unsafe context.keyspace.put(table.database, key.span.bytes, size: 10) { bytes in
                for index in 0..<10 { bytes.storeBytes(of: 0xFF, toByteOffset: index, as: UInt8.self) }
            }
            context.noteChange()
        }
        #expect(throws: StoreError.self) { try store.delete(Member.self, key: 3) }
        #expect(throws: StoreError.self) { try store.delete(Member.self, key: 3, ignoringDamage: false) }
        try store.write { context in
            #expect(try context.delete(Member.self, key: 3, ignoringDamage: true))
            #expect(try !context.delete(Member.self, key: 3, ignoringDamage: true))
            #expect(try context.delete(Member.self, key: 4, ignoringDamage: true))
            try context.insert(Member(id: 10, age: 2, email: "10"))
            #expect(try Member.filter(\.age == 2).resolve(in: context).map(\.id) == [2, 10])
            #expect(throws: StoreError.self) { try context.insert(Member(id: 11, age: 2, email: "1")) }
        }
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
        #expect(try members() == [0, 1, 2, 10])
    }
}
