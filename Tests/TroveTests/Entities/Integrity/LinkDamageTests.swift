// Damaged links, lists, positions and relations: a typed error or a finding, never a trap.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Damaged links") struct LinkDamageTests {
    /// Calls a closure that may throw a `StoreError`, and nothing else.
    private func attempt(_ comment: Comment, _ body: () throws -> Void) {
        do { try body() } catch is StoreError {} catch { Issue.record(error, comment) }
    }

    /// Reads, checks, writes and repairs everything.
    private func use(_ store: Store, _ comment: Comment) {
        attempt(comment) { _ = try store.check() }
        attempt(comment) { _ = try store.relationNotes() }
        attempt(comment) { _ = try store.dump() }
        attempt(comment) { _ = try User.queryAll(with: .entities, .fragments, .ids).resolve(in: store) }
        attempt(comment) {
            _ = try Chat.query().with(\.$messages) { $0.sorted(by: \.text).limit(2) }.resolve(in: store)
        }
        attempt(comment) { _ = try Chat.query().relatedGroups(\.$users).resolve(in: store) }
        attempt(comment) { _ = try Chat.filter(.hasNone(\.$messages)).resolve(in: store) }
        for id in ["1", "2", "3"] {
            attempt(comment) { _ = try Chat.query(id).related(\.$messages).related(\.$author).resolve(in: store) }
            attempt(comment) { _ = try User.query(id).linkCount(of: \.$chats).resolve(in: store) }
            attempt(comment) { _ = try Message.filter(.linked(\.$chat, to: id)).resolve(in: store) }
            attempt(comment) { _ = try User.filter(.linked(\.$friends, to: id)).resolve(in: store) }
            for property in ["users", "messages", "admins"] {
                attempt(comment) { _ = try Chat.links(property, of: id, in: store) }
            }
            for property in ["chats", "adminOf", "friends", "partner"] {
                attempt(comment) { _ = try User.links(property, of: id, in: store) }
            }
            attempt(comment) {
                try User(id: id, name: "", friends: .ids(["3", "1"]), partner: .id("3")).save(to: store)
            }
            attempt(comment) {
                try Chat(id: id, users: .ids(["4", "2", "1"]), messages: .ids(["2", "9"])).save(to: store)
            }
            attempt(comment) { try Chat(id: id, admins: .appending(ids: ["4"])).save(to: store) }
            attempt(comment) { try Message(id: id, text: "", attachment: .id("1"), replyTo: .id("2")).save(to: store) }
        }
        attempt(comment) { try User(id: "1", name: "").delete(from: store) }
        attempt(comment) { try Chat(id: "1").delete(from: store) }
        attempt(comment) { try store.rebuild() }
        attempt(comment) { _ = try store.check() }
    }

    @Test func randomDamage_isATypedError_orAFinding() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<40 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let store = try Store.temporary(records: [Chat.self])
            try LinkedStore.fill(store)
            let damage = try store.damageEntry(of: { $0.links != nil }, using: &random)
            use(store, "TROVE_TEST_SEED=\(seed), round \(round), \(damage)")
        }
    }

    @Test func positionsAtTheLimits_areReplaced() throws {
        for positions in [[Int64.min, .max], [.max, .max], [0, 1], [.min, .min], [PositionGaps.limit, 0]] {
            let store = try Store.temporary(records: [Chat.self])
            try LinkedStore.fill(store)
            let type = try store.links("Message.chat")
            for (link, position) in zip(try store.rawRecords(type.keyPrefix), positions) {
                var value = Array(link.value.prefix(StoredValue.headerSize))
                value += (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
                StoredValue.seal(&value, try #require(type.versions.last), key: link.key, seed: type.checksumSeed)
                try store.put(RawEntry(key: link.key, value: value), into: type.records)
            }
            try store.rebuild()
            try store.write { context in
                let stored = try Chat.links("messages", of: "1", in: context)
                let wanted = [stored[0], "8", "9", stored[1]]
                try Chat(id: "1", messages: .ids(wanted)).save(to: context)
                #expect(try Chat.links("messages", of: "1", in: context) == wanted, "\(positions)")
                try Chat(id: "1", messages: .ids(stored)).save(to: context)
            }
            try Chat(id: "1", messages: .appending(ids: ["7"])).save(to: store)
            #expect(try Chat.links("messages", of: "1", in: store).last == "7", "\(positions)")
            try Chat(id: "1", messages: .ids(["8", "2", "9", "1", "7"])).save(to: store)
            #expect(try Chat.links("messages", of: "1", in: store) == ["8", "2", "9", "1", "7"], "\(positions)")
            try store.expectIntactLinks()
        }
    }

    @Test func aDamagedEntryOfARelation_isATypedError() throws {
        var random = SeededGenerator.fromEnvironment()
        for _ in 0..<20 {
            let directory = try TemporaryDirectory()
            let path = directory.path("chats.trove")
            do {
                let store = try Store(path: path, records: [Chat.self], options: StoreOptions(durability: .noSync))
                try LinkedStore.fill(store)
                let catalog = try #require(try store.read { try $0.keyspace.table(named: CatalogStorage.name) })
                let found = try store.entries(in: catalog).filter { $0.key.first == CatalogEntryKind.relation.rawValue }
                var entry = try #require(found.randomElement(using: &random.0))
                let place = Int.random(in: 0..<entry.value.count, using: &random.0)
                entry.value[place] ^= 1 << UInt8.random(in: 0..<8, using: &random.0)
                try store.put(entry, into: catalog)
            }
            let comment: Comment = "TROVE_TEST_SEED=\(random.1)"
            let error = storeError { try Store(path: path, records: [Chat.self]) }
            guard case .record(.checksumMismatch(type: "catalog", _))? = error else {
                Issue.record("\(String(describing: error)), \(comment)")
                continue
            }
            #expect(try !Store.verify(path: path).isSound, comment)
        }
    }
}
