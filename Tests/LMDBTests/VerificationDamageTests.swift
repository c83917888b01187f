// Damaged files: each kind of damage is found and named, and no damage stops the verification.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct VerificationDamageTests {
    private static let (big, table) = (0, 1)

    private let directory: TemporaryDirectory
    private let path: String
    private let sound: RawFile

    /// Two tables, one of them with values on overflow pages; two freelists.
    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
        do {
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            let (big, table) = (try environment.createDatabase("big"), try environment.createDatabase("table"))
            try environment.write { transaction in
                for number in 0..<2000 {
                    try transaction.put([UInt8](repeating: 5, count: 30), for: key(number), in: table)
                }
                for number in 0..<20 {
                    try transaction.put([UInt8](repeating: 6, count: 9000), for: key(number), in: big)
                }
            }
            _ = try environment.write { try $0.delete(ScanRange(from: key(100), upTo: key(600)), from: table) }
            _ = try environment.write { try $0.delete(ScanRange(from: key(3), upTo: key(7)), from: big) }
            try environment.write { try $0.put([1], for: key(5000), in: table) }
        }
        sound = try RawFile(path)
    }

    private func report(_ damage: (inout RawFile) -> Void) throws -> FileReport {
        var file = sound
        damage(&file)
        try file.write(to: path)
        return try FileVerification.run(path)
    }

    private func kinds(_ damage: (inout RawFile) -> Void) throws -> Set<FileFinding.Kind> {
        Set(try report(damage).findings.map(\.kind))
    }

    private var tableLeaves: [Int] { sound.leaves(below: sound.root(sound.record(ofTable: Self.table))) }
    private var branch: Int { sound.root(sound.record(ofTable: Self.table)) }
    /// The offsets of all freelists.
    private var freeLists: [Int] {
        sound.leaves(below: sound.root(sound.freeRecord)).flatMap { page in
            (0..<sound.nodeCount(page)).map { sound.value(page, $0) }
        }
    }

    @Test func theFileItself_isSound() throws {
        #expect(try kinds { _ in } == [])
        #expect(sound.kind(branch) == 1)
        #expect(freeLists.count >= 2)
    }

    // MARK: Meta pages

    @Test func aMetaPage_isNamed() throws {
        for meta in [0, sound.pageSize] {
            // The number and the kind; then, after the header, the magic number, version, page size, flags, last page
            // and commit.
            let header = sound.headerSize
            for (offset, value) in [
                (0, 77), (header - 6, 9), (header, 0), (header + 4, 2), (header + 24, 8192), (header + 28, 0),
                (header + 120, 1 << 50), (header + 128, 1000),
            ] {
                let report = try report { $0.set(value, offset == header + 128 ? 8 : 2, at: meta + offset) }
                #expect(report.findings.first?.kind == .metaPage, "offset \(offset) of \(meta)")
                #expect(!report.isSound)
            }
        }
    }

    @Test func withoutAMetaPage_theOtherOneIsWalked() throws {
        let report = try report { $0.set(0, 4, at: $0.newestMeta + $0.headerSize) }
        #expect(report.findings.map(\.kind) == [.metaPage])
        #expect(report.tables.map(\.name) == ["big", "table"])
        #expect(report.tables[1].totals.entries == 1500)
    }

    @Test func withoutBothMetaPages_theFileIsDamaged_notForeign() throws {
        let zeroed = try report { file in
            for offset in 0..<2 * file.pageSize { file.bytes[offset] = 0 }
        }
        #expect(zeroed.findings.map(\.kind) == [.metaPage])
        #expect(zeroed.pages == 0)
    }

    @Test func aMetaPageThatIsPromoted_isFound() throws {
        // The commit before the last would become the last: liblmdb would show it without an error.
        let kinds = try kinds { $0.set($0.transaction($0.olderMeta) + 256, 8, at: $0.olderMeta + $0.headerSize + 128) }
        #expect(kinds.contains(.metaPage))
    }

    // MARK: Pages

    @Test func aCutFile_isTruncated() throws {
        let (pages, lastUsed) = (sound.pageCount, tableLeaves.max() ?? 0)
        for count in [1, 2, 3, pages / 2, lastUsed] {
            for rest in [0, 100] {
                let report = try report { $0.bytes.removeLast((pages - count) * $0.pageSize - rest) }
                #expect(!report.isSound, "\(count) pages")
                #expect(report.findings.contains { $0.kind == .truncated }, "\(count) pages")
            }
        }
        #expect(
            try kinds { $0.bytes.removeLast((pages - lastUsed) * $0.pageSize) }.isSubset(of: [
                .truncated, .olderSnapshot,
            ]))
    }

    @Test func aReferenceToNowhere_isNamed() throws {
        let page = branch
        for child in [0, 1, 1 << 20, (1 << 48) - 1] {
            let report = try report { $0.set(child, 6, at: $0.node(page, 1)) }
            #expect(report.findings.map(\.kind) == [.pageReference])
            #expect(report.findings.first?.page == UInt64(page))
            #expect(report.findings.first?.index == 1)
            #expect(report.findings.first?.table == "table")
        }
    }

    @Test func aPageThatIsUsedTwice_isNamed() throws {
        let page = branch
        let kinds = try kinds { $0.set($0.child(page, 2), 6, at: $0.node(page, 1)) }
        #expect(kinds == [.pageUsedTwice, .keyPlace])
        // A branch page as its own child.
        #expect(try self.kinds { $0.set(page, 6, at: $0.node(page, 0)) } == [.pageUsedTwice])
    }

    @Test func aPageWithAnothersNumber_isNamed() throws {
        let leaf = tableLeaves[1]
        let report = try report { $0.set(leaf + 1, 8, at: leaf * $0.pageSize) }
        #expect(report.findings.map(\.kind) == [.pageNumber])
        #expect(report.findings.first?.page == UInt64(leaf))
        let (first, second) = (tableLeaves[1], tableLeaves[2])
        #expect(try kinds { $0.swapPages(first, second) } == [.pageNumber])
    }

    @Test func aPageOfAnotherKind_isNamed() throws {
        let leaf = tableLeaves[1]
        for kind in [0, 3, 4, 8, 0x10, 0x22, 0x8002] {
            #expect(try kinds { $0.set(kind, 2, at: $0.kindPlace(leaf)) } == [.pageKind])
        }
        #expect(try kinds { file in file[leaf].forEach { file.bytes[$0] = 0 } } == [.pageNumber])
    }

    @Test func impossibleFreeSpace_isNamed() throws {
        let leaf = tableLeaves[1]
        for lower in [-16, -1, 0, 1, 0xFFEF] {
            let lower = lower + sound.headerSize - sound.offsetBase
            #expect(try kinds { $0.set(lower, 2, at: $0.lowerPlace(leaf)) } == [.pageBounds], "lower \(lower)")
        }
        for upper in [0, 20, 4095, 0xFFFF] {
            #expect(try kinds { $0.set(upper, 2, at: $0.lowerPlace(leaf) + 2) } == [.pageBounds], "upper \(upper)")
        }
    }

    @Test func aNodeOutsideOfItsPage_isNamed() throws {
        let leaf = tableLeaves[1]
        for offset in [0, 16, 4090, 4095, 0xFFFE] {
            let report = try report { $0.set(offset, 2, at: $0.offsetPlace(leaf, 3)) }
            #expect(report.findings.map(\.kind) == [.node], "offset \(offset)")
            #expect(report.findings.first?.index == 3)
        }
        #expect(try kinds { $0.set(0xFFFF, 2, at: $0.node(leaf, 3) + 6) } == [.node])
        #expect(try kinds { $0.set(5000, 4, at: $0.node(leaf, 3)) } == [.node])
        #expect(try kinds { $0.set(100, 4, at: $0.node(leaf, 3)) } == [.node], "over the next one")
        #expect(try kinds { $0.set(8, 2, at: $0.node(leaf, 3) + 4) } == [.node], "unknown flag")
    }

    // MARK: Keys

    @Test func impossibleKeys_areNamed() throws {
        let leaf = tableLeaves[1]
        #expect(try kinds { $0.set(0, 2, at: $0.node(leaf, 3) + 6) } == [.keySize])
        #expect(
            try kinds { file in
                let place = file.offsetPlace(leaf)
                let (first, second) = (file.number(2, at: place + 4), file.number(2, at: place + 6))
                file.set(second, 2, at: place + 4)
                file.set(first, 2, at: place + 6)
            } == [.keyOrder])
        #expect(try kinds { $0.set(0, 2, at: $0.key(leaf, 0) + 6) } == [.keyPlace])
        #expect(try kinds { $0.set(0xFFFF, 2, at: $0.key(leaf, $0.nodeCount(leaf) - 1) + 6) } == [.keyPlace])
        let page = branch
        #expect(try kinds { $0.set(0xFF, 1, at: $0.key(page, 1)) }.isSuperset(of: [.keyOrder, .keyPlace]))
    }

    // MARK: Records of trees

    @Test func wrongTotals_areNamed() throws {
        let record = sound.record(ofTable: Self.table)
        for record in [record, sound.mainRecord, sound.freeRecord] {
            for offset in [8, 16, 24, 32] {
                #expect(
                    try kinds { $0.set($0.number(8, at: record + offset) + 1, 8, at: record + offset) } == [.treeCounts]
                )
            }
            #expect(try kinds { $0.set($0.number(2, at: record + 6) + 1, 2, at: record + 6) } == [.treeDepth])
        }
        #expect(try kinds { $0.set(-1, 8, at: record + 40) } == [.treeDepth, .treeCounts], "an emptied table")
    }

    @Test func branchesOfUnequalLength_areNamed() throws {
        // An extra branch page between the root and its second and third child.
        let (root, list) = (branch, freeLists[0])
        let added = sound.number(8, at: list + 8)
        let report = try report { file in
            file.bytes.replaceSubrange(file[added], with: file.bytes[file[root]])
            file.set(added, 8, at: added * file.pageSize)
            file.set(file.headerSize - file.offsetBase + 2 * 2, 2, at: file.lowerPlace(added))
            for index in 0..<2 {
                let offset = file.number(2, at: file.offsetPlace(root, index + 1))
                file.set(offset, 2, at: file.offsetPlace(added, index))
            }
            file.set(added, 6, at: file.node(root, 1))
        }
        #expect(report.findings.contains { $0.kind == .treeDepth && $0.table == "table" })
        #expect(report.findings.contains { $0.kind == .pageFreeAndUsed && $0.page == UInt64(added) })
    }

    @Test func aTablesRecord_isNamed_whenItIsNone() throws {
        let main = sound.root(sound.mainRecord)
        #expect(try kinds { $0.set(40, 4, at: $0.node(main, 1)) } == [.tableRecord])
    }

    @Test func aForeignTable_isARemark() throws {
        let record = sound.record(ofTable: Self.table)
        for flags in [0x04, 0x02, 0x14] {
            let report = try report { $0.set(flags, 2, at: record + 4) }
            #expect(report.findings.map(\.kind) == [.foreign])
            #expect(report.isSound)
            #expect(report.tables.map(\.isForeign) == [false, true])
        }
        let main = sound.root(sound.mainRecord)
        #expect(try kinds { $0.set(0, 2, at: $0.node(main, 1) + 4) } == [.foreign], "an entry of the main tree")
    }

    // MARK: Large values

    @Test func thePagesOfALargeValue_areChecked() throws {
        let leaf = sound.leaves(below: sound.root(sound.record(ofTable: Self.big)))[0]
        let first = sound.number(8, at: sound.value(leaf, 0))
        #expect(sound.kind(first) == 4)
        #expect(try kinds { $0.set(2, 2, at: $0.kindPlace(first)) } == [.overflow])
        for count in [0, 2, 1 << 30, (1 << 32) - 1] {
            #expect(try kinds { $0.set(count, 4, at: $0.lowerPlace(first)) } == [.overflow], "\(count) pages")
        }
        #expect(
            try kinds { $0.set(4, 4, at: $0.lowerPlace(first)) }.isSubset(of: [
                .pageUsedTwice, .pageFreeAndUsed, .treeCounts, .overflow,
            ]))
        #expect(try kinds { $0.set((1 << 32) - 1, 4, at: $0.node(leaf, 0)) } == [.overflow])
        #expect(try kinds { $0.set(1 << 40, 8, at: $0.value(leaf, 0)) } == [.pageReference])
    }

    /// Each value begins before the preceding value and extends to the end of the file. A small file could then make
    /// the verification quadratic in its size.
    @Test(arguments: [true, false]) func valuesThatOverlap_areNotShownAgainAndAgain(headsSayAll: Bool) throws {
        var file = sound
        let leaf = file.leaves(below: file.root(file.record(ofTable: Self.big)))[0]
        let heads = (0..<file.nodeCount(leaf)).map { file.number(8, at: file.value(leaf, $0)) }.sorted(by: >)
        for (index, head) in heads.enumerated() {
            let count = file.pageCount - head
            file.set(count * file.pageSize - file.headerSize, 4, at: file.node(leaf, index))
            file.set(head, 8, at: file.value(leaf, index))
            file.set(headsSayAll ? count : 1, 4, at: file.lowerPlace(head))
        }
        try file.write(to: path)
        let collector = Collector()
        let report = try FileVerification.run(path, visitor: collector)
        #expect(!report.isSound)
        let shown = collector.pairs["big"]?.reduce(0) { $0 + $1.value.count } ?? 0
        #expect(shown > 0 && shown <= 2 * file.bytes.count)
    }

    @Test func pagesAreMarked_upToTheFirstThatWas() {
        var pages = PageSet()
        #expect(pages.insert(contentsOf: 10..<200) == nil)
        #expect(pages.insert(contentsOf: 5..<1 << 40) == 10)
        #expect(pages.count == 195)
        #expect(!pages.contains(200))
    }

    // MARK: Free pages

    @Test func aListOfFreePages_isChecked() throws {
        let lists = freeLists
        let list = try #require(lists.first { sound.number(8, at: $0) >= 3 })
        #expect(try kinds { $0.set(1 << 20, 8, at: list + 8) } == [.freeList])
        #expect(try kinds { $0.set(1, 8, at: list + 8) } == [.freeList])
        #expect(try kinds { $0.set(1 << 40, 8, at: list) }.contains(.freeList))
        #expect(try kinds { $0.set($0.number(8, at: list + 8), 8, at: list + 16) } == [.freeList, .pageFreedTwice])
        let used = UInt64(tableLeaves[0])
        let report = try report { $0.set(Int(used), 8, at: list + 8) }
        #expect(report.findings.contains { $0.kind == .pageFreeAndUsed && $0.page == used })
        let page = sound.leaves(below: sound.root(sound.freeRecord))[0]
        #expect(try kinds { $0.set(1 << 30, 8, at: $0.key(page, $0.nodeCount(page) - 1)) } == [.freeList])
        #expect(try kinds { $0.set(9, 2, at: $0.node(page, 0) + 6) }.contains(.keySize))
    }

    @Test func lostPages_areARemark() throws {
        let list = freeLists[0]
        let report = try report { $0.set($0.number(8, at: list) - 1, 8, at: list) }
        #expect(report.findings.map(\.kind) == [.leakedPages])
        #expect(report.isSound)
    }

    // MARK: The commit before

    @Test func damageToTheCommitBefore_isItsOwnKind() throws {
        let older = sound.root(sound.mainRecord(in: sound.olderMeta))
        #expect(older != sound.root(sound.mainRecord))
        let report = try report { $0.set(0, 2, at: $0.kindPlace(older)) }
        #expect(report.findings.map(\.kind) == [.olderSnapshot])
        #expect(report.findings.first?.page == UInt64(older))
        #expect(report.isSound)
    }

    /// A commit with a failed write of its meta page leaves the page with its old numbers, and with roots after its
    /// last page.
    @Test func whatAFailedCommitLeaves_isARemark() throws {
        let report = try report { $0.set(1 << 20, 8, at: $0.mainRecord(in: $0.olderMeta) + 40) }
        #expect(report.findings.map(\.kind) == [.olderSnapshot])
        #expect(report.isSound)
    }

    // MARK: What is no environment

    @Test(arguments: ["text", String(repeating: "text ", count: 10_000), "\0", String(repeating: "\0", count: 100_000)])
    func aFileOfAnotherKind_isAnError(_ content: String) throws {
        try Data(content.utf8).write(to: URL(fileURLWithPath: path))
        #expect(failure { _ = try FileVerification.run(path) }?.code == .invalid)
    }

    @Test func whatCannotBeRead_isAnError() throws {
        #expect(failure { _ = try FileVerification.run(directory.path("none")) }?.code == .noSuchFile)
        #expect(failure { _ = try FileVerification.run(directory.path) }?.code == .noSuchFile)
        #expect(failure { _ = try FileVerification.run("/dev/null") }?.code == .notAFile)
        #expect(failure { _ = try FileVerification.run("a\0b") }?.code == .invalidArgument)
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(failure { _ = try FileVerification.run(path) }?.code == .emptyFile)
        var file = sound
        for meta in [0, file.pageSize] { file.set(2, 4, at: meta + file.headerSize + 4) }
        try file.write(to: path)
        #expect(failure { _ = try FileVerification.run(path) }?.code == .versionMismatch)
    }

    @Test func aFileThatIsNothingButDamage_takesNoMoreThanAThousandFindings() throws {
        let leaves = tableLeaves
        let report = try report { file in
            for leaf in leaves {
                for index in 0..<file.nodeCount(leaf) { file.set(0, 2, at: file.node(leaf, index) + 6) }
            }
        }
        #expect(report.findings.count == 1000)
        #expect(report.omittedFindings > 100)
        #expect(report.damages == report.findings.count + report.omittedFindings)
    }

    // MARK: Any damage

    private final class Collector: FileVisitor {
        var pairs: [String: [Pair]] = [:]

        func begin() { pairs = [:] }

        func beginTable(_ name: String) { pairs[name] = [] }

        func visit(_ entry: FileEntry) -> FileFinding? {
            var value: [UInt8] = []
            _ = entry.value.forEachPiece { value += copiedBytes($0) }
            pairs[entry.table ?? "", default: []].append(Pair(key: entry.key, value: value))
            return nil
        }
    }

    /// A file reported as intact is read by liblmdb exactly as it was verified, and lacks nothing.
    @Test func randomDamage_isFound_orHarmless() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var (found, harmless) = (0, 0)
        for round in 0..<400 {
            var file = sound
            file.damage(using: &generator)
            try file.write(to: path)
            let comment: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let collector = Collector()
            guard let report = try? FileVerification.run(path, visitor: collector), report.isSound,
                !report.findings.contains(where: { $0.kind == .foreign })
            else {
                found += 1
                continue
            }
            harmless += 1
            #expect(report.tables.map(\.totals.entries) == [16, 1501], comment)
            let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
            for name in try environment.databaseNames() {
                let table = try environment.openDatabase(name)
                #expect(try environment.read { try $0.pairs(of: table) } == collector.pairs[name], comment)
            }
        }
        #expect(found > 100 && harmless > 20, "TROVE_TEST_SEED=\(seed)")
    }
}
