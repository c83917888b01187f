// Random saves, deletes, restores and purges beside plain dictionaries of the stored and the deleted entities.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Random kept records") struct RandomKeptTests {
    @Test func keptRecords_areThoseOfTheModel() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<12 {
            var world = try KeptWorld(seed: seed &+ UInt64(round))
            for step in 0..<60 {
                let comment: Comment = "TROVE_TEST_SEED=\(seed &+ UInt64(round)) step \(step)"
                try world.step()
                try world.expectEqual(comment)
            }
        }
    }
}

/// A store, and what it should contain.
private struct KeptWorld {
    private let directory: TemporaryDirectory
    private var store: Store
    private var random: SeededGenerator
    private var model = Model()
    private var follower = HistoryKeysFollower()

    private struct Model {
        /// The sack of each entity with a link, stored or not.
        var links: [String: Int] = [:]
        /// The text and the code of each stored entity.
        var stored: [String: Value] = [:]
        /// Those of each deleted entity, and its sack.
        var trash: [String: Value] = [:]
        /// The time of each stored entity's last save, as far as it is known: not before this time.
        var saved: [String: Date] = [:]
    }

    private struct Value: Equatable {
        var text: String
        var sack: Int?
        var code: Int?
    }

    init(seed: UInt64) throws {
        directory = try TemporaryDirectory()
        random = SeededGenerator(seed: seed)
        store = try Self.open(directory, HistoryKeysFollower.policy(seed))
        try [MailSack(id: 0), MailSack(id: 1)].save(to: store)
    }

    private static func open(_ directory: TemporaryDirectory, _ history: HistoryPolicy? = nil) throws -> Store {
        try Store(
            path: directory.path("kept.trove"), records: [Mailing.self],
            options: StoreOptions(durability: .noSync, history: history))
    }

    private mutating func some(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func step() throws {
        if some(15) == 0 {
            try store.close()
            store = try Self.open(directory)
        } else if some(4) == 0 {
            try steps()
        } else {
            try store.write { try change(in: $0) }
        }
    }

    /// Some changes in a transaction, of which a nested transaction is undone.
    private mutating func steps() throws {
        let store = store
        try store.write { context in
            try change(in: context)
            let before = model
            _ = try? context.nested { context in
                try change(in: context)
                try change(in: context)
                throw CancellationError()
            }
            model = before
            try context.nested { try change(in: $0) }
        }
    }

    private mutating func change(in context: TransactionContext) throws {
        let id = "\(some(8))"
        switch some(10) {
        case 0: try save(id, in: context) { try $0.save(to: context) }
        case 1: try save(id, in: context) { try context.insert($0) }
        case 2:
            let sack = some(2)
            try save(id, in: context) { entity in
                try MailSack(id: sack, mailings: .appending(relation: [entity])).save(to: context)
            }
            model.links[id] = sack
        case 3:
            let text = "\(some(4))"
            let changed = try Mailing.filter(\.text == text).update(in: context) { $0.text += "!" }
            let matches = model.stored.filter { $0.value.text == text }.keys
            #expect(changed == matches.count)
            for id in matches { model.stored[id]?.text += "!" }
        case 4:
            let isStored = try Mailing.delete(id: id, from: context)
            #expect(isStored == (model.stored[id] != nil))
            delete(id)
        case 5:
            let text = "\(some(4))"
            try Mailing.filter(\.text == text).delete(in: context)
            for (id, value) in model.stored where value.text == text { delete(id) }
        case 6:
            let deleted = try Deleted<Mailing>.query(id).resolve(in: context)
            try deleted?.restore(in: context)
            #expect((deleted != nil) == (model.trash[id] != nil))
            guard var value = model.trash[id] else { return }
            replaceSameCode(value.code, id)
            if let sack = value.sack.take() { model.links[id] = sack }
            model.trash[id] = nil
            model.stored[id] = value
        case 8:
            // Either may give way to the other, and the inner entity may be the outer one again.
            let (other, codes) = ("\(some(8))", (0..<2).map { _ in some(2) == 0 ? some(3) : nil })
            let before = Date()
            let inner = Mailing(id: other, text: "inner", code: codes[1])
            try Mailing(id: id, text: "outer", code: codes[0], answers: .appending(relation: [inner])).save(to: context)
            noteSave(id, Value(text: "outer", code: codes[0]), before)
            if other != id { noteSave(other, Value(text: "inner", code: codes[1]), before) }
        case 7:
            let sack = some(2)
            let ids = model.links.filter { $0.value == sack }.keys
            try MailSack.delete(id: sack, from: context)
            for id in ids { delete(id) }
            // Its links are back, also those to entities that are not stored.
            try #require(try Deleted<MailSack>.query(sack).resolve(in: context)).restore(in: context)
            for id in ids { model.links[id] = sack }
        default:
            let purged = try Deleted<Mailing>.filter(\.entity.text == "\(some(4))").delete(in: context)
            let kept = try Deleted<Mailing>.query().resolve(in: context).map(\.id)
            #expect(purged == model.trash.count - kept.count)
            model.trash = model.trash.filter { kept.contains($0.key) }
        }
    }

    private mutating func save(
        _ id: String, in context: TransactionContext, _ body: (Mailing) throws -> Void
    ) throws {
        let code = some(3) == 0 ? some(3) : nil
        let sack = some(2) == 0 ? some(2) : nil
        let text = "\(some(4))"
        let before = Date()
        try body(Mailing(id: id, text: text, code: code, sack: sack.map { .id($0) } ?? .none))
        noteSave(id, Value(text: text, code: code), before)
        // An unset relation keeps its link.
        if let sack { model.links[id] = sack }
    }

    private mutating func noteSave(_ id: String, _ value: Value, _ before: Date) {
        replaceSameCode(value.code, id)
        model.stored[id] = value
        model.trash[id] = nil
        model.saved[id] = before
    }

    private mutating func delete(_ id: String) {
        guard var value = model.stored.removeValue(forKey: id) else { return }
        value.sack = model.links.removeValue(forKey: id)
        model.trash[id] = value
        model.saved[id] = nil
    }

    /// Deletes the entity that gives way to another of the same code.
    private mutating func replaceSameCode(_ code: Int?, _ id: String) {
        guard let code else { return }
        for (other, value) in model.stored where other != id && value.code == code { delete(other) }
    }

    mutating func expectEqual(_ comment: Comment) throws {
        try follower.follow(store, comment)
        let stored = try Mailing.query().resolve(in: store)
        let found = Dictionary(
            uniqueKeysWithValues: try stored.map { entity in
                let sack = try Mailing.ids("sack", of: entity.id, in: store).first
                return (entity.id, Value(text: entity.text, sack: sack, code: entity.code))
            })
        var expected = model.stored
        for id in expected.keys { expected[id]?.sack = model.links[id] }
        #expect(found == expected, comment)
        let trash = try Deleted<Mailing>.query().resolve(in: store).map { deleted in
            let entity = deleted.entity
            return (entity.id, Value(text: entity.text, sack: entity.$sack.id, code: entity.code))
        }
        #expect(Dictionary(uniqueKeysWithValues: trash) == model.trash, comment)
        #expect(try Set(store.stamps(Mailing.self)) == Set(model.stored.keys), comment)
        for (id, date) in model.saved {
            #expect(try Mailing.updatedAt(of: id, in: store).map { $0 >= date } == true, comment)
        }
        #expect(try store.stamps(MailSack.self) == [0, 1], comment)
        #expect(try store.trash(MailSack.self) == [], comment)
        try store.expectIntactLinks(comment)
    }
}
