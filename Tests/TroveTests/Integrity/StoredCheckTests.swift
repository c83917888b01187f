// Checks of indexes without the Swift types: the report is correct, and claims no more than the catalog shows.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// Properties of many types, with an order and without.
@IndexKeyRecord("id", "place")
private struct Freight: Hashable {
    #Index<Freight>(\.weight.desc, \.label)
    #Index<Freight>(\.sent, \.id.desc)
    #Index<Freight>(\.note.desc)
    #Index<Freight>(\.tags)
    #Index<Freight>(\.size)
    #Index<Freight>(\.state, \.place)
    #Unique<Freight>(\.note, collisions: .ignore)
    #Unique<Freight>(\.size, collisions: .ignore)
    #Index<Freight>(\.code)

    let id: UInt32
    let place: String
    var weight: Double
    var label: String
    var sent: Date
    var note: String?
    var tags: [String]
    var size: Size?
    var state: State
    var code: Code

    @RecordValue
    struct Size: Hashable {
        var width: Int16
        var name: String
    }

    enum State: String, CaseIterable, KeyComponent { case packed, sent, lost }

    /// A value whose layout is only a name.
    struct Code: RecordValue, Hashable {
        var number: UInt64
        static func describe(in layout: inout LayoutBuilder) { layout.append("Code") }
        static var fixedSize: Int? { 8 }
        var encodedSize: Int { 8 }
        func encode(into writer: inout ValueWriter) { number.encode(into: &writer) }
        init(decoding reader: inout ValueReader) throws(CodingError) { number = try UInt64(decoding: &reader) }
        init(number: UInt64) { self.number = number }
    }
}

/// The same type without the property of unknown layout.
@IndexKeyRecord("id", "place")
private struct PlainFreight: Hashable {
    #Index<PlainFreight>(\.weight.desc, \.label)
    #Index<PlainFreight>(\.sent, \.id.desc)
    #Index<PlainFreight>(\.note.desc)
    #Index<PlainFreight>(\.tags)
    #Index<PlainFreight>(\.size)
    #Index<PlainFreight>(\.state, \.place)
    #Unique<PlainFreight>(\.note, collisions: .ignore)
    #Unique<PlainFreight>(\.size, collisions: .ignore)
    #Index<PlainFreight>(\.tags.each)
    #Index<PlainFreight>(\.states.each, \.label)
    #Index<PlainFreight>(\.note, \.bytes.each)

    let id: UInt32
    let place: String
    var weight: Double
    var label: String
    var sent: Date
    var note: String?
    var tags: [String]
    var size: Freight.Size?
    var state: Freight.State
    var states: Set<Freight.State>?
    var bytes: [UInt8]

    static func random(_ id: UInt32, using random: inout SeededGenerator) -> PlainFreight {
        func text() -> String {
            String(
                repeating: ["\0", "ü", "x\u{1}"].randomElement(using: &random) ?? "",
                count: [0, 1, 40, 300].randomElement(using: &random) ?? 0)
        }
        return PlainFreight(
            id: id, place: String(text().prefix(40)),
            weight: [-1, -0.0, 0, .nan, .infinity, 2.5].randomElement(using: &random) ?? 1,
            label: text(), sent: Date(timeIntervalSinceReferenceDate: .random(in: -9...9, using: &random)),
            note: Bool.random(using: &random) ? nil : text(), tags: Bool.random(using: &random) ? [] : [text(), ""],
            size: Bool.random(using: &random)
                ? nil : Freight.Size(width: .random(in: -5...5, using: &random), name: text()),
            state: Freight.State.allCases.randomElement(using: &random) ?? .lost,
            states: Bool.random(using: &random) ? nil : Set(Freight.State.allCases.shuffled(using: &random).prefix(2)),
            bytes: (0..<UInt8.random(in: 0...3, using: &random)).map { $0 ^ 0x81 })
    }
}

