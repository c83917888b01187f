// Intact files of many shapes: no findings, and the same page counts as liblmdb's.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct VerificationTests {
    private let directory: TemporaryDirectory
    private let options = EnvironmentOptions(durability: .noSync)

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String = "test.mdb") throws -> Environment {
        try Environment(path: directory.path(name), options: options)
    }

    /// Verifies the file, expects it to be intact, and compares the counts with liblmdb's.
    @discardableResult
    private func expectSound(
        _ environment: Environment, leaks: Bool = false, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> FileReport {
        let report = try FileVerification.run(environment.path)
        let unexpected = report.findings.filter { $0.isDamage || !leaks || $0.kind != .leakedPages }
        #expect(unexpected.isEmpty, comment, sourceLocation: sourceLocation)
        #expect(report.isSound, comment, sourceLocation: sourceLocation)
        let names = try environment.databaseNames()
        #expect(report.tables.map(\.name) == names, comment, sourceLocation: sourceLocation)
        for (table, name) in zip(report.tables, names) {
            let database = try environment.openDatabase(name)
            let statistics = try environment.read { try $0.statistics(of: database) }
            #expect(Int(table.totals.entries) == statistics.entries, comment, sourceLocation: sourceLocation)
            #expect(table.depth == statistics.depth, comment, sourceLocation: sourceLocation)
            #expect(Int(table.totals.branchPages) == statistics.branchPages, comment, sourceLocation: sourceLocation)
            #expect(Int(table.totals.leafPages) == statistics.leafPages, comment, sourceLocation: sourceLocation)
            #expect(
                Int(table.totals.overflowPages) == statistics.overflowPages, comment, sourceLocation: sourceLocation)
        }
        let info = try environment.info
        #expect(Int(report.transaction) == info.lastTransaction, comment, sourceLocation: sourceLocation)
        #expect(Int(report.pages) * report.pageSize == info.usedSize, comment, sourceLocation: sourceLocation)
        if !leaks { #expect(report.usedPages + report.freePages + 2 == report.pages, sourceLocation: sourceLocation) }
        return report
    }

    @Test func anEmptyEnvironment_isSound() throws {
        let environment = try open()
        let report = try expectSound(environment)
        #expect(report.transaction == 0)
        #expect(report.pages == 2)
    }

    @Test func oneEntry_isSound() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        try expectSound(environment)
        try environment.write { try $0.put([], for: [0], in: table) }
        let report = try expectSound(environment)
        #expect(report.tables.map(\.totals.entries) == [1])
    }

    @Test func keysAndValuesOfAllSizes_areSound() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        try environment.write { transaction in
            for size in 1...511 {
                try transaction.put(
                    [UInt8](repeating: 7, count: 511 - size), for: [UInt8](repeating: 1, count: size), in: table)
            }
            for size in stride(from: 0, through: 20_000, by: 97) {
                try transaction.put([UInt8](repeating: 2, count: size), for: key(size), in: table)
            }
        }
        #expect(try expectSound(environment).tables[0].totals.overflowPages > 100)
        // A value keeps its pages if it becomes smaller in the transaction that wrote it.
        try environment.write { transaction in
            try transaction.put([UInt8](repeating: 2, count: 50_000), for: key(1), in: table)
            try transaction.put([3], for: key(1), in: table)
        }
        try expectSound(environment)
    }

    @Test func aDeepTree_isSound_whicheverWayItGrewAndShrank() throws {
        let environment = try open()
        let (ascending, random) = (
            try environment.createDatabase("ascending"), try environment.createDatabase("random")
        )
        var (generator, seed) = SeededGenerator.fromEnvironment()
        func long(_ number: Int) -> [UInt8] { key(number) + [UInt8](repeating: 9, count: 300) }
        try environment.write { transaction in
            for number in 0..<3000 {
                try transaction.put([1], for: long(number), in: ascending)
                try transaction.put([1], for: long(Int.random(in: 0..<100_000, using: &generator)), in: random)
            }
        }
        #expect(try expectSound(environment, "TROVE_TEST_SEED=\(seed)").tables[0].depth >= 4)
        for step in 0..<10 {
            try environment.write { transaction in
                for number in 0..<3000 where number % 10 == step || number < step * 200 {
                    try transaction.delete(long(number), from: ascending)
                }
                try transaction.delete(
                    ScanRange(from: long(step * 10_000), upTo: long(step * 10_000 + 9000)), from: random)
            }
            try expectSound(environment, "step \(step), TROVE_TEST_SEED=\(seed)")
        }
        try environment.write { transaction in
            try transaction.removeAll(from: random)
            try transaction.delete(ScanRange(), from: ascending)
        }
        #expect(try expectSound(environment).tables.map(\.depth) == [0, 0])
    }

    @Test func manyTables_areSound_asTheyComeAndGo() throws {
        let environment = try open()
        for number in 0..<200 {
            let table = try environment.createDatabase("table \(number) " + String(repeating: "x", count: number))
            try environment.write { try $0.put(key(number), for: key(number), in: table) }
        }
        #expect(try expectSound(environment).tables.count == 200)
        for name in try environment.databaseNames().enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
            try environment.dropDatabase(name)
        }
        try expectSound(environment)
    }

    @Test func aLongListOfFreePages_isSound() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        try environment.write { transaction in
            for number in 0..<6000 {
                try transaction.put([UInt8](repeating: 1, count: 3000), for: key(number), in: table)
            }
        }
        try environment.write { try $0.removeAll(from: table) }
        #expect(try expectSound(environment).freePages > 6000)
        for number in 0..<4 {
            try environment.write { try $0.put([UInt8](repeating: 1, count: 3000), for: key(number), in: table) }
            try expectSound(environment)
        }
    }

    @Test func nestedAndRolledBackTransactions_leaveASoundFile() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        for round in 0..<20 {
            try environment.write { transaction in
                try transaction.put([0], for: key(round), in: table)
                for inner in 0..<5 {
                    _ = try? transaction.nested { nested in
                        for number in 0..<200 {
                            try nested.put(
                                [UInt8](repeating: 1, count: 30 * number), for: key(1000 * inner + number), in: table)
                        }
                        for number in 0..<150 { try nested.delete(key(1000 * inner + number), from: table) }
                        if inner % 2 == 1 { throw Rollback() }
                    }
                }
                if round % 3 == 0 { try transaction.delete(ScanRange(from: key(500), upTo: nil), from: table) }
            }
            _ = try? environment.write { transaction in
                for number in 0..<300 { try transaction.put([1], for: key(9000 + number), in: table) }
                throw Rollback()
            }
            try expectSound(environment, leaks: true, "round \(round)")
        }
    }

    @Test func aFileShorterThanItsLastPage_isSound_whereThatIsFree() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        for round in 0..<4 {
            try environment.write { transaction in
                try transaction.put([1], for: key(round), in: table)
                try transaction.put([UInt8](repeating: 1, count: 2000 * RawFile.pageSize), for: key(5000), in: table)
                try transaction.delete(key(5000), from: table)
            }
        }
        let report = try expectSound(environment)
        #expect(report.fileSize < Int(report.pages) * report.pageSize)
    }

    @Test func aCopy_isSound_ofEitherKind() throws {
        let environment = try open()
        for name in ["a", "b", "c"] {
            let table = try environment.createDatabase(name)
            try environment.write { transaction in
                for number in 0..<2000 {
                    try transaction.put([UInt8](repeating: 1, count: number), for: key(number), in: table)
                }
            }
            _ = try environment.write { try $0.delete(ScanRange(from: key(500), upTo: key(900)), from: table) }
        }
        for compacting in [false, true] {
            let name = "copy-\(compacting)"
            try environment.copy(to: directory.path(name), compacting: compacting)
            let copy = try open(name)
            let report = try expectSound(copy)
            #expect(report.tables == (try FileVerification.run(environment.path)).tables)
            if compacting { #expect(report.freePages == 0) }
            let table = try copy.openDatabase("a")
            try copy.write { try $0.put([1], for: key(1), in: table) }
        }
        try environment.copy(to: directory.path("third"), compacting: true)
        let third = try open("third")
        let table = try third.openDatabase("a")
        for number in 0..<5 {
            try third.write { try $0.put([1], for: key(number), in: table) }
            try expectSound(third)
        }
    }

    /// After any transactions, the file is intact.
    @Test func randomTransactions_leaveASoundFile() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for run in 0..<6 {
            let environment = try open("run-\(run).mdb")
            let tables = try (0..<3).map { try environment.createDatabase("table \($0)") }
            for round in 0..<40 {
                let keySize = [8, 60, 400].randomElement(using: &generator) ?? 8
                try? environment.write { transaction in
                    for _ in 0..<Int.random(in: 1...200, using: &generator) {
                        let table = tables.randomElement(using: &generator) ?? tables[0]
                        let number = Int.random(in: 0..<2000, using: &generator)
                        let key = key(number) + [UInt8](repeating: 0, count: keySize - 8)
                        switch Int.random(in: 0..<20, using: &generator) {
                        case 0..<10:
                            let size =
                                Int.random(in: 0...40, using: &generator) * Int.random(in: 0...80, using: &generator)
                            try transaction.put([UInt8](repeating: 1, count: size), for: key, in: table)
                        case 10..<17: try transaction.delete(key, from: table)
                        case 17:
                            let end = LMDBTests.key(number + Int.random(in: 0...300, using: &generator))
                            try transaction.delete(ScanRange(from: key, upTo: end), from: table)
                        case 18:
                            try transaction.nested { nested in
                                for step in 0..<50 { try nested.put([2], for: LMDBTests.key(number + step), in: table) }
                            }
                        default:
                            if Int.random(in: 0..<10, using: &generator) == 0 { try transaction.removeAll(from: table) }
                        }
                    }
                    if Int.random(in: 0..<8, using: &generator) == 0 { throw Rollback() }
                }
                try expectSound(environment, leaks: true, "run \(run), round \(round), TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    @Test func entries_areShownInOrder_withTheirValues() throws {
        final class Collector: FileVisitor {
            var pairs: [String: [Pair]] = [:]
            var lastProgress: (UInt64, UInt64) = (0, 0)

            func advance(to pages: UInt64, of total: UInt64) { lastProgress = (pages, total) }

            func visit(_ entry: FileEntry) -> FileFinding? {
                var value: [UInt8] = []
                let isRead = entry.value.forEachPiece { value += copiedBytes($0) }
                #expect(isRead && value.count == entry.value.size)
                pairs[entry.table ?? "", default: []].append(Pair(key: entry.key, value: value))
                return nil
            }
        }
        let environment = try open()
        for name in ["a", "b"] {
            let table = try environment.createDatabase(name)
            try environment.write { transaction in
                for number in 0..<500 {
                    let value = (0..<number * (number % 50 == 0 ? 500 : 1)).map {
                        UInt8(truncatingIfNeeded: $0 + number)
                    }
                    try transaction.put(value, for: key(number), in: table)
                }
            }
        }
        let collector = Collector()
        let report = try FileVerification.run(environment.path, visitor: collector)
        for name in ["a", "b"] {
            let table = try environment.openDatabase(name)
            #expect(try environment.read { try $0.pairs(of: table) } == collector.pairs[name])
        }
        #expect(collector.lastProgress == (report.usedPages, report.usedPages))
    }

    @Test func aFileInUse_isVerified_orSaidToChange() throws {
        let environment = try open()
        let table = try environment.createDatabase("table")
        try environment.write { transaction in
            for number in 0..<2000 {
                try transaction.put([UInt8](repeating: 1, count: 100), for: key(number), in: table)
            }
        }
        let writer = RunningThread {
            var generator = SeededGenerator(seed: 1)
            for round in 0..<2000 {
                try environment.write { transaction in
                    for _ in 0..<5 {
                        try transaction.put(
                            [UInt8(round % 256)], for: key(Int.random(in: 0..<4000, using: &generator)), in: table)
                    }
                }
            }
        }
        for _ in 0..<30 {
            do {
                let report = try FileVerification.run(environment.path)
                #expect(report.isSound, "\(report.findings.first.map { "\($0)" } ?? "")")
            } catch let error as LMDBError {
                #expect(error.code == .changing)
            }
        }
        try writer.value()
        try expectSound(environment)
    }
}
