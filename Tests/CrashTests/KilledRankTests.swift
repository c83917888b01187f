// A process killed at any moment while it saves, changes and deletes records with ranked indexes: in the save, in the
// flush of their counts, or in the commit. Its store has the records of an acknowledged prefix of its transactions, and
// possibly of the transaction under way; its counts are those of exactly these records, and the next process goes on.

import Foundation
import Testing
import TroveCrashWorker
import TroveTestSupport

@testable import Trove

@Suite("Killed saves of ranked records") struct KilledRankTests {
    @Test func aSaveKilledAtAnyMoment_isCountedWhole_orNotAtAll() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let scripts = Torture.amount(2, full: 60)
        var (kills, inside, committed) = (0, 0, 0)
        for _ in 0..<scripts {
            let script = UInt64.random(in: 0..<1_000_000, using: &generator)
            let run = try RankRun(script)
            var isOver = false
            // A run that is killed again and again goes on each time.
            while !isOver {
                let comment: Comment = "TROVE_TEST_SEED=\(seed), script \(script), kill \(kills)"
                let worker = try run.start()
                let lines = Int.random(in: 0..<14, using: &generator)
                _ = try worker.hasSaid(lines)
                let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<60_000, using: &generator))
                while ContinuousClock.now < moment {}
                worker.kill()
                let (begun, ended, isDone) = try run.progress(of: worker)
                let steps = try run.stepsFound(comment)
                kills += 1
                isOver = isDone
                if begun > ended {
                    inside += 1
                    #expect((ended...begun).contains(steps), comment)
                    committed += steps - ended
                } else if begun > 0 {
                    #expect(steps == ended, comment)
                }
            }
            #expect(try run.stepsFound("script \(script)") == RankScript.stepCount)
        }
        #expect(inside > 0)
        try Torture.report(
            "kill -9 amid saves of ranked records",
            "\(kills), \(inside) inside a transaction, \(committed) of them committed")
    }
}

/// A store of killed programs, and the records after each step of an undisturbed program.
private struct RankRun {
    private let directory: TemporaryDirectory
    private let path: String
    private let script: UInt64
    /// The digest after each number of steps.
    private let digests: [UInt64]

    init(_ script: UInt64) throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
        self.script = script
        let store = try Store.temporary(records: RankScript.types)
        digests = try (0...RankScript.stepCount).map { step in
            if step > 0 { try store.write { try RankScript(seed: script).perform(step - 1, in: $0) } }
            return try store.read(RankScript.digest)
        }
        #expect(try store.check() == [])
    }

    func start() throws -> Worker {
        try Worker(["rank", path, "\(script)"], output: directory.path(UUID().uuidString))
    }

    /// Returns the numbers of steps that a worker has begun and ended, counted from the first step of all; 0 if none.
    func progress(of worker: Worker) throws -> (begun: Int, ended: Int, isDone: Bool) {
        var (begun, ended, isDone) = (0, 0, false)
        for line in try worker.lines() {
            let words = line.split(separator: " ")
            switch (words.first, words.last.flatMap { Int($0) }) {
            case ("begun", let step?): (begun, ended) = (step + 1, step)
            case ("ended", let step?): ended = step + 1
            case ("done", _): isDone = true
            default: Issue.record("\(line)")
            }
        }
        return (begun, ended, isDone)
    }

    /// Checks the store as the next program would find it. Returns the number of steps whose results it has.
    func stepsFound(_ comment: Comment) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        #expect(try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } == [], comment)
        let store = try Store(path: path, records: RankScript.types, options: StoreOptions(verifiesChecksums: true))
        #expect(try store.check() == [], comment)
        return try store.read { context in
            let steps = try Voyage.steps(in: context)
            #expect(try RankScript.digest(in: context) == digests[steps], "\(steps) steps, \(comment)")
            try expectCounts(of: Climber.query().resolve(in: context), in: context, comment)
            return steps
        }
    }

    /// Compares the answers by the counts of entries with all records.
    private func expectCounts(of climbers: [Climber], in context: ReadContext, _ comment: Comment) throws {
        let roped = climbers.filter(\.isRoped)
        let red = climbers.filter { $0.team == "red" }
        let lists: [(query: Query<Climber>, climbers: [Climber], sign: Int)] = [
            (Climber.query().sorted(by: \.height), climbers, 1),
            (Climber.query().sorted(by: \.height.desc), climbers, -1),
            (Climber.filter(\.height > 120).sorted(by: \.height), climbers.filter { $0.height > 120 }, 1),
            (Climber.filter(\.isRoped).sorted(by: \.height), roped, 1),
            (Climber.filter(\.team == "red").sorted(by: \.height.desc), red, -1),
        ]
        for (query, climbers, sign) in lists {
            let sorted = climbers.sorted { ($0.height * sign, $0.id) < ($1.height * sign, $1.id) }
            #expect(try query.count(in: context) == sorted.count, "\(query), \(comment)")
            for offset in [0, sorted.count / 3, sorted.count * 9 / 10] {
                let page = Array(sorted.dropFirst(offset).prefix(3))
                #expect(try query.offset(offset).limit(3).resolve(in: context) == page, "\(query), \(comment)")
                guard let first = page.first else { continue }
                #expect(try query.rank(of: first).resolve(in: context) == offset + 1, "\(query), \(comment)")
            }
        }
        let heights = climbers.map(\.height).sorted()
        let median = heights.isEmpty ? nil : heights[(heights.count + 1) / 2 - 1]
        #expect(try Climber.query().quantile(0.5, of: \.height).resolve(in: context) == median, comment)
        #expect(
            try Climber.filter(\.team == "red").sum(of: \.height).resolve(in: context)
                == red.reduce(0) { $0 + $1.height }, comment)
    }
}
