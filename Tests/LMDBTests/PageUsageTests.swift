// The use of each page of a file: the kinds and tables of pages, and sums that agree with liblmdb's own.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct PageUsageTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
    }

    private func open() throws -> Environment {
        try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
    }

    /// Fills two tables: one with large values, from which many entries were removed again, and an ascending one.
    private func fill(_ environment: Environment, _ random: inout SeededGenerator) throws {
        let mixed = try environment.createDatabase("mixed")
        let ascending = try environment.createDatabase("ascending")
        try environment.write { transaction in
            for number in 0..<2_000 {
                let size = number % 50 == 0 ? Int.random(in: 3_000...60_000, using: &random) : 60
                try transaction.put([UInt8](repeating: 1, count: size), for: key(number), in: mixed)
                try transaction.put([UInt8](repeating: 2, count: 100), for: key(number), in: ascending)
            }
        }
        for _ in 0..<3 {
            let lower = Int.random(in: 0..<1_500, using: &random)
            _ = try environment.write {
                try $0.delete(ScanRange(from: key(lower), upTo: key(lower + 300)), from: mixed)
            }
        }
    }

    /// Checks that the cells and the tables say the same.
    private func expectConsistent(_ usage: PageUsage, _ comment: Comment? = nil) {
        let cells = (0..<usage.cellCount).map(usage.cell)
        #expect(cells.reduce(0) { $0 + $1.pages } == usage.pages, comment)
        #expect(
            cells.reduce(0) { $0 + $1.usedBytes }
                == usage.tables.reduce(2 * usage.pageSize) { $0 + $1.usedBytes }, comment)
        for table in usage.tables {
            #expect(table.leafFill.reduce(0, +) == table.leafPages, comment)
            #expect(table.usedBytes <= table.pages * usage.pageSize, comment)
        }
        let used = usage.tables.reduce(2) { $0 + $1.pages }
        #expect(used + usage.freePages + usage.unreachedPages == usage.pages, comment)
        guard usage.pagesPerCell == 1 else { return }
        for (number, table) in usage.tables.enumerated() {
            let own = cells.filter { $0.table == number }
            #expect(own.count { $0.kind == .branch } == table.branchPages, comment)
            #expect(own.count { $0.kind == .leaf } == table.leafPages, comment)
            #expect(own.count { $0.kind == .overflow } == table.overflowPages, comment)
        }
        #expect(cells.count { $0.kind == .meta } == 2, comment)
        #expect(cells.count { $0.kind == .free } == usage.freePages, comment)
        #expect(cells.count { $0.kind == .unreached } == usage.unreachedPages, comment)
    }

    @Test func theUseOfEachPage_agreesWithTheTrees() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let environment = try open()
        try fill(environment, &random)
        let usage = try environment.read { _ in try PageUsage(path) }
        expectConsistent(usage, comment)
        #expect(usage.pagesPerCell == 1 && usage.unreachedPages == 0 && usage.findings.isEmpty, comment)
        #expect(
            usage.tables.map(\.name) == [FileFinding.freePages, FileFinding.tables, "ascending", "mixed"], comment)
        for table in usage.tables.dropFirst(2) {
            let database = try environment.openDatabase(table.name)
            let statistics = try environment.read { try $0.statistics(of: database) }
            #expect(table.entries == statistics.entries, comment)
            #expect(table.branchPages == statistics.branchPages, comment)
            #expect(table.leafPages == statistics.leafPages, comment)
            #expect(table.overflowPages == statistics.overflowPages, comment)
        }
        let report = try FileVerification.run(path)
        #expect(UInt64(usage.freePages) == report.freePages && UInt64(usage.pages) == report.pages, comment)
        #expect(try usage.transaction == environment.info.lastTransaction, comment)
        // Keys that ascend fill their pages; removals leave pages half empty.
        let fills = Dictionary(uniqueKeysWithValues: usage.tables.map { ($0.name, $0.leafFill) })
        #expect((fills["ascending"]?.last ?? 0) > 40, comment)
    }

    @Test func aCompactingCopy_hasTheSizeThatWasForetold() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let environment = try open()
        try fill(environment, &random)
        let usage = try environment.read { _ in try PageUsage(path) }
        let copy = directory.path("copy.mdb")
        try environment.copy(to: copy, compacting: true)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int)
        #expect(usage.savedBytes > 0, "TROVE_TEST_SEED=\(seed)")
        #expect(usage.pages * usage.pageSize - usage.savedBytes == size, "TROVE_TEST_SEED=\(seed)")
    }

    @Test(arguments: [FileFormat.version1, .version3]) func bothFormats_areRead(_ format: FileFormat) throws {
        try Samples.copy(format, to: path)
        let usage = try PageUsage(path)
        let report = try FileVerification.run(path)
        expectConsistent(usage)
        #expect(usage.tables.count > 2 && usage.findings == report.findings)
        #expect(usage.tables.dropFirst(2).map(\.name) == report.tables.map(\.name))
        for (table, verified) in zip(usage.tables.dropFirst(2), report.tables) {
            #expect(UInt64(table.entries) == verified.totals.entries)
            #expect(UInt64(table.branchPages) == verified.totals.branchPages)
            #expect(UInt64(table.leafPages) == verified.totals.leafPages)
            #expect(UInt64(table.overflowPages) == verified.totals.overflowPages)
        }
        #expect(usage.pageSize == report.pageSize && UInt64(usage.freePages) == report.freePages)
    }

    @Test(arguments: [1, 7, 64, 300]) func aLargeFile_hasSeveralPagesInACell(_ limit: Int) throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let environment = try open()
        try fill(environment, &random)
        let (whole, joined) = try environment.read { _ in (try PageUsage(path), try PageUsage(path, cellLimit: limit)) }
        expectConsistent(joined, "TROVE_TEST_SEED=\(seed)")
        #expect(joined.cellCount <= limit && joined.pagesPerCell > 1)
        #expect(joined.tables.map(\.pages) == whole.tables.map(\.pages))
        // A cell whose pages are all alike says so.
        var alike = 0
        for index in 0..<joined.cellCount {
            let cell = joined.cell(index)
            let pages = (cell.firstPage..<cell.firstPage + cell.pages).map(whole.cell)
            #expect(cell.usedBytes == pages.reduce(0) { $0 + $1.usedBytes }, "TROVE_TEST_SEED=\(seed)")
            guard Set(pages.map { [$0.table ?? -1, Int($0.kind.rawValue)] }).count == 1 else { continue }
            alike += 1
            #expect(cell.kind == pages[0].kind && cell.table == pages[0].table, "TROVE_TEST_SEED=\(seed)")
        }
        #expect(alike > 0 || limit < 64, "TROVE_TEST_SEED=\(seed)")
    }

    @Test func anEmptyEnvironment_hasTwoPages() throws {
        _ = try open()
        let usage = try PageUsage(path)
        #expect(usage.pages == 2 && usage.savedBytes == 0 && usage.compactedPages == 2)
        #expect((0..<usage.cellCount).map { usage.cell($0).kind } == [.meta, .meta])
    }

    @Test func anErrorOfTheProgress_endsTheWalk() throws {
        var (random, _) = SeededGenerator.fromEnvironment()
        let environment = try open()
        try fill(environment, &random)
        var steps: [(Int, Int)] = []
        #expect(throws: Rollback.self) {
            try environment.read { _ in
                _ = try PageUsage(path) { done, total in
                    steps.append((done, total))
                    if steps.count == 2 { throw Rollback() }
                }
            }
        }
        #expect(steps.count == 2)
        steps = []
        try environment.read { _ in _ = try PageUsage(path) { steps.append(($0, $1)) } }
        #expect(steps.allSatisfy { $0.0 <= $0.1 } && steps.last.map { $0.0 == $0.1 } == true)
        #expect(steps.map(\.0) == steps.map(\.0).sorted())
    }

    @Test func theEndOfAVerification_isAskedForByItsVisitor() throws {
        var (random, _) = SeededGenerator.fromEnvironment()
        do { try fill(try open(), &random) }
        var count = 0
        #expect(throws: Rollback.self) {
            _ = try FileVerification.run(
                path,
                visitor: PageProgress { _, _ in
                    count += 1
                    throw Rollback()
                })
        }
        #expect(count == 1)
    }

    @Test func pagesOfADamagedPart_areUnreached() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        do { try fill(try open(), &random) }
        let sound = try PageUsage(path)
        var file = try RawFile(path)
        // The root of a table: all pages below it are lost.
        let table = try #require(sound.tables.firstIndex { $0.name == "mixed" })
        let branch = try #require(
            (0..<sound.cellCount).map(sound.cell).first { $0.table == table && $0.kind == .branch })
        for offset in file[branch.firstPage] { file.bytes[offset] = 0xFF }
        try file.write(to: path)
        let usage = try PageUsage(path)
        expectConsistent(usage, "TROVE_TEST_SEED=\(seed)")
        #expect(!usage.findings.isEmpty && usage.unreachedPages > 0, "TROVE_TEST_SEED=\(seed)")
        #expect(usage.cell(branch.firstPage).kind == .unreached, "TROVE_TEST_SEED=\(seed)")
    }
}
