// Programs open a store in random order. Each program declares one record type with its own properties, key and
// indexes, and changes records. The stored records equal a model in memory, and the index entries are derived from
// them.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Random changes of layouts, keys and indexes") struct RandomLayoutTests {
    @Test func afterEveryChangeOfTheType_indexEntriesAreDerivedFromTheRecords() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        for round in 0..<5 {
            var port = try Port(SeededGenerator(seed: seed &+ UInt64(round)), seed)
            // A few types at a time: every type succeeds every other type.
            let types = (0..<4).map { _ in Ships.all[port.number(Ships.all.count)] }
            for _ in 0..<16 { try port.open(types[port.number(types.count)]) }
        }
    }
}

/// A store, and the model of its records.
private struct Port {
    private let file: MigratedFile
    private var random: SeededGenerator
    private let comment: Comment
    /// By id: the contents stored by the last write or rewrite of the record.
    private var ships: [Int: Ship] = [:]
    private var keyLayout = ""

    init(_ generator: SeededGenerator, _ seed: UInt64) throws {
        file = try MigratedFile()
        random = generator
        comment = "TROVE_TEST_SEED=\(seed)"
    }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func randomShip() -> Ship {
        let long = String(repeating: "n", count: [0, 3, 400][number(3)])
        let email = String(repeating: "e", count: [0, 700][number(2)]) + "\(number(40))"
        return Ship(
            id: number(40), name: long + "\(number(3))", email: number(3) == 0 ? nil : email, size: number(9),
            rank: number(9), marks: (0..<number(4)).map { _ in number(4) })
    }

    /// Opens the store as a program with this type, and changes records.
    mutating func open<Record: ShipRecord>(_ type: Record.Type) throws {
        let isLazy = number(3) > 0
        let store = try file.open(type, migrations: (isLazy ? MigrationPolicy.lazily : .onOpen).allowingOlderLayout)
        let changesKey = type.schema.keyLayout != keyLayout
        keyLayout = type.schema.keyLayout
        let isDropped = try !store.dropUndeclaredIndexes().isEmpty
        if isDropped, changesKey || !isLazy {
            try finish(type, in: store)
        } else if changesKey || !isLazy {
            rewrite(type)
            if !isLazy { try checkReadiness(type, of: store) }
        }
        for _ in 0..<number(9) {
            try change(type, in: store)
            try check(type, in: store)
        }
        if number(6) == 0 { try finish(type, in: store) }
        try check(type, in: store)
    }

    // MARK: Migrations

    /// Rebuilds the indexes over records of any layouts.
    private func rebuild<Record: ShipRecord>(_ type: Record.Type, in store: Store) throws {
        var collides = false
        do { try store.rebuild(type) } catch StoreError.record(.notUnique) { collides = true }
        #expect(collides == contradicts(type), comment)
        try checkReadiness(type, of: store)
    }

    /// Converts the model to the layout of a type, as a rewrite of all records does.
    private mutating func rewrite<Record: ShipRecord>(_ type: Record.Type) {
        ships = ships.mapValues { Record($0).ship }
    }

    private mutating func finish<Record: ShipRecord>(_ type: Record.Type, in store: Store) throws {
        var collides = false
        do { try store.finishMigrations() } catch StoreError.record(.notUnique) { collides = true }
        #expect(collides == contradicts(type), comment)
        rewrite(type)
        try checkReadiness(type, of: store)
    }

    /// Whether two records have the same email and the type has a unique constraint. Programs without the constraint
    /// allow such records.
    private func contradicts<Record: ShipRecord>(_ type: Record.Type) -> Bool {
        let emails = ships.values.compactMap(\.email)
        return type.rule != nil && Set(emails).count < emails.count
    }

    /// Checks the readiness of all indexes, and the reported duplicate emails.
    private func checkReadiness<Record: ShipRecord>(_ type: Record.Type, of store: Store) throws {
        #expect(try store.unreadyIndexes(type.keyPrefix) == [], comment)
        #expect(try store.check().isEmpty == !contradicts(type), comment)
        guard !ships.isEmpty else { return }
        let declared = type.schema.indexes.map(\.text)
        #expect(try Set(store.indexes(type.keyPrefix).map(\.name)) == Set(declared), comment)
    }

    private mutating func check<Record: ShipRecord>(_ type: Record.Type, in store: Store) throws {
        let differences = try store.check()
        #expect(differences.allSatisfy { $0.kind == .notUnique }, comment)
        #expect(differences.isEmpty || contradicts(type), comment)
        let expected = Set(ships.values.map(Record.init))
        let stored = try Query<Record>().resolve(in: store)
        #expect(stored.count == expected.count && Set(stored) == expected, comment)
        let name = randomShip().name
        let named = try Record.filter(Record.named(name)).resolve(in: store)
        #expect(Set(named) == expected.filter { $0.ship.name == name }, comment)
    }

    // MARK: Changes

    private mutating func change<Record: ShipRecord>(_ type: Record.Type, in store: Store) throws {
        let new = randomShip()
        let named = ships.values.filter { $0.name == new.name }
        switch number(12) {
        case 0:
            let wasThere = try ships[new.id].map { try store.delete(Record($0)) }
            #expect(wasThere ?? true, comment)
            ships[new.id] = nil
        case 1 where named.count < 8:
            #expect(try Record.filter(Record.named(new.name)).delete(in: store) == named.count, comment)
            for ship in named { ships[ship.id] = nil }
        case 2:
            try Record.filter(Record.named(new.name)).update(in: store) { $0.amount += 1 }
            for ship in named {
                var record = Record(ship)
                record.amount += 1
                ships[ship.id] = record.ship
            }
        case 3:
            #expect(throws: CancellationError.self, comment) {
                try store.write { context in
                    try Query<Record>().delete(in: context)
                    try context.insert(Record(new))
                    throw CancellationError()
                }
            }
        case 4, 5: try rebuild(type, in: store)
        default: try insert(Record(new), in: store)
        }
    }

    /// Saves a record in place of the record with the same id, whose key may differ.
    private mutating func insert<Record: ShipRecord>(_ new: Record, in store: Store) throws {
        let id = new.ship.id
        let old = ships[id].map(Record.init)
        let staysInPlace = old?.keyBytes == new.keyBytes
        var after = ships
        if !staysInPlace { after[id] = nil }
        let isSaved: Bool
        do {
            isSaved = try store.write { context in
                if let old, !staysInPlace { try context.delete(old) }
                return try context.insert(new)
            }
        } catch StoreError.record(.notUnique) {
            #expect(collides(new, with: after) && Record.rule == .throw, comment)
            return
        }
        #expect(isSaved != (collides(new, with: after) && Record.rule == .ignore), comment)
        #expect(!collides(new, with: after) || Record.rule != .throw, comment)
        if collides(new, with: after), Record.rule == .upsert {
            after = after.filter { $0.key == id || $0.value.email != new.ship.email }
        }
        if isSaved { after[id] = new.ship }
        ships = after
    }

    /// Whether a record gets the email of another record.
    private func collides<Record: ShipRecord>(_ new: Record, with ships: [Int: Ship]) -> Bool {
        guard Record.rule != nil, let email = new.ship.email, ships[new.ship.id]?.email != email else { return false }
        return ships.values.contains { $0.id != new.ship.id && $0.email == email }
    }
}
