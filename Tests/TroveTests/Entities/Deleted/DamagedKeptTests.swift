// Damaged stamps and deleted entities: they never keep an entity from being saved or deleted.

import LMDB
import Testing
import TroveCoding

@testable import Trove

@Suite("Damaged stamps and deleted entities") struct DamagedKeptTests {
    private let store: Store

    /// The damage of a value.
    enum Damage: CaseIterable {
        case cut, flippedByte

        func apply(to value: [UInt8]) -> [UInt8] {
            if self == .cut { return [1, 2, 3] }
            var value = value
            value[value.count - 1] ^= 0x40
            return value
        }
    }

    init() throws {
        store = try Store.temporary(records: [Mailing.self, MailReader.self])
        try MailSack(id: 1, title: "first").save(to: store)
        for id in ["1", "2"] { try Mailing(id: id, text: "mail", sack: .id(1)).save(to: store) }
    }

    private func damage<Record: IndexKeyRecord>(_ type: Record.Type, _ key: some KeyComponent, _ kind: Damage) throws {
        try store.write { context in
            let table = try #require(try context.table(for: Record.schema))
            let key = KeyWriter.bytes(of: key)
            var value: [UInt8] = []
            #expect(try context.keyspace.withEntry(table.database, key) { value = copiedBytes($1) })
            try context.keyspace.put(table.database, key, kind.apply(to: value))
            context.noteChange()
        }
    }

    @Test(arguments: Damage.allCases) func aDamagedStamp_isReplacedByTheNextSave(_ kind: Damage) throws {
        try damage(EntityMetadata<Mailing>.self, "1", kind)
        #expect(try store.check().map(\.kind) == [.damagedRecord])
        try Mailing(id: "1", text: "again").save(to: store)
        #expect(try Mailing.updatedAt(of: "1", in: store) != nil)
        #expect(try store.stamps(Mailing.self) == ["1", "2"])
        #expect(try store.check() == [])
    }

    @Test(arguments: Damage.allCases) func aDamagedStamp_goesWithItsEntity(_ kind: Damage) throws {
        try damage(EntityMetadata<Mailing>.self, "1", kind)
        // The cascade too deletes it.
        try MailSack.delete(id: 1, from: store)
        #expect(try store.stamps(Mailing.self) == [])
        #expect(try store.trash(Mailing.self) == ["1", "2"])
        #expect(try store.check() == [])
    }

    @Test(arguments: Damage.allCases) func aDamagedDeletedEntity_goesWithASaveOfItsID(_ kind: Damage) throws {
        try Mailing.delete(id: "1", from: store)
        try damage(Deleted<Mailing>.self, "1", kind)
        try Mailing(id: "1", text: "again").save(to: store)
        #expect(try store.trash(Mailing.self) == [])
        #expect(try Mailing.query("1").resolve(in: store)?.text == "again")
        #expect(try store.check() == [])
    }

    @Test(arguments: Damage.allCases) func aDamagedDeletedEntity_isReplacedByTheNextDelete(_ kind: Damage) throws {
        // A program whose type keeps nothing has saved the entity again.
        try Mailing.delete(id: "1", from: store)
        try store.write { context in
            let deleted = try #require(try Deleted<Mailing>.query("1").resolve(in: context))
            try Mailing(id: "1", text: "again").save(to: context)
            try deleted.keep(in: context)
        }
        try damage(Deleted<Mailing>.self, "1", kind)
        try Mailing.delete(id: "1", from: store)
        #expect(try Deleted<Mailing>.query("1").resolve(in: store)?.entity.text == "again")
        #expect(try store.check() == [])
    }

    @Test(arguments: Damage.allCases) func aDamagedDeletedEntity_canBeRemoved(_ kind: Damage) throws {
        try Mailing.delete(id: "1", from: store)
        try damage(Deleted<Mailing>.self, "1", kind)
        #expect(throws: StoreError.self) { try store.delete(Deleted<Mailing>.self, key: "1") }
        #expect(try store.delete(Deleted<Mailing>.self, key: "1", ignoringDamage: true))
        #expect(try store.trash(Mailing.self) == [] && store.check() == [])
        #expect(try Mailing.query("1").resolve(in: store) == nil)
    }

    @Test(arguments: Damage.allCases) func aDamagedEntity_isNotKept_andItsStampGoes(_ kind: Damage) throws {
        try damage(Mailing.self, "1", kind)
        #expect(try store.delete(Mailing.self, key: "1", ignoringDamage: true))
        #expect(try store.trash(Mailing.self) == [] && store.stamps(Mailing.self) == ["2"])
        #expect(try store.check() == [])
    }

    @Test func aDamagedLink_doesNotKeepAnEntityFromItsDelete() throws {
        try store.write { context in
            let (links, side) = try #require(try context.links(try Mailing.relation(at: \Mailing.$sack).declared))
            let key = links.key(KeyWriter.bytes(of: "1"), KeyWriter.bytes(of: 1), side)
            try context.keyspace.put(links.table.database, key, [1, 2, 3])
            context.noteChange()
        }
        #expect(throws: StoreError.self) { try Mailing.delete(id: "1", from: store) }
        #expect(try Mailing.query("1").resolve(in: store) != nil && store.trash(Mailing.self) == [])
        #expect(try store.delete(Mailing.self, key: "1", ignoringDamage: true))
        #expect(try store.trash(Mailing.self) == ["1"] && store.stamps(Mailing.self) == ["2"])
        #expect(try MailSack.ids("mailings", of: 1, in: store, as: String.self) == ["2"])
        #expect(try store.check() == [])
    }

    @Test func aDamagedList_doesNotKeepAnEntityFromItsDelete() throws {
        try store.write { context in
            let (links, side) = try #require(try context.links(try MailSack.relation(at: \MailSack.$mailings).declared))
            try context.keyspace.put(links.database(of: side), KeyWriter.bytes(of: 1) + [1, 2], [])
            context.noteChange()
        }
        #expect(throws: StoreError.self) { try MailSack.delete(id: 1, from: store) }
        #expect(try MailSack.query(1).resolve(in: store) != nil)
        try store.rebuild()
        try MailSack.delete(id: 1, from: store)
        #expect(try store.trash(MailSack.self) == [1] && store.trash(Mailing.self) == ["1", "2"])
        #expect(try store.check() == [])
    }

    @Test func otherErrors_areThrown() throws {
        let key = KeyWriter.bytes(of: "1")
        try store.write { context in
            try context.nested { _ in
                #expect(storeError { try context.replaceFollowing(key, with: nil as EntityMetadata<Mailing>?) } != nil)
            }
        }
        #expect(try store.stamps(Mailing.self) == ["1", "2"])
    }
}
