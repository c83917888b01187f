// Deleted entities that a store keeps.

import Foundation
import Testing
import TroveCoding
import TroveSpellings
import TroveTestSupport

@testable import Trove

@EntityModel(keepsDeleted: true)
private struct Bulletin: Equatable {
    let id: Int
    var text: String = ""
    @Relationship(deleteRule: .deny, inverse: \.bulletin) var pins: [BulletinPin]?
}

@EntityModel
private struct BulletinPin: Equatable {
    let id: Int
    @Relationship(inverse: \.pins) var bulletin: Bulletin?
}

extension Bulletin {
    func asDeleted(in context: ReadContext) throws -> Deleted<Bulletin>? {
        switch text {
        case "secret": nil
        case "elsewhere": Deleted(Bulletin(id: id + 1))
        default: Deleted(Bulletin(id: id, text: "kept: " + text))
        }
    }

    func willDelete(from context: TransactionContext) throws {
        if text == "changing" { try Bulletin(id: id, text: "changed").save(to: context) }
        if text == "refusing" { throw CancellationError() }
    }

    func didDelete(from context: TransactionContext) throws {
        if text == "kept" || text == "changing" {
            #expect(try Deleted<Bulletin>.query(id).resolve(in: context) != nil)
        }
    }
}

@Suite("Deleted entities") struct DeletedTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Mailing.self, MailReader.self, Bulletin.self])
    }

    private func fill() throws {
        try MailSack(id: 1, title: "first").save(to: store)
        for id in 1...3 { try MailReader(id: id).save(to: store) }
        try Mailing(
            id: "1", text: "mail", code: 5, sack: .id(1), answers: .relation([Mailing(id: "2", text: "answer")]),
            readers: .ids([3, 1])
        ).save(to: store)
    }

    @Test func delete_keepsTheEntityWithTheIDsOfItsLinks() throws {
        try fill()
        let before = Date()
        try Mailing.delete(id: "1", from: store)
        let deleted = try #require(try Deleted<Mailing>.query("1").resolve(in: store))
        #expect(
            deleted.entity
                == Mailing(
                    id: "1", text: "mail", code: 5, sack: .id(1), answers: .ids(["2"]), readers: .ids([3, 1])))
        #expect(deleted.entity.$answerTo.isNone)
        #expect(deleted.deletedAt >= before && deleted.deletedAt <= Date())
        #expect(deleted.id == "1")
        #expect(try Mailing.query("1").resolve(in: store) == nil)
        #expect(try store.stamps(Mailing.self) == ["2"])
        try store.expectIntactLinks()
    }

    @Test func restore_bringsLinksBack() throws {
        try fill()
        try MailReader(id: 1, favorite: .id("1")).save(to: store)
        try Mailing.delete(id: "1", from: store)
        #expect(try Mailing.ids("answerTo", of: "2", in: store, as: String.self) == [])
        let deleted = try #require(try Deleted<Mailing>.query("1").resolve(in: store))
        try deleted.restore(in: store)
        #expect(try Mailing.query("1").resolve(in: store)?.text == "mail")
        #expect(try Mailing.ids("sack", of: "1", in: store) == [1])
        #expect(try Mailing.ids("answers", of: "1", in: store, as: String.self) == ["2"])
        #expect(try Mailing.ids("readers", of: "1", in: store) == [3, 1])
        #expect(try MailSack.ids("mailings", of: 1, in: store, as: String.self) == ["1"])
        // A one-way link of another entity is not a part of it.
        #expect(try MailReader.ids("favorite", of: 1, in: store, as: String.self) == [])
        #expect(try store.trash(Mailing.self) == [])
        #expect(try store.stamps(Mailing.self) == ["1", "2"])
        try store.expectIntactLinks()
    }

    @Test func restore_ofAnEntityWithoutLinksKeepsLaterLinks() throws {
        try MailSack(id: 1).save(to: store)
        try MailSack.delete(id: 1, from: store)
        try Mailing(id: "1", text: "", sack: .id(1)).save(to: store)
        try #require(try Deleted<MailSack>.query(1).resolve(in: store)).restore(in: store)
        #expect(try MailSack.ids("mailings", of: 1, in: store, as: String.self) == ["1"])
    }

    @Test func failedRestore_keepsTheDeletedEntity() throws {
        try fill()
        try Mailing.delete(id: "1", from: store)
        let deleted = try #require(try Deleted<Mailing>.query("1").resolve(in: store))
        try store.write { context in
            _ = try? context.nested { context in
                try deleted.restore(in: context)
                throw CancellationError()
            }
        }
        #expect(try store.trash(Mailing.self) == ["1"])
        #expect(try Mailing.query("1").resolve(in: store) == nil)
    }

    @Test func cascade_keepsAll() throws {
        try fill()
        try Mailing(id: "3", text: "third", sack: .id(1)).save(to: store)
        try MailSack.delete(id: 1, from: store)
        #expect(try store.trash(MailSack.self) == [1])
        #expect(try store.trash(Mailing.self) == ["1", "3"])
        #expect(try Deleted<Mailing>.query("3").resolve(in: store)?.entity.$sack.id == 1)
        for deleted in try Deleted<Mailing>.query().resolve(in: store) { try deleted.restore(in: store) }
        try #require(try Deleted<MailSack>.query(1).resolve(in: store)).restore(in: store)
        #expect(try MailSack.ids("mailings", of: 1, in: store, as: String.self) == ["1", "3"])
        try store.expectIntactLinks()
    }

    @Test func eachWayToDelete_keepsTheEntity() throws {
        for id in 1...6 { try MailSack(id: id).save(to: store) }
        try MailSack(id: 1).delete(from: store)
        try store.delete(MailSack.self, key: 2)
        try MailSack.filter(\.id == 3).delete(in: store)
        try store.write { try $0.delete(MailSack(id: 4)) }
        #expect(try store.trash(MailSack.self) == [1, 2, 3, 4])
        try MailSack.query().delete(in: store)
        #expect(try store.trash(MailSack.self) == [1, 2, 3, 4, 5, 6])
        try Mailing(id: "1", text: "first", code: 7).save(to: store)
        try Mailing(id: "2", text: "second", code: 7).save(to: store)
        #expect(try store.trash(Mailing.self) == ["1"])
        #expect(try !MailSack.delete(id: 99, from: store))
    }

    @Test func save_removesTheDeletedEntity() throws {
        try fill()
        try Mailing.query().delete(in: store)
        #expect(try store.trash(Mailing.self) == ["1", "2"])
        try MailSack(id: 1, mailings: .relation([Mailing(id: "2", text: "again")])).save(to: store)
        #expect(try store.trash(Mailing.self) == ["1"])
        try store.insert(Mailing(id: "1", text: "again"))
        #expect(try store.trash(Mailing.self) == [])
    }

    @Test func savingADeletedEntity_deletesTheEntity() throws {
        try fill()
        let date = Date(timeIntervalSinceReferenceDate: 5)
        try Deleted(Mailing(id: "1", text: "other"), deletedAt: date).save(to: store)
        #expect(try Mailing.query("1").resolve(in: store) == nil)
        let deleted = try #require(try Deleted<Mailing>.query("1").resolve(in: store))
        #expect(deleted == Deleted(Mailing(id: "1", text: "other"), deletedAt: date))
        #expect(try Mailing.ids("answerTo", of: "2", in: store, as: String.self) == [])
    }

    @Test func aTypeThatKeepsNone_isATypedError() throws {
        try fill()
        let error = StoreError.entity(.notKept(type: "MailReader", option: "keepsDeleted"))
        #expect(throws: error) { try Deleted<MailReader>.query(1).resolve(in: store) }
        #expect(throws: error) { try Deleted<MailReader>.query().sorted(by: \.deletedAt.desc).resolve(in: store) }
        #expect(throws: error) { try Deleted<MailReader>.filter(\.deletedAt < Date()).count(in: store) }
        #expect(throws: error) { try Deleted<MailReader>.filter(\.deletedAt < Date()).delete(in: store) }
        #expect(throws: error) { try Deleted(MailReader(id: 1)).save(to: store) }
        #expect(throws: error) { try Deleted(MailReader(id: 4)).restore(in: store) }
        #expect(throws: error) { try Store.temporary(records: [Deleted<MailReader>.self]) }
        // Nothing of it is stored.
        #expect(try MailReader.query().keys(in: store) == [1, 2, 3])
    }

    @Test func queries_nameTheTimeAndTheEntitysProperties() throws {
        for (id, text) in [("1", "b"), ("2", "a"), ("3", "b")] {
            let time = Date(timeIntervalSinceReferenceDate: Double(id) ?? 0)
            try Deleted(Mailing(id: id, text: text), deletedAt: time).save(to: store)
        }
        #expect(try Deleted<Mailing>.filter(\.entity.text == "b").resolve(in: store).map(\.id) == ["1", "3"])
        #expect(
            try Deleted<Mailing>.query().sorted(by: \.deletedAt.desc).resolve(in: store).map(\.id) == ["3", "2", "1"])
        #expect(try Deleted<Mailing>.query().sorted(by: \.entity.text).resolve(in: store).map(\.id) == ["2", "1", "3"])
        let limit = Date(timeIntervalSinceReferenceDate: 2.5)
        #expect(try Deleted<Mailing>.filter(\.deletedAt < limit).delete(in: store) == 2)
        #expect(try store.trash(Mailing.self) == ["3"])
        #expect(try Deleted<Mailing>.delete(id: "3", from: store))
        #expect(try store.trash(Mailing.self) == [])
    }

    @Test func asDeleted_canBeOverridden() throws {
        for (id, text) in [(1, "kept"), (2, "secret"), (3, "changing"), (4, "refusing"), (5, "elsewhere")] {
            try Bulletin(id: id, text: text).save(to: store)
        }
        try Bulletin.delete(id: 1, from: store)
        try Bulletin.delete(id: 2, from: store)
        // The value is taken before willDelete.
        try Bulletin.delete(id: 3, from: store)
        #expect(throws: CancellationError.self) { try Bulletin.delete(id: 4, from: store) }
        #expect(throws: StoreError.self) { try Bulletin.delete(id: 5, from: store) }
        #expect(
            try Deleted<Bulletin>.query().resolve(in: store).map(\.entity)
                == [Bulletin(id: 1, text: "kept: kept"), Bulletin(id: 3, text: "kept: changing")])
        #expect(try Bulletin.query().resolve(in: store).map(\.id) == [4, 5])
    }

    @Test func deniedDelete_keepsNothing() throws {
        try Bulletin(id: 1, pins: .relation([BulletinPin(id: 1)])).save(to: store)
        #expect(throws: StoreError.self) { try Bulletin.delete(id: 1, from: store) }
        #expect(try store.trash(Bulletin.self) == [])
    }

    @Test func deletedEntities_encodeAndDecode() throws {
        let deleted = Deleted(Mailing(id: "1", text: "a"), deletedAt: Date(timeIntervalSinceReferenceDate: 3))
        let data = try JSONEncoder().encode(deleted)
        #expect(try JSONDecoder().decode(Deleted<Mailing>.self, from: data) == deleted)
    }

    @Test func layout_isThatOfTheEntityAndItsRelations() {
        #expect(Deleted<Mailing>.schema.name == "Mailing~deleted")
        #expect(
            Deleted<Mailing>.schema.layout
                == #"(id:String){text:String,code:Int64?,"$sack":Int64?,"$answers":[String],"$answerTo":String?,"#
                + #""$readers":[Int64],"~deletedAt":Date}"#)
        #expect(Deleted<Mailing>.schema === Deleted<Mailing>.schema)
        #expect(EntityMetadata<Mailing>.schema.layout == "(id:String){updatedAt:Date}")
        #expect(EntityMetadata<MailRoute>.schema.name == "MailRoute~metadata")
        #expect(!EntityMetadata<MailRoute>.schema.hasAutomaticPrefix)
    }

    @Test func declaredTypes_includeTheFollowingTypes() {
        let declared: [any IndexKeyRecord.Type] = [Mailing.self, MailRoute.self]
        let types = declared.withRelatedTypes.map { $0.schema.name }
        #expect(
            Set(types) == [
                "Mailing", "MailSack", "MailReader", "MailRoute", "Mailing~metadata", "Mailing~deleted",
                "MailSack~metadata", "MailSack~deleted", "MailRoute~metadata",
            ])
    }

    @Test func asyncAndContextForms_restore() async throws {
        try await MailSack(id: 1).save(to: store)
        try await MailSack.delete(id: 1, from: store)
        let deleted = try #require(try await store.read { try Deleted<MailSack>.query(1).resolve(in: $0) })
        try await deleted.restore(in: store)
        let restored = try await store.get(MailSack.self, key: 1)
        #expect(restored != nil)
        var context = MemoryStore()
        try context.writing { try deleted.save(to: $0) }
        try deleted.restore(in: &context)
        #expect(try context.reading { try MailSack.query(1).resolve(in: $0) } != nil)
    }
}
