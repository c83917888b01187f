// The times of entities' last saves.

import Foundation
import Testing
import TroveCoding
import TroveSpellings
import TroveTestSupport

@testable import Trove

@EntityModel(keepsMetadata: true)
private struct Telegram: Equatable {
    let id: Int
    var text: String = ""
    var refuses: Bool = false
    var comesBack: Bool = false
}

extension Telegram {
    func didSave(to context: TransactionContext) throws {
        // The stamp is there by now.
        #expect(try updatedAt(in: context) != nil)
        if refuses { throw CancellationError() }
    }

    func didDelete(from context: TransactionContext) throws {
        #expect(try updatedAt(in: context) == nil)
        if comesBack { try Telegram(id: id).save(to: context) }
    }
}

@EntityModel(keepsMetadata: true)
private struct Postcard: Equatable {
    let id: Int
}

extension Postcard {
    func saveMetadata(to context: TransactionContext) throws { try MailRoute(id: id).save(to: context) }
    func deleteMetadata(from context: TransactionContext) throws { try MailRoute.delete(id: id, from: context) }
}

@Suite("Metadata") struct MetadataTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Mailing.self, MailRoute.self, Telegram.self])
    }

    @Test func aTypeThatKeepsNone_isATypedError() throws {
        let error = StoreError.entity(.notKept(type: "MailReader", option: "keepsMetadata"))
        let reader = MailReader(id: 1)
        try reader.save(to: store)
        #expect(throws: error) { try reader.updatedAt(in: store) }
        #expect(throws: error) { try MailReader.updatedAt(of: 1, in: store) }
        #expect(throws: error) { try MailReader.query().sorted(by: .updatedAt).resolve(in: store) }
        #expect(throws: error) { try MailReader.filter(.updated(within: .distantPast...Date())).count(in: store) }
        // With the entities inside it, those with times count.
        #expect(try reader.updatedAt(in: store, withNested: true) == nil)
        let mailing = Mailing(id: "1", text: "")
        try mailing.save(to: store)
        let outer = MailReader(id: 1, favorite: .relation(mailing))
        #expect(try outer.updatedAt(in: store, withNested: true) == mailing.updatedAt(in: store))
    }

    @Test func stamp_isNilBeforeTheFirstSave() throws {
        let route = MailRoute(id: 1)
        #expect(try route.updatedAt(in: store) == nil)
        let before = Date()
        try route.save(to: store)
        let date = try #require(try route.updatedAt(in: store))
        #expect(date >= before && date <= Date())
        #expect(try MailRoute.updatedAt(of: 1, in: store) == date)
        #expect(try MailRoute.updatedAt(of: 2, in: store) == nil)
    }

    @Test func aGraphWithManyPaths_isVisitedOnceAnEntity() throws {
        let depth = 60
        var level: [Mailing] = []
        for number in (0..<depth).reversed() {
            level = ["a", "b"].map { Mailing(id: "\($0)\(number)", text: "", answers: .relation(level)) }
        }
        let root = Mailing(id: "root", text: "", answers: .relation(level))
        #expect(try root.updatedAt(in: store, withNested: true) == nil)
        try Mailing(id: "b\(depth - 1)", text: "").save(to: store)
        let date = try Mailing.updatedAt(of: "b\(depth - 1)", in: store)
        #expect(try date != nil && root.updatedAt(in: store, withNested: true) == date)
    }

    @Test func anEntityWithRelationsInOnePlaceOnly_isFollowedThere() throws {
        try Mailing(id: "deep", text: "").save(to: store)
        let date = try Mailing.updatedAt(of: "deep", in: store)
        let bare = Mailing(id: "twice", text: "", answers: .ids(["deep"]))
        let full = Mailing(id: "twice", text: "", answers: .relation([Mailing(id: "deep", text: "")]))
        for answers in [[bare, full], [full, bare]] {
            let root = Mailing(id: "root", text: "", answers: .relation(answers))
            #expect(try date != nil && root.updatedAt(in: store, withNested: true) == date)
        }
    }

    @Test func stamp_isRenewedByEachPath() throws {
        let route = MailRoute(id: 1, name: "a")
        var last = Date.distantPast
        func expectNewer(_ comment: Comment, _ body: () throws -> Void) throws {
            try body()
            let date = try #require(try route.updatedAt(in: store))
            #expect(date > last, comment)
            last = date
        }
        try expectNewer("save") { try route.save(to: store) }
        try expectNewer("equal bytes") { try route.save(to: store) }
        try expectNewer("insert") { try store.insert(route) }
        try expectNewer("insert in") { try route.insert(in: store) }
        try expectNewer("insert many") { try store.insert(contentsOf: [route]) }
        try expectNewer("save many") { try [route].save(to: store) }
        try expectNewer("fragment") { try route.save(to: store, merging: .fragment) }
        try expectNewer("update") { try MailRoute.filter(\.id == 1).update(in: store) { $0.name = "b" } }
        try expectNewer("in a transaction") { try store.write { try route.save(to: $0) } }
        let kept = try store.insert(MailRoute(id: 1, name: "c"), onConflict: .ignore)
        #expect(!kept)
        #expect(try route.updatedAt(in: store) == last)
    }

    @Test func stamps_ofATransactionDoNotGoBack() throws {
        try store.write { context in
            context.entityCounts.value.lastStamp = Date.distantFuture.timeIntervalSinceReferenceDate
            try MailRoute(id: 1).save(to: context)
            try context.nested { try MailRoute(id: 2).save(to: $0) }
            #expect(try MailRoute.updatedAt(of: 1, in: context) == Date.distantFuture)
            #expect(try MailRoute.updatedAt(of: 2, in: context) == Date.distantFuture)
        }
    }

    @Test func nestedEntities_haveStampsOfTheirOwn() throws {
        let answer = Mailing(id: "2", text: "answer", readers: .relation([MailReader(id: 1)]))
        let mailing = Mailing(
            id: "1", text: "mail", sack: .relation(MailSack(id: 1)), answers: .fragment([answer]))
        try mailing.save(to: store)
        #expect(try store.stamps(Mailing.self) == ["1", "2"])
        #expect(try store.stamps(MailSack.self) == [1])
        #expect(throws: StoreError.entity(.notKept(type: "MailReader", option: "keepsMetadata"))) {
            try MailReader(id: 1).updatedAt(in: store)
        }
        try answer.save(to: store)
        let own = try #require(try mailing.updatedAt(in: store))
        let nested = try #require(try answer.updatedAt(in: store))
        #expect(own < nested)
        #expect(try mailing.updatedAt(in: store, withNested: true) == nested)
        #expect(try mailing.normalized().updatedAt(in: store, withNested: true) == own)
    }

    @Test func nestedStamps_ofADeepGraphAreFound() throws {
        var graph = Mailing(id: "0", text: "")
        for depth in 1...900 { graph = Mailing(id: "\(depth)", text: "", answers: .relation([graph])) }
        try graph.save(to: store)
        try Mailing(id: "0", text: "x").save(to: store)
        let latest = try Mailing.updatedAt(of: "0", in: store)
        #expect(try graph.updatedAt(in: store, withNested: true) == latest)
    }

    @Test func savingLinksAlone_setsNoStamp() throws {
        try MailSack(id: 1).save(to: store)
        let before = try MailSack.updatedAt(of: 1, in: store)
        let sack = MailSack(id: 1, mailings: .relation([Mailing(id: "1", text: "")]))
        try sack.save(\.$mailings, to: store)
        #expect(try MailSack.updatedAt(of: 1, in: store) == before)
        #expect(try store.stamps(Mailing.self) == ["1"])
    }

    @Test func stamp_goesWithTheEntity() throws {
        for id in 1...6 { try MailRoute(id: id).save(to: store) }
        try MailRoute(id: 1).delete(from: store)
        try MailRoute.delete(id: 2, from: store)
        try store.delete(MailRoute.self, key: 3)
        try MailRoute.filter(\.id == 4).delete(in: store)
        #expect(try store.stamps(MailRoute.self) == [5, 6])
        try MailRoute.query().delete(in: store)
        #expect(try store.stamps(MailRoute.self) == [])
        try MailSack(id: 1, mailings: .relation([Mailing(id: "1", text: "")])).save(to: store)
        try MailSack.delete(id: 1, from: store)
        #expect(try store.stamps(Mailing.self) == [])
        try Mailing(id: "1", text: "", code: 7).save(to: store)
        try Mailing(id: "2", text: "", code: 7).save(to: store)
        #expect(try store.stamps(Mailing.self) == ["2"])
        try store.expectIntactLinks()
    }

    @Test func hooks_seeTheStamp() throws {
        try Telegram(id: 1).save(to: store)
        #expect(throws: CancellationError.self) { try Telegram(id: 2, refuses: true).save(to: store) }
        #expect(try store.stamps(Telegram.self) == [1])
        try Telegram(id: 1, comesBack: true).save(to: store)
        try Telegram.delete(id: 1, from: store)
        #expect(try store.stamps(Telegram.self) == [1])
    }

    @Test func metadata_canBeOverridden() throws {
        try Postcard(id: 3).save(to: store)
        #expect(try store.stamps(Postcard.self) == [])
        #expect(try MailRoute.query().resolve(in: store).map(\.id) == [3])
        try Postcard.delete(id: 3, from: store)
        #expect(try MailRoute.query().resolve(in: store).isEmpty)
    }

    @Test func typesWithoutTheOption_costNothing() throws {
        try MailReader(id: 1).save(to: store)
        try MailReader(id: 2).save(to: store)
        #expect(MailReader.hasDefault(.saving) && MailReader.schema.isSavedAlone)
        try MailReader.delete(id: 2, from: store)
        #expect(MailReader.hasDefault(.deleting) && MailReader.schema.writePart?.canBeEmptied == true)
        try MailRoute(id: 1).save(to: store)
        try MailRoute.delete(id: 1, from: store)
        #expect(!MailRoute.hasDefault(.saving) && MailRoute.schema.writePart?.canBeEmptied == false)
        let names = try store.typeNames()
        #expect(!names.contains { $0.contains("MailReader~") })
    }

    @Test func undoneSave_leavesNoStamp() throws {
        try store.write { context in
            _ = try? context.nested { context in
                try MailRoute(id: 1).save(to: context)
                throw CancellationError()
            }
        }
        #expect(try store.stamps(MailRoute.self) == [])
    }

    @Test func asyncForms_read() async throws {
        try await MailRoute(id: 1).save(to: store)
        let date = try await MailRoute(id: 1).updatedAt(in: store)
        #expect(date != nil)
        let other = try await MailRoute.updatedAt(of: 1, in: store)
        #expect(other == date)
    }

    @Test func context_keepsStamps() throws {
        var context = MemoryStore()
        try MailRoute(id: 1).save(to: &context)
        #expect(try MailRoute(id: 1).updatedAt(in: context) != nil)
    }
}
