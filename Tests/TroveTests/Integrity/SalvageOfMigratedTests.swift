// Salvage of a type with two record tables, because its keys have changed. Salvage must identify the type's own table.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Salvaging a type whose keys have changed") struct SalvageOfMigratedTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var destination: String { directory.path("salvaged.trove") }

    /// Damages a copy of a store's file, salvages it, and expects a sound store.
    private func salvage(
        _ file: MigratedFile, strayPages: Bool = false, _ damage: (inout RawFile) throws -> Void
    ) throws -> SalvageReport {
        for name in [destination, destination + "-lock"] { try? FileManager.default.removeItem(atPath: name) }
        let path = directory.path("damaged.trove")
        var raw = try RawFile(file.path)
        try damage(&raw)
        try raw.write(to: path)
        let report = try Store.salvage(from: path, to: destination, strayPages: strayPages)
        let verification = try Store.verify(path: destination)
        let kinds = Set(verification.findings.map(\.kind))
        #expect(kinds.isSubset(of: report.tables.contains { $0.type == nil } ? [.unknownTable] : []))
        #expect(verification.records == Int(report.copied))
        return report
    }

    // MARK: After the migration

    /// Returns a store whose keys have changed once, or changed and changed back, with some later commits.
    private func migrated(twice: Bool, commits: Int) throws -> (file: MigratedFile, names: [String]) {
        let count = 3000
        let file = try MigratedFile(of: (0..<count).map { Turned.Old(id: $0, name: "name \($0)", note: "") })
        try file.migrate(Turned.New.self)
        if twice { try file.migrate(Turned.Back.self) }
        var names = (0..<count).map { "name \($0)" }
        for number in 0..<commits {
            let id = count + number
            names.append("later \(number)")
            if twice {
                try file.write([Turned.Back(id: id, name: names[id], note: nil)])
            } else {
                try file.write([Turned.New(name: names[id], id: id, note: "")])
            }
        }
        return (file, names)
    }

    /// Opens the salvaged store with its current type, and expects all records in it.
    ///
    /// - Parameter isLost: Whether the type must be written first.
    private func expectAll(_ names: [String], twice: Bool, isLost: Bool, _ comment: Comment) throws {
        let names = names + ["last"]
        let id = names.count - 1
        if twice {
            let store = try Store(path: destination, records: [Turned.Back.self])
            #expect(try Turned.Back.query().count(in: store) == (isLost ? 0 : id), comment)
            try store.insert(Turned.Back(id: id, name: "last", note: nil))
            #expect(try Turned.Back.query().resolve(in: store).map(\.name) == names, comment)
        } else {
            let store = try Store(path: destination, records: [Turned.New.self])
            #expect(try Turned.New.query().count(in: store) == (isLost ? 0 : id), comment)
            try store.insert(Turned.New(name: "last", id: id, note: ""))
            let found = try Turned.New.query().resolve(in: store)
            let byName = names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
            #expect(found.map(\.id) == byName && found.map(\.name) == byName.map { names[$0] }, comment)
        }
        #expect(try Store.verify(path: destination).findings.isEmpty, comment)
    }

    @Test(arguments: [false, true], [0, 1, 2])
    func aFlippedBitInItsEntry_losesNoRecord(twice: Bool, commits: Int) throws {
        let (file, names) = try migrated(twice: twice, commits: commits)
        for strayPages in [false, true] {
            let report = try salvage(file, strayPages: strayPages) { raw in
                let place = try #require(raw.catalogEntry(3, Turned.Old.keyPrefix))
                raw.bytes[place + 6] ^= 1
            }
            #expect(report.copied == UInt64(names.count))
            // The migration has replaced this catalog entry.
            if commits == 0 {
                #expect(!report.isComplete)
                #expect(report.losses.contains { $0.contains("an earlier commit") && $0.contains("Turned.") })
            }
            try expectAll(names, twice: twice, isLost: false, "stray pages: \(strayPages)")
        }
    }

    @Test(arguments: [false, true], [0, 1, 2])
    func aLostCatalog_losesNoRecord(twice: Bool, commits: Int) throws {
        let (file, names) = try migrated(twice: twice, commits: commits)
        for strayPages in [false, true] {
            let report = try salvage(file, strayPages: strayPages) { raw in
                let leaves = raw.leaves(below: try #require(raw.root(ofTable: "trove")))
                for offset in raw[leaves[0]] { raw.bytes[offset] = 0 }
            }
            #expect(report.copied == UInt64(names.count))
            // Without later commits, only this catalog has the last layout: nothing else describes the keys. A
            // migration on a slow machine has several commits, and then an earlier catalog can have it, too.
            let isLost = report.tables.contains { $0.type == nil && $0.copied == UInt64(names.count) }
            if commits == 0 { #expect(!report.isComplete) } else { #expect(!isLost) }
            try expectAll(names, twice: twice, isLost: isLost, "stray pages: \(strayPages)")
        }
    }

    @Test func aTypeThatIsLostEverywhere_keepsItsRecords() throws {
        let (file, names) = try migrated(twice: false, commits: 1)
        let key = [3] + Turned.Old.keyPrefix.bigEndianBytes
        let report = try salvage(file) { raw in
            for start in 0..<raw.bytes.count - key.count where raw.bytes[start..<start + key.count].elementsEqual(key) {
                raw.bytes[start] = 77
            }
        }
        #expect(!report.isComplete)
        #expect(report.tables.filter { $0.copied > 0 }.map(\.type) == [nil])
        try expectAll(names, twice: false, isLost: true, "one table")
    }

    // MARK: During the migration

    private static let count = 20_000

    /// Returns a store in the middle of a migration to other keys: most records are in both tables.
    private func halfMigrated() async throws -> MigratedFile {
        let file = try MigratedFile(of: Bulky.old(Self.count))
        try await file.migrate(Bulky.NewKey.self, cancellingAfter: 1)
        let migration = try #require(try file.type(Bulky.Old.keyPrefix).migration)
        #expect((1..<Self.count).contains(migration.done) && migration.changesKeys)
        return file
    }

    private func expectRecords(without lost: Set<Int>) throws {
        let store = try Store(path: destination, records: [Bulky.NewKey.self])
        let expected = Bulky.old(Self.count).filter { !lost.contains($0.id) }
            .map { Bulky.NewKey(size: $0.size, id: Int16($0.id), body: $0.body) }
            .sorted { ($0.size, $0.id) < ($1.size, $1.id) }
        #expect(try Bulky.NewKey.query().resolve(in: store) == expected)
        #expect(try store.storedType(Bulky.Old.keyPrefix).isMigrated)
        #expect(try Store.verify(path: destination).findings.isEmpty)
    }

    /// Zeroes a leaf, and adds the ids of its records to `ids`.
    private func zero(_ leaf: Int, of raw: inout RawFile, _ ids: inout Set<Int>) {
        for index in 0..<raw.nodeCount(leaf) {
            let key = raw.key(leaf, index)
            ids.insert(raw.bytes[key + 6..<key + 8].reduce(0) { $0 << 8 | Int($1) })
        }
        for offset in raw[leaf] { raw.bytes[offset] = 0 }
    }

    @Test func anUnfinishedTable_isLeftOut_whereTheOtherIsComplete() async throws {
        let file = try await halfMigrated()
        for isDamaged in [false, true] {
            let report = try salvage(file) { raw in
                // Damage to the unfinished table loses no record.
                guard isDamaged else { return }
                let root = try #require(raw.root(ofTable: TableNames.second))
                for offset in raw[raw.leaves(below: root)[5]] { raw.bytes[offset] = 0 }
            }
            #expect(report.isComplete && report.tables.map(\.name) == [TableNames.first])
            try expectRecords(without: [])
        }
    }

    /// The new table has the lost records of the old table, up to the position of the migration.
    @Test func anUnfinishedTable_isKept_whereTheOtherIsDamaged() async throws {
        let file = try await halfMigrated()
        // The size of a batch depends on time.
        let done = try Int(#require(try file.type(Bulky.Old.keyPrefix).migration).done)
        var (copied, lost): (Set<Int>, Set<Int>) = ([], [])
        let report = try salvage(file) { raw in
            let leaves = raw.leaves(below: try #require(raw.root(ofTable: TableNames.first)))
            zero(leaves[0], of: &raw, &copied)
            zero(leaves[leaves.count * done / Self.count / 2], of: &raw, &copied)
            zero(leaves[leaves.count - 1], of: &raw, &lost)
        }
        #expect(copied.count > 1 && lost.contains(Self.count - 1))
        #expect(!report.isComplete)
        #expect(report.losses.count == 1 && report.losses[0].contains(TableNames.second))
        #expect(report.tables.map(\.name) == [TableNames.first, TableNames.second])
        #expect(report.tables[0].copied == UInt64(Self.count - copied.count - lost.count))
        #expect(report.tables[1].isComplete)
        try expectRecords(without: lost)
    }

    /// The older catalog entry of the type still names the type's own table, but salvage does not rely on it alone.
    @Test func anUnfinishedTable_isKept_whereTheEntryIsOld() async throws {
        let file = try await halfMigrated()
        let report = try salvage(file) { raw in
            raw.bytes[try #require(raw.catalogEntry(3, Bulky.Old.keyPrefix)) + 6] ^= 1
        }
        #expect(!report.isComplete && report.losses.contains { $0.contains(TableNames.second) })
        #expect(report.tables.map(\.name) == [TableNames.first, TableNames.second])
        try expectRecords(without: [])
    }

    // MARK: Verify

    @Test func aTableOfAGenerationThatNoMigrationMakes_isNamed() throws {
        let file = try MigratedFile(of: [Turned.Old(id: 1, name: "", note: "")])
        let strange = TableNames.of(Turned.Old.keyPrefix, 7)
        do {
            let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
            let table = try environment.createDatabase(strange)
            try environment.write { try $0.put([1], for: [1], in: table) }
        }
        let findings = try Store.verify(path: file.path).findings
        #expect(findings.contains { $0.kind == .unknownTable && $0.table == strange })
        #expect(try !Store.salvage(from: file.path, to: destination).isComplete)
    }
}

private enum TableNames {
    static let first = of(Bulky.Old.keyPrefix, 0)
    static let second = of(Bulky.Old.keyPrefix, 1)

    static func of(_ prefix: UInt32, _ generation: Int) -> String {
        let text = String(prefix, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - text.count) + text + ".0.\(generation)"
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }
}

extension RawFile {
    /// Returns the root page of a table; nil if the table is missing. The tree of tables must be a single leaf.
    fileprivate func root(ofTable name: String) -> Int? {
        let main = root(mainRecord)
        let index = (0..<nodeCount(main)).first { index in
            bytes[key(main, index)..<value(main, index)].elementsEqual(name.utf8)
        }
        return index.map { root(value(main, $0)) }
    }

    /// Returns the offset of the value of a type's catalog entry of a kind; nil if there is none.
    fileprivate func catalogEntry(_ kind: UInt8, _ prefix: UInt32) -> Int? {
        guard let root = root(ofTable: "trove") else { return nil }
        for leaf in leaves(below: root) {
            for index in 0..<nodeCount(leaf)
            where bytes[key(leaf, index)..<value(leaf, index)].elementsEqual([kind] + prefix.bigEndianBytes) {
                return value(leaf, index)
            }
        }
        return nil
    }
}

/// A type whose key changes and changes back.
enum Turned {
    @IndexKeyRecord(keyPrefix: 6_200_011, "id")
    struct Old: Hashable {
        let id: Int
        var name: String
        var note: String
    }

    @IndexKeyRecord(keyPrefix: 6_200_011, "name", "id")
    struct New: Hashable {
        let name: String
        let id: Int
        var note: String
    }

    @IndexKeyRecord(keyPrefix: 6_200_011, "id")
    struct Back: Hashable {
        let id: Int
        var name: String
        var note: String?
    }
}
