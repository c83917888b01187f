// Stores of both formats of LMDB: the samples, which the loaded liblmdb has to convert or can open as they are.

import Foundation
import LMDB
import Synchronization
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stores of the other format of LMDB") struct ConversionTests {
    private let directory: TemporaryDirectory
    private let path: String
    /// The end of the names of samples in the format that the loaded library does not read.
    private static let suffix = Engine.format == .version1 ? "-lmdb-1.0" : ""
    private static let other: FileFormat = Engine.format == .version1 ? .version3 : .version1

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("sample.trove")
    }

    private func copySample(_ name: String) throws {
        try StoredSamples.copyAsStored("\(name)\(Self.suffix).trove", to: path)
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test func relations_areThoseOfAFreshStore() throws {
        try copySample("format-2")
        let before = try Store.verify(path: path)
        #expect(before.isSound && before.file.format == Self.other)
        let phases = Mutex<[MigrationProgress]>([])
        let store = try Store(path: path, records: SampleLinks.types) { step in phases.withLock { $0.append(step) } }
        #expect(phases.withLock { !$0.isEmpty && $0.allSatisfy { $0.phase == .converting && $0.done <= $0.total } })
        #expect(try store.info.fileFormat == Engine.format)
        #expect(try store.info.library == Engine.library)
        #expect(try store.info.features == [.links])
        #expect(try store.check() == [])
        let fresh = try Store.temporary(records: SampleLinks.types)
        try SampleLinks.fill(fresh)
        #expect(try store.linkBytes() == fresh.linkBytes())
        #expect(try store.rawRecords() == fresh.rawRecords())
        try store.delete(SampleMessage.self, key: "7")
        #expect(try SampleChat.links("messages", of: "1", in: store) == ["5", "6", "8"])
        let after = try Store.verify(path: path)
        #expect(after.isSound && after.file.transaction > before.file.transaction)
    }

    @Test func texts_areFound_alsoAfterWrites() throws {
        try copySample("format-2-texts")
        let store = try Store(path: path, records: [SampleArticle.self])
        #expect(try store.unreadyIndexes(SampleArticle.keyPrefix) == [])
        #expect(try SampleArticle.query().resolve(in: store) == SampleTexts.articles)
        #expect(try SampleArticle.matching("every word").count(in: store) == 180)
        try store.delete(SampleArticle.self, key: 17)
        #expect(try SampleArticle.matching("\"word 17\"").keys(in: store) == [])
        #expect(try store.check() == [])
        #expect(try Store.verify(path: path).isSound)
    }

    @Test func theCommitSequence_goesOn() async throws {
        try copySample("format-1-tables")
        let original = StoredSamples.folder.appending(
            path: "format-1-tables\(Engine.format == .version1 ? "" : "-lmdb-1.0").trove")
        let same = directory.path("same.trove")
        try FileManager.default.copyItem(atPath: original.path, toPath: same)
        let store = try await Store(path: path, records: [SampleMember.self])
        let known = try await Store(path: same, records: [SampleMember.self])
        #expect(try store.info.commitSequence == known.info.commitSequence)
        #expect(try store.info.identifier == known.info.identifier)
        let members = try await SampleMember.query().resolve(in: store)
        #expect(try await members == SampleMember.query().resolve(in: known))
        #expect(!members.isEmpty)
        let changed = members[0]
        try await store.insert(changed, onConflict: .replace)
        #expect(try await store.check() == [])
    }

    // MARK: What is not converted

    @Test func anOpeningThatMayNotConvert_namesBothFormats() throws {
        try copySample("format-2")
        let before = try bytes()
        var never = StoreOptions()
        never.conversion = .never
        for options in [never, StoreOptions(isReadOnly: true)] {
            let error = storeError { try Store(path: path, options: options) }
            #expect(error == .file(.otherEngine(path: path, format: Self.other, library: Engine.library)))
        }
        #expect(try bytes() == before)
        #expect(try directory.names() == ["sample.trove"])
    }

    @Test func aFileOfAnotherProgram_isNotConverted() throws {
        try Data(contentsOf: Self.foreignSample).write(to: URL(filePath: path))
        let before = try bytes()
        let error = storeError { try Store(path: path) }
        #expect(error == .file(.notAStore(path: path, reason: nil)))
        #expect(storeError { try Store.upgrade(path: path) } == error)
        #expect(try bytes() == before)
        #expect(try Store.verify(path: path).isStore == false)
    }

    /// A file of no store, in the format that the loaded library does not read.
    private static var foreignSample: URL {
        StoredSamples.folder.appending(path: "../../LMDBTests/Samples/format\(other.rawValue).mdb")
    }

    @Test func aDamagedStore_isNotConverted_andSalvaged() throws {
        try copySample("format-2")
        var file = try RawFile(path)
        let catalog = file.leaves(below: file.root(file.record(ofTable: 0)))[0]
        file.set(0, 2, at: file.kindPlace(catalog))
        try file.write(to: path)
        let before = try bytes()
        guard case .file(.damaged(path, _))? = storeError({ try Store(path: path) }) else {
            Issue.record("opened")
            return
        }
        #expect(try bytes() == before)
        let report = try Store.salvage(from: path, to: directory.path("salvaged.trove"))
        #expect(report.copied > 0)
        #expect(try Store(path: directory.path("salvaged.trove")).info.fileFormat == Engine.format)
    }

    @Test func aCancelledOpening_leavesTheFile() async throws {
        try copySample("format-2-texts")
        let before = try bytes()
        let task = Task { [path] in try await Store(path: path, records: [SampleArticle.self]) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try bytes() == before)
    }

    // MARK: Upgrades

    @Test func anUpgrade_isPlanned_done_andThenNothingIsLeftToDo() async throws {
        try copySample("format-2")
        let before = try bytes()
        let plan = try Store.upgradePlan(path: path)
        #expect(plan.format == Self.other && plan.target == Engine.format && !plan.isUpToDate && !plan.isInUse)
        #expect(plan.neededSpace > before.count && plan.availableSpace ?? .max > 0)
        #expect(try directory.names() == ["sample.trove"])
        let report = try await Store.upgrade(path: path, keepingOriginal: true)
        #expect(report.hasConverted && report.from == Self.other && report.to == Engine.format)
        #expect(report.entries > 0 && report.tables > 0 && report.sizeBefore == before.count)
        let original = try #require(report.original)
        #expect(try Data(contentsOf: URL(filePath: original)) == before)
        let again = try await Store.upgrade(path: path, keepingOriginal: true)
        #expect(!again.hasConverted && again.original == nil && again.entries == 0)
        #expect(try Store.upgradePlan(path: path).isUpToDate)
        let store = try await Store(path: path, records: SampleLinks.types)
        #expect(try Store.upgradePlan(path: path).isInUse)
        #expect(try await store.check() == [])
    }

    @Test func anUpgradeOfNothing_createsNothing() throws {
        guard case .file(.missing)? = storeError({ try Store.upgrade(path: path) }) else {
            Issue.record("upgraded")
            return
        }
        #expect(try directory.names() == [])
    }
}
