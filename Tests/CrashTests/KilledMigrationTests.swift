// A program killed repeatedly while it migrates a store. Each next program goes on after the last stored
// position, and the finished store equals the store of an undisturbed migration.

import Foundation
import LMDB
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Killed migrations", .serialized) struct KilledMigrationTests {
    /// A kind of migration, with the size of its records in a small run.
    enum Kind: String, CaseIterable {
        case inPlace, inTheBackground, toANewKey

        var arguments: [String] {
            switch self {
            case .inPlace: ["wide", "onOpen"]
            case .inTheBackground: ["wide", "background"]
            case .toANewKey: ["shelved", "onOpen"]
            }
        }

        var type: any IndexKeyRecord.Type { self == .toANewKey ? ShelvedParcel.self : WideParcel.self }

        /// Large enough for several transactions.
        var labelSize: Int { self == .inTheBackground ? 200 : 1000 }
    }

    private static let kills = Torture.amount(6, full: 20)

    @Test(arguments: Kind.allCases) func killedAnywhere_itGoesOn_andEndsAsIfNothingHadHappened(_ kind: Kind) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let count = Torture.amount(20_000, full: 1_000_000)
        let run = try MigrationRun(kind, count: count, labelSize: Torture.amount(kind.labelSize, full: 60))
        let began = ContinuousClock.now
        let memory = try run.undisturbed()
        let longest = Int((ContinuousClock.now - began) / .microseconds(3))
        let expected = try run.contents(run.undisturbedPath)

        var (underWay, ends) = (0, 0)
        for kill in 0..<Self.kills {
            // Some kills are certainly between two transactions; the others are at any moment.
            if kill % 5 == 0 {
                try run.killAfterAStep()
            } else {
                try run.kill(after: .microseconds(Int.random(in: 0..<longest, using: &generator)))
            }
            if let migration = try run.type().migration {
                underWay += 1
                // After the last record, another transaction finds that there are no more.
                #expect((1...count).contains(migration.done) && migration.total == count, comment)
                if kill % 5 == 0 { #expect(try run.damage() == [], comment) }
                try run.checkRecords(in: (0..<100).map { _ in Int.random(in: 0..<count, using: &generator) }, comment)
            } else if try run.isFinished() {
                ends += 1
                #expect(try run.contents(run.path) == expected, comment)
                try run.restart()
            }
        }
        try run.finish()
        #expect(try run.isFinished() && run.contents(run.path) == expected, comment)
        #expect(try run.damage() == [], comment)
        #expect(underWay > 0, comment)
        try Torture.report(
            "killed migrations, \(kind)",
            "\(Self.kills), \(underWay) of them under way, of \(count) records, to their end \(ends + 1) times")
        try Torture.report("memory of a migration, \(kind)", memory)
    }
}

/// A store with old parcels, and a copy migrated without disturbance.
private struct MigrationRun {
    let path: String
    let undisturbedPath: String
    private let oldPath: String
    private let kind: KilledMigrationTests.Kind
    private let labelSize: Int
    private let directory: TemporaryDirectory
    private let output: String

    init(_ kind: KilledMigrationTests.Kind, count: Int, labelSize: Int) throws {
        directory = try TemporaryDirectory()
        (path, undisturbedPath) = (directory.path("store"), directory.path("undisturbed"))
        (oldPath, output) = (directory.path("old"), directory.path("output"))
        (self.kind, self.labelSize) = (kind, labelSize)
        try OldParcel.fill(oldPath, count: count, labelSize: labelSize)
        for path in [path, undisturbedPath] { try FileManager.default.copyItem(atPath: oldPath, toPath: path) }
    }

    /// Restores the old records.
    func restart() throws {
        for suffix in ["", "-lock"] { try FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: oldPath, toPath: path)
    }

    private func worker(_ path: String, heldAfterStep step: Int = 0, _ output: String) throws -> Worker {
        try Worker(["migrate", path] + kind.arguments + ["\(step)"], output: output)
    }

    /// Migrates without disturbance. Returns the memory use of the migration.
    func undisturbed() throws -> String {
        #expect(try worker(undisturbedPath, output).wait() == 0)
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        let numbers = lines.first { $0.hasPrefix("memory ") }?.split(separator: " ").compactMap { Int($0) } ?? []
        let size = try FileManager.default.attributesOfItem(atPath: undisturbedPath)[.size] as? Int ?? 0
        return
            "peak \(numbers[0] / 1024) MB, \(numbers[1] / 1024) MB of it mapped files; the store has \(size >> 20) MB"
    }

    /// Starts a migration, and kills it after it has committed a transaction.
    func killAfterAStep() throws {
        try start(heldAfterStep: 1) { worker in
            let isHeld = try worker.hasSaid(2)
            #expect(isHeld)
        }
    }

    /// Starts a migration, and kills it after a duration.
    func kill(after time: Duration) throws {
        let moment = ContinuousClock.now + time
        try start { _ in while ContinuousClock.now < moment { sched_yield() } }
    }

    private func start(heldAfterStep step: Int = 0, _ body: (Worker) throws -> Void) throws {
        let output = directory.path(UUID().uuidString)
        let worker = try worker(path, heldAfterStep: step, output)
        try body(worker)
        worker.kill()
    }

    func finish() throws { #expect(try worker(path, output).wait() == 0) }

    /// Returns the catalog's description of the parcels.
    func type() throws -> StoredType {
        try Store(path: path).read { context in try #require(try context.storedTypes().first) }
    }

    func isFinished() throws -> Bool {
        let type = try type()
        return type.migration == nil && type.possibleVersions == [kind.type.fieldsVersion]
    }

    /// Returns the damage that `verify` finds.
    func damage() throws -> [String] { try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } }

    /// Reads some records as the old program would.
    func checkRecords(in numbers: [Int], _ comment: Comment) throws {
        let store = try Store(path: path)
        for number in numbers {
            let expected = OldParcel(number: number, labelSize: labelSize)
            #expect(try store.get(OldParcel.self, key: number) == expected, comment)
        }
    }

    /// Returns a digest of all keys and values of each record table.
    func contents(_ path: String) throws -> [String: UInt64] {
        let environment = try Environment(path: path)
        var contents: [String: UInt64] = [:]
        for name in try environment.databaseNames() where name != "trove" {
            let table = try environment.openDatabase(name)
            try environment.read { transaction in
                var digest = UInt64(try transaction.count(of: table))
                try transaction.scan(table) { _, value in
                    // The version and the checksum (which includes the key).
                    let header = unsafe value.unsafeLoadUnaligned(as: UInt64.self)
                    digest = (digest ^ header) &* 0x0000_0100_0000_01B3
                    digest ^= digest >> 29
                    return .continue
                }
                contents[name] = digest
            }
        }
        return contents
    }
}
