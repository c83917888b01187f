// A program killed repeatedly while it builds indexes. Each next program goes on after the last stored
// position, and the finished indexes equal those of an undisturbed build.

import Foundation
import LMDB
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Killed index builds", .serialized) struct KilledBuildTests {
    private static let kills = Torture.amount(2, full: 20)

    @Test(arguments: ["onOpen", "background"]) func killedAnywhere_itGoesOn_andEndsAsIfNothingHadHappened(
        _ policy: String
    ) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let count = Torture.amount(20_000, full: 250_000)
        let run = try BuildRun(policy, count: count)
        let began = ContinuousClock.now
        let memory = try run.undisturbed()
        let longest = Int((ContinuousClock.now - began) / .microseconds(2))
        let expected = try run.entries(run.undisturbedPath)
        // Three indexes, the five tables of the full-text index, and the two of the record numbers.
        #expect(expected.count == 10)

        var (underWay, ends) = (0, 0)
        for kill in 0..<Self.kills {
            // Some kills are certainly between two transactions; the others are at any moment.
            if policy == "background", kill % 5 == 0 {
                try run.killAfterAStep()
            } else {
                try run.kill(after: .microseconds(Int.random(in: 0..<longest, using: &generator)))
            }
            let indexes = try run.indexes()
            #expect(try run.differences() == [], comment)
            if indexes.isEmpty || !indexes.allSatisfy(\.isReady) {
                underWay += indexes.isEmpty ? 0 : 1
                if kill % 5 == 0 { #expect(try run.damage() == [], comment) }
            } else {
                ends += 1
                #expect(try run.entries(run.path) == expected, comment)
                try run.restart()
            }
        }
        try run.finish()
        #expect(try run.differences() == [] && run.entries(run.path) == expected, comment)
        #expect(try run.damage() == [], comment)
        // The changes of a single transaction are stored completely or not at all.
        #expect(underWay > 0 || policy == "onOpen", comment)
        try Torture.report(
            "killed index builds, \(policy)",
            "\(Self.kills), \(underWay) of them under way, of \(count) records, to their end \(ends + 1) times")
        try Torture.report("memory of a build of three indexes, \(policy)", memory)
    }
}

/// A store with parcels, and a copy whose indexes are built without disturbance.
private struct BuildRun {
    let path: String
    let undisturbedPath: String
    private let plainPath: String
    private let policy: String
    private let directory: TemporaryDirectory
    private let output: String

    init(_ policy: String, count: Int) throws {
        directory = try TemporaryDirectory()
        (path, undisturbedPath) = (directory.path("store"), directory.path("undisturbed"))
        (plainPath, output) = (directory.path("plain"), directory.path("output"))
        self.policy = policy
        try OldParcel.fill(plainPath, count: count, labelSize: 30)
        for path in [path, undisturbedPath] { try FileManager.default.copyItem(atPath: plainPath, toPath: path) }
    }

    /// Restores the records without indexes.
    func restart() throws {
        for suffix in ["", "-lock"] { try FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: plainPath, toPath: path)
    }

    private func worker(_ path: String, heldAfterStep step: Int = 0, _ output: String) throws -> Worker {
        try Worker(["build", path, policy, "\(step)"], output: output)
    }

    /// Builds the indexes without disturbance. Returns the memory use of the build.
    func undisturbed() throws -> String {
        #expect(try worker(undisturbedPath, output).wait() == 0)
        let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        let numbers = lines.first { $0.hasPrefix("memory ") }?.split(separator: " ").compactMap { Int($0) } ?? []
        return "peak \(numbers[0] / 1024) MB, \(numbers[1] / 1024) MB of it mapped files"
    }

    func killAfterAStep() throws {
        try start(heldAfterStep: 1) { worker in
            let isHeld = try worker.hasSaid(2)
            #expect(isHeld)
        }
    }

    func kill(after time: Duration) throws {
        let moment = ContinuousClock.now + time
        try start { _ in while ContinuousClock.now < moment { sched_yield() } }
    }

    private func start(heldAfterStep step: Int = 0, _ body: (Worker) throws -> Void) throws {
        let worker = try worker(path, heldAfterStep: step, directory.path(UUID().uuidString))
        try body(worker)
        worker.kill()
    }

    func finish() throws { #expect(try worker(path, output).wait() == 0) }

    func indexes() throws -> [StoredIndex] {
        try Store(path: path).read { context in try #require(try context.storedTypes().first).indexes }
    }

    /// Returns the differences between the ready indexes and the records.
    func differences() throws -> [IndexDifference] { try Store(path: path).check(FoundParcel.self) }

    /// Returns the damage that `verify` finds.
    func damage() throws -> [String] { try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } }

    /// Returns a digest of the entries of each index.
    func entries(_ path: String) throws -> [String: UInt64] {
        let environment = try Environment(path: path)
        var entries: [String: UInt64] = [:]
        for name in try environment.databaseNames() where name != "trove" && !name.hasSuffix(".0.0") {
            let table = try environment.openDatabase(name)
            try environment.read { transaction in
                var digest = UInt64(try transaction.count(of: table))
                try transaction.scan(table) { key, value in
                    let entry =
                        unsafe key.withUnsafeBytes { unsafe Array($0) } + value.withUnsafeBytes { unsafe Array($0) }
                    for byte in entry { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
                    return .continue
                }
                entries[name] = digest
            }
        }
        return entries
    }
}
