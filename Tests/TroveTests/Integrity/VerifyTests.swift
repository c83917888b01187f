// Verification of stores: sound stores pass, and every changed record is found.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Verifying a store") struct VerifyTests {
    private let file: StoreFile

    init() throws { file = try StoreFile() }

    private func kinds(_ damage: (inout RawFile) throws -> Void) throws -> Set<FileFinding.Kind> {
        Set(try Store.verify(path: file.damaged(damage)).findings.map(\.kind))
    }

    /// Changes the file as another LMDB program would.
    private func change(_ body: (borrowing WriteTransaction) throws -> Void) throws {
        let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
        for name in try environment.databaseNames() { _ = try environment.openDatabase(name) }
        try environment.write { try body($0) }
    }

    private func tableName(_ prefix: UInt32) throws -> String {
        let text = String(prefix, radix: 16, uppercase: true)
        let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
        return try #require(try environment.databaseNames().first { $0.contains(text) })
    }

    @Test func aStore_isSound_andCounted() throws {
        var progress: [(Int, Int)] = []
        let report = try Store.verify(path: file.path) { progress.append(($0, $1)) }
        #expect(report.isSound && report.isStore)
        #expect(report.findings.isEmpty)
        #expect(report.identifier == file.identifier)
        #expect(report.commitSequence == file.commitSequence)
        let records = Dictionary(uniqueKeysWithValues: report.types.map { ($0.name ?? "", $0.records) })
        #expect(
            records == ["TroveTests.Tick": file.ticks.count, "TroveTests.Entry": 300, "TroveTests.Page": 9])
        #expect(report.records == file.ticks.count + 309)
        #expect(report.types.allSatisfy { $0.bytes > $0.records * 16 && $0.damaged == 0 })
        let last = try #require(progress.last)
        #expect(last == (Int(report.file.usedPages), Int(report.file.usedPages)))
        #expect(progress.allSatisfy { $0.0 <= $0.1 })
    }

    @Test func aStoreInUse_isVerified() throws {
        let store = try Store(path: file.path, options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(Tick(number: 1, note: "not committed yet"))
            #expect(try Store.verify(path: file.path).records == file.ticks.count + 309)
        }
        #expect(try Store.verify(path: file.path).records == file.ticks.count + 310)
    }

    @Test func aStoreInADirectory_isFound() throws {
        let path = file.directory.path("inside")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        do { try Store(path: path + "/data.mdb").insert(Tick(number: 1, note: "")) }
        #expect(try Store.verify(path: path).records == 1)
    }

    @Test func aStoreWithoutRecords_isSound() throws {
        let path = file.directory.path("empty.trove")
        do { _ = try Store(path: path) }
        #expect(try Store.verify(path: path).isSound)
        let store = try Store(path: path)
        try store.insert(Tick(number: 1, note: ""))
        try store.delete(Tick.self, key: 1)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.isStore && report.records == 0)
    }

    // MARK: Records

    @Test func everyRecordThatReadsDifferently_isNamed() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let leaves = file.sound.leaves(below: try file.root(of: Tick.keyPrefix))
        for _ in 0..<100 {
            let leaf = leaves.randomElement(using: &generator) ?? leaves[0]
            let index = Int.random(in: 0..<file.sound.nodeCount(leaf), using: &generator)
            let (key, value) = (file.sound.key(leaf, index), file.sound.value(leaf, index))
            let size = file.sound.number(4, at: file.sound.node(leaf, index))
            let offset = Int.random(in: value..<value + size, using: &generator)
            let bit = UInt8.random(in: 0..<8, using: &generator)
            let report = try Store.verify(path: file.damaged { $0.bytes[offset] ^= 1 << bit })
            #expect(report.findings.map(\.kind) == [.checksum], "TROVE_TEST_SEED=\(seed)")
            #expect(report.findings.first?.page == UInt64(leaf))
            #expect(report.findings.first?.index == index)
            #expect(report.findings.first?.key == Array(file.sound.bytes[key..<value]))
            #expect(report.types.map(\.damaged).sorted() == [0, 0, 1])
        }
    }

    @Test func aLargeRecord_isVerified_toItsLastByte() throws {
        let leaf = file.sound.leaves(below: try file.root(of: Page.keyPrefix))[0]
        let first = file.sound.number(8, at: file.sound.value(leaf, 2))
        let size = file.sound.number(4, at: file.sound.node(leaf, 2))
        for offset in [0, 4, 8, size / 2, size - 1] {
            #expect(try kinds { $0.bytes[first * $0.pageSize + $0.headerSize + offset] ^= 0x10 } == [.checksum])
        }
        // Bytes after the value do not matter.
        #expect(try kinds { $0.bytes[first * $0.pageSize + $0.headerSize + size] ^= 0x10 } == [])
    }

    // MARK: The catalog

    @Test func theCatalogsEntries_areVerified() throws {
        let leaf = file.catalogLeaves[0]
        for index in 0..<file.sound.nodeCount(leaf) {
            for offset in [0, 4] {
                let report = try Store.verify(
                    path: file.damaged { $0.bytes[$0.value(leaf, index) + offset] ^= 1 })
                #expect(report.findings.first?.kind == .catalogEntry)
                #expect(report.findings.first?.index == index)
                #expect(!report.isSound && report.isStore)
            }
        }
    }

    @Test func tablesAndTypes_mustBelongTogether() throws {
        let name = try tableName(Tick.keyPrefix)
        try change { transaction in
            let catalog = try #require(try transaction.database("trove"))
            for kind in [3, 4] as [UInt8] {
                let prefix = [kind] + (0..<4).map { UInt8(truncatingIfNeeded: Tick.keyPrefix >> (24 - 8 * $0)) }
                try transaction.delete(
                    ScanRange(from: prefix, upTo: prefix + [255, 255, 255, 255, 255]), from: catalog)
            }
        }
        let unknown = try Store.verify(path: file.path).findings
        #expect(unknown.map(\.kind) == [.unknownTable])
        #expect(unknown.first?.table == name)
        do {
            let environment = try Environment(path: file.path, options: EnvironmentOptions(durability: .noSync))
            #expect(try environment.dropDatabase(name))
            #expect(try environment.dropDatabase(tableName(Page.keyPrefix)))
        }
        #expect(try Store.verify(path: file.path).findings.map(\.kind) == [.missingTable])
    }

    @Test func anEntryOfAnotherKind_isDamage() throws {
        try change { transaction in
            let catalog = try #require(try transaction.database("trove"))
            try transaction.put([1, 2, 3], for: [9, 9], in: catalog)
        }
        #expect(try Store.verify(path: file.path).findings.map(\.kind) == [.catalogEntry])
    }

    /// In an otherwise sound file, such a count would stop a writing program.
    @Test(arguments: [1, 2] as [UInt8]) func aCountWithoutRoomForTheNext_isDamage_andAnError(kind: UInt8) throws {
        let content = [UInt8](repeating: 255, count: 8)
        var checksum = CRC32C()
        unsafe checksum.update((Array("trove".utf8) + [kind] + content).span.bytes)
        let value = (0..<4).map { UInt8(truncatingIfNeeded: checksum.value >> (8 * $0)) } + content
        try change { try $0.put(value, for: [kind], in: #require(try $0.database("trove"))) }
        let report = try Store.verify(path: file.path)
        #expect(report.findings.first?.key == [kind])
        #expect(Set(report.findings.map(\.kind)) == [.catalogEntry])
        #expect(!report.isSound)
        let error = storeError { try Store(path: file.path).insert(Tick(number: -1, note: "")) }
        guard case .record(.corrupted(type: "catalog", StoredKey([kind], of: "catalog"), _)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Store.verify(path: file.path).records == report.records)
    }

    @Test func aForeignTable_isDamage_inAStore() throws {
        let main = file.sound.root(file.sound.mainRecord)
        for index in 0..<file.sound.nodeCount(main) {
            let report = try Store.verify(path: file.damaged { $0.set(4, 2, at: $0.value(main, index) + 4) })
            #expect(report.findings.contains { $0.kind == .foreign && $0.isDamage })
            #expect(!report.isSound && report.isStore)
        }
    }

    // MARK: Files that are not stores

    @Test func anotherProgramsFile_isNoStore_andLookedThrough() throws {
        let path = file.directory.path("foreign.mdb")
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            let table = try environment.createDatabase("theirs")
            try environment.write { try $0.put([1], for: [1], in: table) }
        }
        let report = try Store.verify(path: path)
        #expect(report.isSound && !report.isStore)
        #expect(report.findings.map(\.kind) == [.notAStore])
        #expect(report.records == 1)
    }

    @Test func whatCannotBeVerified_isAnError() throws {
        guard case .file(.missing) = storeError({ try Store.verify(path: file.directory.path("none")) }) else {
            Issue.record("a missing file was verified")
            return
        }
        let text = file.directory.path("text")
        try Data("text".utf8).write(to: URL(fileURLWithPath: text))
        guard case .file(.notAStore) = storeError({ try Store.verify(path: text) }) else {
            Issue.record("a text was verified")
            return
        }
    }

    @Test func aStoreOfALaterFormat_isAnError() throws {
        try change { transaction in
            let catalog = try #require(try transaction.database("trove"))
            var entry = try #require(try transaction.get([0], from: catalog))
            entry[4] = 3
            let checksum = Self.crc32c(Array("trove".utf8) + [0] + entry.dropFirst(4))
            for index in 0..<4 { entry[index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
            try transaction.put(entry, for: [0], in: catalog)
        }
        #expect(
            storeError { try Store.verify(path: file.path) }
                == .file(.formatTooNew(path: file.path, format: 3, supported: 2)))
    }

    private static func crc32c(_ bytes: [UInt8]) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = register & 1 == 1
                register >>= 1
                if isOdd { register ^= 0x82F6_3B78 }
            }
        }
        return ~register
    }

    // MARK: Random damage

    /// A file reported sound holds everything written to it, and liblmdb agrees when it opens the file.
    @Test func randomDamage_isFound_unlessNothingReadsDifferently() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var sound = 0
        for round in 0..<300 {
            let path = try file.damaged { $0.damage(using: &generator) }
            guard let report = try? Store.verify(path: path), report.isSound else { continue }
            sound += 1
            let store = try Store(
                path: path, options: StoreOptions(durability: .noSync, isReadOnly: true, verifiesChecksums: true))
            let comment: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            #expect(try Tick.query().resolve(in: store) == file.ticks, comment)
            #expect(try Entry.query().resolve(in: store) == file.entries, comment)
            #expect(try Page.query().resolve(in: store) == file.pages, comment)
        }
        #expect(sound > 0 && sound < 200, "TROVE_TEST_SEED=\(seed)")
    }
}