@Suite("Checking without the types") struct StoredCheckTests {
    private func checks(_ store: Store) throws -> [StoredIndexCheck] {
        try store.read { context in
            try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).indexes }
        }
    }

    @Test func entriesOfAllKinds_areThoseOfTheType() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let file = try MigratedFile()
        let store = try file.open(PlainFreight.self)
        try store.insert(contentsOf: (0..<300).map { PlainFreight.random($0, using: &random) })
        let indexes = try checks(store)
        #expect(indexes.map(\.index) == PlainFreight.schema.indexes.map(\.text))
        for index in indexes {
            #expect(
                index.extent == .whole && index.differences == [] && index.entries > 0 && index.olderRecords == 0,
                comment)
        }
        for index in try store.indexes(PlainFreight.keyPrefix) {
            let entry = try #require(try store.entries(of: index).randomElement(using: &random))
            try store.remove(entry, from: index)
            try store.put(
                RawEntry(key: entry.key.dropLast() + [entry.key[entry.key.count - 1] ^ 1], value: entry.value),
                into: index)
            let found = try checks(store).flatMap(\.differences)
            #expect(
                Set(found)
                    == Set(
                        try store.check().map { difference in
                            var difference = difference
                            difference.type = PlainFreight.schema.qualifiedName
                            difference.key = StoredKey(difference.key.bytes, of: difference.type)
                            return difference
                        }), comment)
            #expect(found.map(\.kind) == [.missing, .orphaned], comment)
            try store.rebuild(PlainFreight.self, index: index.name)
        }
        #expect(try checks(store).allSatisfy { $0.differences.isEmpty }, comment)
    }

    @Test func whatIsNotKnown_isSaidToBeUnchecked() throws {
        let file = try MigratedFile()
        let store = try file.open(Freight.self, Crew.Indexed.self)
        try store.insert(
            Freight(
                id: 1, place: "", weight: 1, label: "", sent: .distantPast, note: nil, tags: [], size: nil,
                state: .lost,
                code: Freight.Code(number: 1)))
        try store.insert(contentsOf: Crew.indexed(0..<60))
        let found = try checks(store)
        let unknown = found.filter { $0.type.hasSuffix("Freight") }
        #expect(unknown.count == 9 && unknown.allSatisfy { $0.extent == .unknown })
        #expect(found.filter { $0.type.hasSuffix("Indexed") }.map(\.extent) == [.whole, .whole, .entries, .whole])
        #expect(found.allSatisfy { $0.differences.isEmpty })

        // First a missing entry, not visible to a check of entries alone; then an orphaned entry.
        let partial = try store.indexes(Crew.prefix)[2]
        try store.remove(try store.entries(of: partial)[0], from: partial)
        #expect(try checks(store).allSatisfy { $0.differences.isEmpty })
        try store.put(RawEntry(key: KeyWriter.bytes(of: 1) + KeyWriter.bytes(of: 2), value: []), into: partial)
        #expect(try checks(store).flatMap(\.differences).map(\.kind) == [.orphaned])
        let names = try store.read { context in
            try context.storedTypes().filter { $0.keyPrefix == Crew.prefix }
        }.map { try store.markForRebuild(of: $0) }
        #expect(names.map(\.count) == [4])
        let emptied = try checks(store).filter { $0.type.hasSuffix("Indexed") }
        #expect(emptied.count == 4 && emptied.allSatisfy { $0.extent == .notReady && $0.entries == 0 })
    }

    @Test func recordsOfOlderLayouts_areLeftOut() throws {
        let file = try MigratedFile(of: Crew.plain(0..<40))
        let store = try file.open(Crew.Relaid.self, migrations: .lazily)
        try store.insert(Crew.Relaid(id: 3, name: "new", age: 5, email: nil))
        try store.rebuild()
        let before = try checks(store)
        #expect(before.map(\.olderRecords) == [39] && before.map(\.extent) == [.whole])
        #expect(before.flatMap(\.differences) == [])
        try store.finishMigrations()
        #expect(try checks(store).map(\.olderRecords) == [0])
        #expect(try checks(store).flatMap(\.differences) == [])
    }

    @Test func aDamagedRecord_isReported_andTheOthersAreCompared() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        try store.insert(contentsOf: Crew.indexed(0..<60))
        let type = try store.storedType(Crew.prefix)
        let key = KeyWriter.bytes(of: 7)
        try store.put(RawEntry(key: key, value: [1, 2, 3]), into: type.records)
        let byAge = try store.storedIndex(Crew.prefix, "index(age)")
        let entry = try #require(try store.entries(of: byAge).first { $0.key.suffix(8) != key[...] })
        try store.remove(entry, from: byAge)
        let check = try store.read { context in try context.checkStoredIndexes(of: type) }
        #expect(
            check.damagedRecords.map(\.description) == [
                "\(type.name): the record with the key id: 7 is damaged"
            ])
        #expect(check.damagedRecords.map(\.kind) == [.damagedRecord])
        #expect(check.indexes.flatMap(\.differences).map(\.kind) == [.missing])
    }

    @Test func anIndexMarkedForRebuild_isBuiltAtTheNextOpening() throws {
        let file = try MigratedFile()
        try file.open(Crew.Indexed.self).insert(contentsOf: Crew.indexed(0..<60))
        do {
            let store = try file.open()
            let type = try store.storedType(Crew.prefix)
            #expect(try store.markForRebuild("index(age)", of: type) == ["index(age)"])
            #expect(try store.unreadyIndexes(Crew.prefix) == ["index(age)"])
            guard case .schema(.noSuchIndex)? = storeError({ try store.markForRebuild("index(size)", of: type) }) else {
                Issue.record("an unknown index was marked")
                return
            }
        }
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.unreadyIndexes(Crew.prefix) == [])
        #expect(try store.check() == [])
    }
}
