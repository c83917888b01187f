// Salvage: intact records are copied, damaged records are left out, and the report names the losses.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite("Salvaging a store") struct SalvageTests {
    private let file: StoreFile

    init() throws { file = try StoreFile() }

    private var destination: String { file.directory.path("salvaged.trove") }

    /// Salvages a damaged file, and expects a sound store.
    private func salvage(
        strayPages: Bool = false, _ damage: (inout RawFile) throws -> Void
    ) throws -> (report: SalvageReport, store: Store) {
        // Removes the data file and the lock file: an earlier result may still be open.
        for name in [destination, destination + "-lock"] { try? FileManager.default.removeItem(atPath: name) }
        let path = try file.damaged(damage)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let report = try Store.salvage(from: path, to: destination, strayPages: strayPages)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let verification = try Store.verify(path: destination)
        #expect(verification.isSound && verification.isStore)
        #expect(verification.findings.isEmpty)
        #expect(verification.records == Int(report.copied))
        let store = try Store(path: destination, options: StoreOptions(durability: .noSync, verifiesChecksums: true))
        return (report, store)
    }

    private func table<Record: IndexKeyRecord>(_ type: Record.Type, in report: SalvageReport) -> SalvageReport.Table? {
        report.tables.first { $0.type == "TroveTests.\(type)" }
    }

    private func expectEverything(in store: Store) throws {
        #expect(try Tick.query().resolve(in: store) == file.ticks)
        #expect(try Entry.query().resolve(in: store) == file.entries)
        #expect(try Page.query().resolve(in: store) == file.pages)
    }

    @Test func aSoundStore_isCopiedWhole() throws {
        for strayPages in [false, true] {
            let (report, store) = try salvage(strayPages: strayPages) { _ in }
            #expect(report.isComplete)
            try expectEverything(in: store)
            #expect(try store.identifier == file.identifier)
            #expect(report.identifier == file.identifier)
            #expect(try store.commitSequence == file.commitSequence + 1)
            try store.insert(Tick(number: 1, note: "new"))
            #expect(try Tick.query().count(in: store) == file.ticks.count + 1)
            #expect(try file.directory.names().filter { $0.contains(".creating-") }.isEmpty)
        }
    }

    @Test func everyRecordOfAnIntactPage_isCopied() throws {
        let leaves = file.sound.leaves(below: try file.root(of: Tick.keyPrefix))
        for lost in [leaves[0], leaves[leaves.count / 2], leaves[leaves.count - 1]] {
            let keys = (0..<file.sound.nodeCount(lost)).map { index in
                let key = file.sound.key(lost, index)
                // Big-endian, with the sign flipped.
                return file.sound.bytes[key..<key + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } ^ 1 << 63
            }
            for strayPages in [false, true] {
                let (report, store) = try salvage(strayPages: strayPages) { raw in
                    for offset in raw[lost] { raw.bytes[offset] = 0 }
                }
                let left = file.ticks.filter { !keys.contains(UInt64($0.number)) }
                #expect(left.count == file.ticks.count - keys.count)
                #expect(try Tick.query().resolve(in: store) == left)
                #expect(try Entry.query().resolve(in: store) == file.entries)
                #expect(!report.isComplete)
                #expect(table(Tick.self, in: report)?.copied == UInt64(left.count))
                #expect(table(Tick.self, in: report)?.recorded == UInt64(file.ticks.count))
                #expect(table(Entry.self, in: report)?.isComplete == true)
            }
        }
    }

    @Test func aDamagedRecord_isLeftOut() throws {
        let leaf = file.sound.leaves(below: try file.root(of: Entry.keyPrefix))[0]
        let (report, store) = try salvage { $0.bytes[$0.value(leaf, 5) + 9] ^= 1 }
        #expect(try Entry.query().count(in: store) == file.entries.count - 1)
        #expect(table(Entry.self, in: report)?.damaged == 1)
        #expect(report.source.findings.map(\.kind) == [.checksum])
        #expect(!report.isComplete)
    }

    /// Stray pages below the lost branch are found; pages of deleted records are not copied.
    @Test func recordsBelowALostBranch_areStray() throws {
        let root = try file.root(of: Tick.keyPrefix)
        #expect(file.sound.kind(root) == 1)
        func damage(_ raw: inout RawFile) { for offset in raw[root] { raw.bytes[offset] = 0 } }
        let (report, store) = try salvage(damage)
        #expect(try Tick.query().count(in: store) == 0)
        #expect(table(Tick.self, in: report)?.recorded == UInt64(file.ticks.count))
        #expect(!report.isComplete)

        let stray = try salvage(strayPages: true, damage)
        try expectEverything(in: stray.store)
        #expect(table(Tick.self, in: stray.report)?.copiedFromStrayPages == UInt64(file.ticks.count))
        #expect(!stray.report.mayHoldDeletedRecords)
        #expect(stray.report.isComplete)
    }

    /// Flips a bit of a table's name. Checksums begin with the name, so that no record passes as a record of another
    /// table.
    @Test func aTableWhoseNameWasChanged_isLost_andNotTakenAlongEmpty() throws {
        let main = file.sound.root(file.sound.mainRecord)
        let root = try file.root(of: Tick.keyPrefix)
        let index = try #require(
            (0..<file.sound.nodeCount(main)).first { file.sound.root(file.sound.value(main, $0)) == root })
        // From “….0.0” to “….0.4”.
        let (report, store) = try salvage { $0.bytes[$0.value(main, index) - 1] ^= 4 }
        #expect(try Tick.query().count(in: store) == 0)
        #expect(try Entry.query().count(in: store) == file.entries.count)
        #expect(!report.isComplete)
    }

    @Test func withoutTheNewestMetaPage_theCommitBeforeIsCopied() throws {
        let (report, store) = try salvage { $0.set(0, 4, at: $0.newestMeta + 16) }
        #expect(try Tick.query().resolve(in: store) == file.ticks.filter { $0.number != 9999 })
        #expect(try Page.query().resolve(in: store) == file.pages)
        #expect(!report.isComplete)
        #expect(report.losses.count == 1)
    }

    @Test func withoutTheTreeOfTables_theCommitBeforeIsCopied() throws {
        let main = file.sound.root(file.sound.mainRecord)
        let (report, store) = try salvage { raw in for offset in raw[main] { raw.bytes[offset] = 0 } }
        #expect(try Tick.query().resolve(in: store) == file.ticks.filter { $0.number != 9999 })
        #expect(try Entry.query().resolve(in: store) == file.entries)
        #expect(report.tables.allSatisfy { $0.isOfCommitBefore && !$0.isComplete })
        // The leaf of the last commit is a stray page.
        let stray = try salvage(strayPages: true) { raw in for offset in raw[main] { raw.bytes[offset] = 0 } }
        try expectEverything(in: stray.store)
    }

    @Test func withoutBothMetaPages_recordsAreStray() throws {
        func damage(_ raw: inout RawFile) { for offset in 0..<2 * raw.pageSize { raw.bytes[offset] = 0 } }
        let (report, store) = try salvage(strayPages: true, damage)
        #expect(Set(try Tick.query().resolve(in: store)).isSuperset(of: file.ticks))
        #expect(Set(try Entry.query().resolve(in: store)).isSuperset(of: file.entries))
        #expect(Set(try Page.query().resolve(in: store)).isSuperset(of: file.pages))
        #expect(report.mayHoldDeletedRecords)
        #expect(report.tables.allSatisfy { $0.recorded == nil && $0.copied == $0.copiedFromStrayPages })
        #expect(try store.identifier == file.identifier)
        #expect(!report.isComplete)
    }

    @Test func aLostCatalog_isFoundAgain_onOlderPages() throws {
        let leaf = file.catalogLeaves[0]
        let (report, store) = try salvage { raw in for offset in raw[leaf] { raw.bytes[offset] = 0 } }
        try expectEverything(in: store)
        #expect(try store.identifier == file.identifier)
        #expect(!report.hasNewIdentifier)
        #expect(report.tables.allSatisfy { $0.type != nil })
    }

    @Test func aTypeThatIsLostEverywhere_keepsItsRecords() throws {
        let key = [3] + (0..<4).map { UInt8(truncatingIfNeeded: Tick.keyPrefix >> (24 - 8 * $0)) }
        let path = try file.damaged { raw in
            for start in 0..<raw.bytes.count - key.count where Array(raw.bytes[start..<start + key.count]) == key {
                raw.bytes[start] = 77
            }
        }
        let report = try Store.salvage(from: path, to: destination)
        #expect(!report.isComplete)
        #expect(report.tables.filter { $0.type == nil }.map(\.copied) == [UInt64(file.ticks.count)])
        #expect(try Store.verify(path: destination).findings.map(\.kind).contains(.unknownTable))
        let store = try Store(path: destination, options: StoreOptions(durability: .noSync))
        #expect(try Tick.query().count(in: store) == 0)
        try store.insert(Tick(number: 9999, note: "last"))
        #expect(try Tick.query().resolve(in: store) == file.ticks)
    }

    // MARK: Files

    @Test func whatIsThere_isNotOverwritten() throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: destination))
        guard case .file(.storage(let error)) = storeError({ try Store.salvage(from: file.path, to: destination) })
        else {
            Issue.record("overwritten")
            return
        }
        #expect(error.code == .fileExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: destination)) == Data("mine".utf8))
        #expect(storeError { try Store.salvage(from: file.path, to: file.path) } != nil)
        #expect(try RawFile(file.path).bytes == file.sound.bytes)
    }

    /// A commit while salvage reads the pages mixes two states of the store, and nothing in the file shows it.
    @Test func aFileThatIsWrittenToMeanwhile_isRefused() throws {
        let store = try Store(path: file.path, options: StoreOptions(durability: .noSync))
        var isWritten = false
        let error = storeError {
            try Store.salvage(from: file.path, to: destination) { _, _ in
                if !isWritten { isWritten = (try? store.insert(Tick(number: -1, note: "meanwhile"))) != nil }
            }
        }
        #expect(isWritten)
        guard case .file(.storage(let reason)) = error, reason.code == .changing else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try !file.directory.names().contains { $0.hasPrefix("salvaged") })
    }

    /// A killed salvage leaves its file; the next salvage removes it. A running salvage keeps its own file.
    @Test func whatAKilledSalvageLeaves_isRemoved() throws {
        let remainder = destination + ".creating-0123456789abcdef"
        try Data("half".utf8).write(to: URL(fileURLWithPath: remainder))
        let other = try UnfinishedFile(for: destination)
        #expect(!FileManager.default.fileExists(atPath: remainder))
        try Data("half".utf8).write(to: URL(fileURLWithPath: remainder))
        #expect(try Store.salvage(from: file.path, to: destination).isComplete)
        #expect(!FileManager.default.fileExists(atPath: remainder))
        #expect(FileManager.default.fileExists(atPath: other.path))
        do throws(LMDBError) {
            try other.publish()
            Issue.record("published twice")
        } catch {
            #expect(error.code == .fileExists)
        }
        #expect(try file.directory.names().filter { $0.hasPrefix("salvaged") } == ["salvaged.trove"])
        #expect(try Store.verify(path: destination).isSound)
    }

    @Test func theNameOfALockFile_isRefused() throws {
        let inside = file.directory.path("inside")
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: inside + "/data.mdb"))
        for name in [file.path + "-lock", inside + "/lock.mdb"] {
            try? FileManager.default.removeItem(atPath: name)
            guard case .file(.notAStore) = storeError({ try Store.salvage(from: file.path, to: name) }) else {
                Issue.record("salvaged to \(name)")
                continue
            }
            #expect(!FileManager.default.fileExists(atPath: name))
        }
        // The name of a link is refused as well, whatever its target.
        let link = file.path + "-lock"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        guard case .file(.notAStore) = storeError({ try Store.salvage(from: file.path, to: link) }) else {
            Issue.record("salvaged to a lock file's link")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: destination))
    }

    @Test func whatIsNoStore_isRefused_andLeavesNothing() throws {
        let names = try file.directory.names()
        guard case .file(.missing) = storeError({ try Store.salvage(from: file.path + "?", to: destination) }) else {
            Issue.record("salvaged nothing")
            return
        }
        let foreign = file.directory.path("foreign.mdb")
        do {
            let environment = try Environment(path: foreign, options: EnvironmentOptions(durability: .noSync))
            let table = try environment.createDatabase("theirs")
            try environment.write { try $0.put([1], for: [1], in: table) }
        }
        guard case .file(.notAStore) = storeError({ try Store.salvage(from: foreign, to: destination) }) else {
            Issue.record("salvaged another program's file")
            return
        }
        #expect(try file.directory.names().filter { !$0.hasPrefix("foreign") } == names)
    }

    // MARK: Random damage

    /// After any damage, the salvaged store is sound and holds only records written at some time.
    @Test func randomDamage_givesASoundStore_orAnError() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        let (complete, partial) = try expectSoundStores(seed, generator, rounds: 80)
        #expect(complete > 0 && partial > 10, "TROVE_TEST_SEED=\(seed)")
    }

    /// In the last round, the head of a stray page has more offsets than nodes: an offset leads to a deleted record.
    @Test func damagedHeadOfAStrayPage_isReported() throws {
        let seed: UInt64 = 3_396_053_240_729_802_871
        _ = try expectSoundStores(seed, SeededGenerator(seed: seed), rounds: 14)
    }

    private func expectSoundStores(
        _ seed: UInt64, _ generator: SeededGenerator, rounds: Int
    ) throws -> (complete: Int, partial: Int) {
        var generator = generator
        let ticks = Set(file.ticks)
        var (complete, partial) = (0, 0)
        for round in 0..<rounds {
            let comment: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            do {
                let (report, store) = try salvage(strayPages: round % 2 == 1) { $0.damage(using: &generator) }
                #expect(try Set(Entry.query().resolve(in: store)).isSubset(of: file.entries), comment)
                if !report.mayHoldDeletedRecords {
                    let unknown = try Tick.query().resolve(in: store).filter { !ticks.contains($0) }.map(\.number)
                    #expect(unknown.isEmpty, "\(comment): \(report.source.findings)")
                }
                if report.isComplete {
                    complete += 1
                    try expectEverything(in: store)
                } else {
                    partial += 1
                }
            } catch is StoreError {}
        }
        return (complete, partial)
    }
}
