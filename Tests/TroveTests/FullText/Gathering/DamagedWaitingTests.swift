// Damaged rows of records that wait for their text: each is found, gives a typed error, and goes with a rebuild.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

struct DamagedWaitingTests {
    /// What is wrong with the rows.
    enum Damage: CaseIterable, Sendable {
        case bit, shortened, lengthened, cut, orphaned, indexed, foreignKey
    }

    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Self.open(directory.path("photos"))
        try store.insert(contentsOf: (0..<30).map { Still(id: $0, file: "f\($0 % 3)") })
    }

    private static func open(_ path: String, verifiesChecksums: Bool = false) throws -> Store {
        try Store(
            path: path, records: [Still.self],
            options: StoreOptions(durability: .noSync, verifiesChecksums: verifiesChecksums, gathersTexts: false))
    }

    private func name(of part: TextPart) throws -> TableName {
        let number = try store.storedIndex(Still.keyPrefix, "fullText(Signs)").number
        return TableName(keyPrefix: Still.keyPrefix, table: TableNumber(rawValue: number)).part(part.rawValue)
    }

    private func table(_ part: TextPart) throws -> Database {
        try #require(try store.read { $0.catalogSnapshot.indexParts(Still.keyPrefix) }[name(of: part)])
    }

    /// Returns a row with its checksum.
    private func row(_ key: [UInt8], _ content: [UInt8]) throws -> RawEntry {
        var row: [UInt8] = []
        StoredRow.begin(&row)
        row += content
        StoredRow.seal(&row, key: key, seed: try name(of: .waiting).checksumSeed)
        return RawEntry(key: key, value: row)
    }

    private func damage(_ damage: Damage) async throws {
        let key = KeyWriter.bytes(of: 7)
        let waiting = try table(.waiting)
        var stored = try #require(try store.entries(in: waiting).first { $0.key == key })
        switch damage {
        case .bit: stored.value[6] ^= 1
        case .shortened: stored = try row(key, [1, 2, 3])
        case .lengthened: stored = try row(key, [UInt8](repeating: 1, count: 9))
        case .cut: stored.value = [1]
        case .orphaned: stored = try row(KeyWriter.bytes(of: 500), [1, 0, 0, 0, 0, 0, 0, 0])
        case .indexed:
            try await store.gatherTexts(of: Still.self)
            stored = try row(key, [1, 0, 0, 0, 0, 0, 0, 0])
        case .foreignKey: stored = try row([1, 2], [1, 0, 0, 0, 0, 0, 0, 0])
        }
        let changed = stored
        try await store.write { context in
            try context.keyspace.put(waiting, changed.key, changed.value, mode: .replace)
            context.noteChange()
        }
    }

    @Test(arguments: Damage.allCases) func damage_isFound_andGoesWithARebuild(_ damage: Damage) async throws {
        #expect(try await store.check() == [])
        try await self.damage(damage)
        let differences = try await store.check()
        #expect(differences.count >= 1 && differences.allSatisfy { $0.index == "fullText(Signs)" })
        let stored = try await store.read { context in
            let type = try #require(context.storedTypes().first { $0.keyPrefix == Still.keyPrefix })
            return try context.checkStoredIndexes(of: type).indexes.flatMap(\.differences)
        }
        // Without the Swift type, names have their module.
        #expect(
            stored.map(\.kind) == differences.map(\.kind) && stored.map(\.key.bytes) == differences.map(\.key.bytes))
        let isOfRow = damage == .bit || damage == .cut
        #expect(try await Store.verify(path: store.path).findings.isEmpty == !isOfRow)
        let copy = try? await store.copy(to: directory.path("copy"))
        #expect((copy == nil) == isOfRow)
        // Reads and statements succeed, or give typed errors.
        for work in Self.work {
            do {
                try await work(store)
            } catch is StoreError {}
        }
        try await store.rebuild()
        #expect(try await store.check() == [])
        try await store.gatherTexts(of: Still.self)
        #expect(try await Still.matching("seen").count(in: store) == Still.query().count(in: store))
        #expect(try await store.check(gathering: true) == [])
        try await store.close()
    }

    private static let work: [@Sendable (Store) async throws -> Void] = [
        { _ = try await $0.gatherTexts(of: Still.self) },
        { try await $0.insert(Still(id: 7, file: "new"), onConflict: .replace) },
        { try await $0.delete(Still.self, key: 7) },
        { _ = try await $0.write { try $0.delete(Still.self, key: 7, ignoringDamage: true) } },
        { _ = try await Still.matching("seen").explain(in: $0) },
        { _ = try await $0.write { try Still.query().regather(in: $0) } },
        { _ = try await $0.check(gathering: true) },
    ]

    @Test func damagedRow_givesATypedError_andASaveReplacesIt() async throws {
        try await damage(.bit)
        try await store.close()
        let store = try Self.open(directory.path("photos"), verifiesChecksums: true)
        await #expect(throws: StoreError.self) { try await store.gatherTexts(of: Still.self) }
        do {
            try await store.gatherTexts(of: Still.self)
        } catch StoreError.record(.indexDamaged(let type, let index, let key)) {
            #expect(type == "Still" && index == "fullText(Signs)" && key.bytes == KeyWriter.bytes(of: 7))
        }
        try await store.insert(Still(id: 7, file: "f1"), onConflict: .replace)
        #expect(try await store.check() == [])
        #expect(try await store.gatherTexts(of: Still.self) == 30)
        try await store.close()
    }

    @Test func rowOfNoRecord_goesWhenItIsGathered() async throws {
        try await damage(.orphaned)
        #expect(try await store.check().map(\.kind) == [.orphaned])
        #expect(try await store.gatherTexts(of: Still.self) == 31)
        #expect(try await store.check() == [])
    }

    @Test func keyOfAnotherType_isDamage() async throws {
        try await damage(.foreignKey)
        await #expect(
            throws: StoreError.record(
                .indexDamaged(type: "Still", index: "fullText(Signs)", key: StoredKey([1, 2], of: "Still")))
        ) { try await store.gatherTexts(of: Still.self) }
    }

    // MARK: The row

    @Test func rows_areReadAsWritten() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<1_000 {
            let note = UInt64.random(in: 0 ... .max, using: &generator) >> UInt64.random(in: 0..<64, using: &generator)
            var content: [UInt8] = []
            WaitingRow.append(note, to: &content)
            #expect(content.count == WaitingRow.size, "seed \(seed)")
            let read = try ByteView.with(content) { view throws(CodingError) in try WaitingRow.read(view) }
            #expect(read == note, "seed \(seed)")
            let size = Int.random(in: 0..<20, using: &generator)
            if size == WaitingRow.size { continue }
            let other = (0..<size).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
            #expect(throws: CodingError.self, "seed \(seed)") {
                try ByteView.with(other) { view throws(CodingError) in try WaitingRow.read(view) }
            }
        }
        var row: [UInt8] = []
        WaitingRow.append(258, to: &row)
        #expect(row == [2, 1, 0, 0, 0, 0, 0, 0])
    }
}
