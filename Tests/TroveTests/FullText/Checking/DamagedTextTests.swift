// Full-text indexes with damaged rows: each damaged table is found, rebuilt and left out by a salvage, and a record can
// be deleted in spite of it.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Chronicle: Hashable {
    #FullTextIndex<Chronicle>(\.title, \.body)
    #FullTextIndex<Chronicle>(\.body, keepsOrder: false)
    #Index<Chronicle>(\.year)

    let id: Int
    var title: String
    var body: String
    var year: Int
}

@EntityModel
private struct Chronicler {
    #FullTextIndex<Chronicler>(\.name)

    let id: Int
    var name: String
    @Relationship(inverse: \.chronicler) var works: [ChroniclerWork]?
}

@EntityModel
private struct ChroniclerWork {
    let id: Int
    @Relationship(inverse: \.works) var chronicler: Chronicler?
}

@Suite("Damaged full-text indexes") struct DamagedTextTests {
    /// A table with rows of full text.
    enum Part: CaseIterable, Sendable {
        case tails, words, blocks, documents, lengths, numbers, keys

        /// Whether the record's removal reads the row.
        var isReadByRemovals: Bool { self != .words && self != .keys }
    }

    private static let index = "fullText(title,body)"

    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Self.open(directory.path("chronicles.trove"))
        try store.insert(contentsOf: Self.records)
    }

    private static func open(_ path: String, verifiesChecksums: Bool = false) throws -> Store {
        try Store(
            path: path, records: [Chronicle.self],
            options: StoreOptions(durability: .noSync, verifiesChecksums: verifiesChecksums))
    }

    private static let records = (0..<300).map { id in
        Chronicle(id: id, title: "all of \(id)", body: "all r\(id) r\(id / 100) of", year: id % 10)
    }

    // MARK: Rows

    private func table(_ part: Part, in store: Store) throws -> Database {
        let prefix = Chronicle.keyPrefix
        let number = try store.storedIndex(prefix, Self.index).number
        let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
        let tables = try store.read { $0.catalogSnapshot.indexParts(prefix) }
        let wanted =
            switch part {
            case .tails: name.part(TextPart.tails.rawValue)
            case .words: name.part(TextPart.words.rawValue)
            case .blocks: name.part(TextPart.blocks.rawValue)
            case .documents: name.part(TextPart.documents.rawValue)
            case .lengths: name.part(TextPart.lengths.rawValue)
            case .numbers: RecordNumberParts.name(prefix)
            case .keys: RecordNumberParts.name(prefix).part(1)
            }
        return try #require(tables[wanted])
    }

    /// Returns the key of the row in a table that concerns a record with a number.
    private func key(_ part: Part, of id: Int, in store: Store) throws -> [UInt8] {
        let rows = try store.entries(in: try table(part, in: store))
        let recordKey = KeyWriter.bytes(of: id)
        switch part {
        // The first word is in all records.
        case .tails, .blocks: return try #require(rows.first { $0.key.starts(with: TextCheck.key(1)) }).key
        case .words: return Array("all".utf8)
        case .documents, .keys:
            let numbers = try store.entries(in: try table(.numbers, in: store))
            return Array(try #require(numbers.first { $0.key == recordKey }).value.suffix(RowNumber.size))
        case .lengths: return try #require(rows.first).key
        case .numbers: return recordKey
        }
    }

    private func damage(
        _ part: Part, of id: Int = 7, in store: Store, _ change: (inout [UInt8]) -> Void = { $0[$0.count - 1] ^= 0x55 }
    ) throws {
        let (table, key) = (try table(part, in: store), try key(part, of: id, in: store))
        var row = try #require(try store.entries(in: table).first { $0.key == key })
        change(&row.value)
        try store.put(row, into: table)
    }

    /// Compares all that the index finds with what the records have.
    private func expectSound(_ store: Store, without missing: Set<Int> = [], _ note: Comment = "") throws {
        #expect(try store.unreadyIndexes(Chronicle.keyPrefix) == [], note)
        #expect(try store.check() == [], note)
        let ids = (0..<300).filter { !missing.contains($0) }
        #expect(try Chronicle.matching("all").keys(in: store).sorted() == ids, note)
        #expect(try Chronicle.matching("\"all r8\"").keys(in: store) == [8], note)
        #expect(try Chronicle.matching("r1*", index: "fullText(body)").count(in: store) > 100, note)
    }

    // MARK: Finding and rebuilding

    @Test(arguments: Part.allCases) func aDamagedRow_isFound_andRebuilt(_ part: Part) throws {
        try expectSound(store)
        try damage(part, in: store)
        let path = store.path
        let findings = try Store.verify(path: path).findings
        #expect(findings.count { $0.kind == .indexEntry } == 1 && findings.count == 1)
        let error = storeError { try store.copy(to: directory.path("copy.trove")) }
        guard case .record(.indexDamaged(_, let index, _))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(index == (part == .numbers || part == .keys ? "record numbers" : Self.index))
        #expect(!FileManager.default.fileExists(atPath: directory.path("copy.trove")))

        let differences = try store.check()
        #expect(differences.contains { $0.index == Self.index })
        #expect(try store.check(Chronicle.self) == differences)
        let checks = try store.read { context in
            try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).indexes }
        }
        #expect(checks.contains { $0.index == Self.index && $0.extent == .whole && !$0.differences.isEmpty })

        // A salvage reads the records alone.
        let salvaged = directory.path("salvaged.trove")
        let report = try Store.salvage(from: path, to: salvaged)
        #expect(report.copied == 300)
        try expectSound(Self.open(salvaged))

        try store.rebuild(Chronicle.self, index: Self.index)
        try expectSound(store)
        #expect(try Store.verify(path: path).findings.isEmpty)
        try store.copy(to: directory.path("copy.trove"))
    }

    @Test(arguments: Part.allCases) func aCutRow_isFound_andRebuilt(_ part: Part) throws {
        for count in [0, 3, 4, 5] {
            try damage(part, in: store) { $0 = Array($0.prefix(count)) }
            #expect(try !store.check().isEmpty, "\(count)")
            try store.rebuild()
            try expectSound(store)
        }
    }

    @Test func damagedStatistics_areFound_andRebuilt() throws {
        let table = try table(.tails, in: store)
        var row = try #require(try store.entries(in: table).first)
        #expect(row.key == [0, 0, 0, 0, 0])
        row.value[5] ^= 1
        try store.put(row, into: table)
        #expect(try !store.check().isEmpty)
        try store.rebuild()
        try expectSound(store)
    }

    /// The numbers are shared: a rebuild of one index must not give a number twice.
    @Test func wrongNumbers_withValidChecksums_areRebuilt() throws {
        let numbers = try table(.numbers, in: store)
        let table = RowTable(
            numbers, RecordNumberParts.name(Chronicle.keyPrefix), type: "", index: "", verifiesChecksums: true)
        try store.write { context in
            var row: [UInt8] = []
            StoredRow.begin(&row)
            RowNumber.append(99, to: &row)
            try table.put(KeyWriter.bytes(of: 7), &row, context.keyspace)
            context.noteChange()
        }
        #expect(try Store.verify(path: store.path).findings.isEmpty)
        #expect(try !store.check().isEmpty)
        try store.rebuild(Chronicle.self, index: "fullText(body)")
        try expectSound(store)
    }

    /// A row that is missing or too much is no damage of its bytes.
    @Test func missingAndStrayRows_areFound_andRebuilt() throws {
        for part in Part.allCases {
            let (table, key) = (try table(part, in: store), try key(part, of: 7, in: store))
            try store.write { context in
                try context.keyspace.delete(table, key)
                context.noteChange()
            }
            #expect(try !store.check().isEmpty, "\(part)")
            try store.rebuild()
            try expectSound(store)
            let row = try #require(try store.entries(in: table).last)
            try store.put(RawEntry(key: [0xF0, 1, 2, 3, 4], value: row.value), into: table)
            #expect(try !store.check().isEmpty, "\(part)")
            try store.rebuild()
            try expectSound(store)
        }
    }

    // MARK: Deleting

    @Test(arguments: Part.allCases) func aRecord_isDeletedIgnoringDamage(_ part: Part) throws {
        try store.close()
        let store = try Self.open(directory.path("chronicles.trove"), verifiesChecksums: true)
        try damage(part, in: store)
        if part.isReadByRemovals {
            let before = try store.rawRecords(Chronicle.keyPrefix)
            guard case .record(.indexDamaged)? = storeError({ try store.delete(Chronicle.self, key: 7) }) else {
                Issue.record("\(part): the damage was not noticed")
                return
            }
            #expect(try store.rawRecords(Chronicle.keyPrefix) == before)
        }
        #expect(try store.delete(Chronicle.self, key: 7, ignoringDamage: true))
        #expect(try store.get(Chronicle.self, key: 7) == nil)
        #expect(try store.delete(Chronicle.self, key: 7, ignoringDamage: true) == false)
        #expect(try store.unreadyIndexes(Chronicle.keyPrefix).contains(Self.index) == part.isReadByRemovals)
        // Until the rebuild, writes maintain the index.
        if part.isReadByRemovals {
            try store.insert(Chronicle(id: 400, title: "all new", body: "", year: 1))
            try store.delete(Chronicle.self, key: 400)
        }
        try store.finishMigrations()
        #expect(try store.unreadyIndexes(Chronicle.keyPrefix) == [])
        if !part.isReadByRemovals { try store.rebuild() }
        try expectSound(store, without: [7])
    }

    @Test func inATransaction_theRestIsKept() throws {
        try damage(.documents, in: store) { $0 = [1, 2] }
        try store.write { context in
            try context.insert(Chronicle(id: 300, title: "all more", body: "all r8", year: 1))
            #expect(try context.delete(Chronicle.self, key: 7, ignoringDamage: true))
            #expect(try context.delete(Chronicle.self, key: 8, ignoringDamage: true))
            try context.insert(Chronicle.init(id: 8, title: "all of 8", body: "all r8 r0 of", year: 8))
            try context.delete(Chronicle.self, key: 300)
        }
        try store.finishMigrations()
        try expectSound(store, without: [7])
    }

    @Test func anAbortedDelete_leavesTheIndexReady() throws {
        struct Undone: Error {}
        try damage(.documents, in: store) { $0 = [1, 2] }
        try store.write { context in
            try? context.nested { nested in
                #expect(try nested.delete(Chronicle.self, key: 7, ignoringDamage: true))
                throw Undone()
            }
            let count = try Chronicle.matching("all").count(in: context)
            #expect(count == 300)
        }
        #expect(try store.unreadyIndexes(Chronicle.keyPrefix) == [])
        #expect(try !store.check().isEmpty)
    }

    /// The record is damaged too, and so is one of the tables.
    @Test func aDamagedRecord_withADamagedDocument_isDeleted() throws {
        let type = try store.storedType(Chronicle.keyPrefix)
        let key = KeyWriter.bytes(of: 7)
        try store.put(RawEntry(key: key, value: [1, 2, 3]), into: type.records)
        try damage(.documents, in: store) { $0 = [] }
        #expect(try store.check().contains { $0.kind == .damagedRecord })
        #expect(try store.delete(Chronicle.self, key: 7, ignoringDamage: true))
        try store.finishMigrations()
        try expectSound(store, without: [7])
    }

    @Test func anEntity_isDeletedIgnoringDamage() throws {
        let store = try Store.temporary(records: [Chronicler.self])
        for id in 0..<5 { try Chronicler(id: id, name: "name \(id)", works: .ids([id])).save(to: store) }
        let tables = try store.read { $0.catalogSnapshot.indexParts(Chronicler.keyPrefix) }
        let documents = try #require(tables.first { $0.key.part == TextPart.documents.rawValue }).value
        for row in try store.entries(in: documents) {
            try store.put(RawEntry(key: row.key, value: [9]), into: documents)
        }
        #expect(storeError { try store.delete(Chronicler.self, key: 2) } != nil)
        #expect(try store.delete(Chronicler.self, key: 2, ignoringDamage: true))
        try store.finishMigrations()
        #expect(try store.check() == [])
        #expect(try Chronicler.matching("name").keys(in: store) == [0, 1, 3, 4])
    }

    /// Otherwise a program that catches the error would commit the record without its words.
    @Test func aFailedSave_cannotBeCommitted() throws {
        try damage(.documents, in: store) { $0 = [1, 2] }
        var changed = Self.records[7]
        changed.title = "other"
        changed.year = 99
        #expect(throws: StoreError.self) {
            try store.write { context in
                guard case .record(.indexDamaged)? = storeError({ try context.insert(changed) }) else {
                    Issue.record("the damage was not noticed")
                    return
                }
            }
        }
        #expect(try store.get(Chronicle.self, key: 7) == Self.records[7])
        #expect(try Chronicle.filter(\.year == 99).count(in: store) == 0)
        // In a nested transaction, the rest is kept.
        try store.write { context in
            #expect(throws: StoreError.self) { _ = try context.nested { try $0.insert(changed) } }
            try context.insert(Chronicle(id: 300, title: "new", body: "", year: 1))
        }
        #expect(try store.get(Chronicle.self, key: 300) != nil)
        #expect(try store.get(Chronicle.self, key: 7) == Self.records[7])
    }

    // MARK: Records whose entries are unknown

    @Test func theDocumentOfADamagedRecord_isNotOrphaned() throws {
        let type = try store.storedType(Chronicle.keyPrefix)
        try store.put(RawEntry(key: KeyWriter.bytes(of: 7), value: [1, 2, 3]), into: type.records)
        #expect(try store.check().map(\.kind) == [.damagedRecord])
        try store.read { context in
            let checks = try context.checkStoredIndexes(of: try #require(try context.storedTypes().first))
            #expect(checks.differences.map(\.kind) == [.damagedRecord])
        }
    }

    // MARK: Any damage

    /// Random rows of random tables are changed, with valid checksums and without. Every use returns or throws a typed
    /// error, and a rebuild makes the index sound.
    @Test func anyDamage_isAnError_andIsRebuilt() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for round in 0..<10 {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            for _ in 0..<Int.random(in: 1...4, using: &random) { try damageAnything(&random) }
            for statement in Self.statements {
                do {
                    try store.write { context in
                        try statement(context, Int.random(in: 0..<320, using: &random))
                        if Bool.random(using: &random) { throw CancellationError() }
                    }
                } catch is StoreError {
                } catch is CancellationError {}
            }
            do { _ = try store.check() } catch is StoreError {}
            try store.rebuild()
            #expect(try store.unreadyIndexes(Chronicle.keyPrefix) == [], note)
            #expect(try store.check() == [], note)
            let all = try Chronicle.query().resolve(in: store).filter { $0.title.contains("all") || $0.body != "" }
            #expect(try Set(Chronicle.matching("all").keys(in: store)) == Set(all.map(\.id)), note)
        }
    }

    private func damageAnything(_ random: inout SeededGenerator) throws {
        let part = try #require(Part.allCases.randomElement(using: &random))
        let table = try table(part, in: store)
        guard var row = try store.entries(in: table).randomElement(using: &random), !row.value.isEmpty else { return }
        if Int.random(in: 0..<4, using: &random) == 0 {
            row.value.removeLast(Int.random(in: 0..<row.value.count, using: &random))
        } else {
            row.value[Int.random(in: 0..<row.value.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        try store.put(row, into: table)
    }

    private static let statements: [@Sendable (TransactionContext, Int) throws -> Void] = [
        { context, _ in _ = try Chronicle.matching("all of").limit(10).hits(in: context) },
        { context, id in _ = try Chronicle.matching("\"all r\(id)\"").resolve(in: context) },
        { context, id in _ = try Chronicle.matching("r1* OR r\(id) -r2").count(in: context) },
        { context, id in
            try context.insert(Chronicle(id: id, title: "all of \(id % 7) new\(id)", body: "all", year: 1))
        },
        { context, id in try context.delete(Chronicle.self, key: id) },
        { context, id in try context.delete(Chronicle.self, key: id, ignoringDamage: true) },
        { context, id in try Chronicle.filter(.matches("r\(id)")).update(in: context) { $0.body = "all again" } },
        { context, _ in try Chronicle.matching("r2 r21").delete(in: context) },
    ]
}
