// A process killed at any moment while its store keeps a history: in a transaction, in the rows that it writes before
// its end, or in the commit. The history has each acknowledged commit once, with its token, and possibly the
// transaction under way with its records. A follower killed at any moment has applied each commit up to its token once.

import Foundation
import Testing
import TroveCrashWorker
import TroveTestSupport

@testable import Trove

@Suite("Killed commits with a history") struct KilledHistoryTests {
    @Test func aCommitKilledAtAnyMoment_isInTheHistory_ifItsRecordsAreStored() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let scripts = Torture.amount(2, full: 60)
        var kills = KillCount()
        for _ in 0..<scripts {
            let script = UInt64.random(in: 0..<1_000_000, using: &generator)
            var run = try HistoryRun(script)
            var (steps, isOver) = (0, false)
            // A run that is killed again and again goes on each time.
            while !isOver {
                let comment: Comment = "TROVE_TEST_SEED=\(seed), script \(script), kill \(kills.all)"
                let worker = try run.start()
                _ = try worker.hasSaid(Int.random(in: 0..<14, using: &generator))
                spin(Int.random(in: 0..<60_000, using: &generator))
                worker.kill()
                let progress = try WorkerProgress(worker)
                run.tokens.merge(progress.tokens) { $1 }
                let found = try run.stepsFound(comment)
                kills.add(progress, from: steps - 1, to: found - 1, comment)
                (steps, isOver) = (found, progress.isDone)
            }
            #expect(steps == HistoryScript.stepCount, "script \(script)")
            #expect(run.tokens.count > 0, "script \(script)")
        }
        #expect(kills.inside > 0)
        try Torture.report("kill -9 amid commits with a history", kills.figure)
    }

    @Test func aFollowerKilledAtAnyMoment_appliesEachCommitOnce() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let scripts = Torture.amount(2, full: 60)
        var kills = KillCount()
        for _ in 0..<scripts {
            let script = UInt64.random(in: 0..<1_000_000, using: &generator)
            let run = try FollowedRun(script)
            var writer = try run.startWriter()
            var (last, isWritten, isOver) = (0, false, false)
            while !isOver {
                let comment: Comment = "TROVE_TEST_SEED=\(seed), script \(script), kill \(kills.all)"
                let follower = try run.startFollower()
                _ = try follower.hasSaid(Int.random(in: 0..<7, using: &generator))
                spin(Int.random(in: 0..<30_000, using: &generator))
                follower.kill()
                let progress = try WorkerProgress(follower)
                let found = try run.lastApplied(comment)
                kills.add(progress, from: last, to: found, comment)
                (last, isOver) = (found, progress.isDone)
                // The writer is killed, too, and goes on.
                guard !isWritten, Int.random(in: 0..<4, using: &generator) == 0 else { continue }
                writer.kill()
                isWritten = try WorkerProgress(writer).isDone
                if !isWritten { writer = try run.startWriter() }
            }
            if !isWritten { writer.kill() }
            try run.expectEqual("TROVE_TEST_SEED=\(seed), script \(script)")
        }
        #expect(kills.inside > 0)
        try Torture.report("kill -9 of followers of a history", kills.figure)
    }

    /// Goes on after some microseconds, without sleeping.
    private func spin(_ microseconds: Int) {
        let moment = ContinuousClock.now + .microseconds(microseconds)
        while ContinuousClock.now < moment {}
    }
}

/// The last lines of a killed process.
private struct WorkerProgress {
    /// The number of the last step or commit that the process has begun, and of the last that it has ended.
    private(set) var (begun, ended): (Int?, Int?)
    private(set) var isDone = false
    /// The token after each step.
    private(set) var tokens: [Int: String] = [:]

    init(_ worker: Worker) throws {
        for line in try worker.lines() {
            let words = line.split(separator: " ")
            switch (words[0], words.count > 1 ? Int(words[1]) : nil) {
            case ("begun", let number?): begun = number
            case ("ended", let number?):
                ended = number
                if words.count > 2 { tokens[number] = String(words[2]) }
            case ("done", _): isDone = true
            default: Issue.record("\(line)")
            }
        }
    }
}

/// The numbers of kills.
private struct KillCount {
    private(set) var all = 0
    /// Kills in a transaction, as far as the output shows.
    private(set) var inside = 0
    /// The transactions of these that were committed.
    private var committed = 0

    var figure: String { "\(all), \(inside) inside a transaction, \(committed) of them committed" }

    /// Counts a kill, and compares the last stored step or commit with the output of the process.
    ///
    /// - Parameters:
    ///   - before: The last step or commit before the process began.
    ///   - last: The last step or commit that is stored.
    mutating func add(_ progress: WorkerProgress, from before: Int, to last: Int, _ comment: Comment) {
        all += 1
        let acknowledged = progress.ended ?? before
        guard let begun = progress.begun, begun != progress.ended else {
            #expect(last == acknowledged, comment)
            return
        }
        inside += 1
        #expect(last == acknowledged || last == begun, comment)
        if last == begun { committed += 1 }
    }
}

/// A commit, without its position and its time.
private struct CommittedStep: Equatable {
    struct Change: Equatable {
        var kind: ChangeKind
        var keyPrefix: UInt32
        var keyLayout: UInt32
        var key: [UInt8]
        var tombstone: [UInt8]?
    }

    var author: String?
    var changes: [Change]

    init(_ commit: HistoryCommit) {
        author = commit.author
        changes = commit.entries.map { entry in
            Change(
                kind: entry.kind, keyPrefix: entry.keyPrefix, keyLayout: entry.keyLayout, key: entry.key,
                tombstone: entry.tombstone)
        }
    }
}

/// A store of killed programs, and the commits of an undisturbed program.
private struct HistoryRun {
    private let directory: TemporaryDirectory
    private let path: String
    private let script: UInt64
    /// The records after each number of steps.
    private let records: [Correspondence]
    /// The commit of each step.
    private let commits: [CommittedStep]
    /// The acknowledged positions after the steps.
    var tokens: [Int: String] = [:]

    init(_ script: UInt64) throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
        self.script = script
        let options = StoreOptions(history: HistoryScript.rules)
        let store = try Store.temporary(records: HistoryScript.types, options: options)
        let start = try store.read { try $0.historyToken }
        records = try (0...HistoryScript.stepCount).map { steps in
            if steps > 0 {
                try store.write(author: HistoryScript.author(of: steps - 1)) { context in
                    try HistoryScript(seed: script).perform(steps - 1, in: context)
                }
            }
            return try store.read(Correspondence.init)
        }
        commits = try store.read { try $0.history(after: start).map(CommittedStep.init) }
        #expect(commits.count == HistoryScript.stepCount)
    }

    func start() throws -> Worker {
        try Worker(["history", path, "\(script)"], output: directory.path(UUID().uuidString))
    }

    /// Checks the store as the next program would find it. Returns the number of steps whose results it has.
    func stepsFound(_ comment: Comment) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        #expect(try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } == [], comment)
        let options = StoreOptions(verifiesChecksums: true)
        let store = try Store(path: path, records: HistoryScript.types, options: options)
        #expect(try store.check() == [], comment)
        return try store.read { context in
            let found = try Correspondence(in: context)
            #expect(found == records[found.steps], "\(found.steps) steps, \(comment)")
            guard context.catalogSnapshot.history != nil else {
                #expect(found.steps == 0, comment)
                return 0
            }
            let history = try context.history()
            // The first commit is that of the rules.
            #expect(history.first?.entries.isEmpty == true, comment)
            let isSame = history.dropFirst().map(CommittedStep.init) == Array(commits.prefix(found.steps))
            #expect(isSame, "\(found.steps) steps, \(comment)")
            for (step, token) in tokens {
                #expect(history.dropFirst(step + 1).first?.token.rawValue == token, "step \(step), \(comment)")
            }
            return found.steps
        }
    }
}

/// A store whose program is killed, and a copy by a follower that is killed.
private struct FollowedRun {
    private let directory: TemporaryDirectory
    private let (source, copy): (String, String)
    private let script: UInt64

    init(_ script: UInt64) throws {
        directory = try TemporaryDirectory()
        (source, copy) = (directory.path("source"), directory.path("copy"))
        self.script = script
        _ = try Store(path: source, options: StoreOptions(history: HistoryScript.rules))
    }

    func startWriter() throws -> Worker {
        try Worker(["history", source, "\(script)"], output: directory.path(UUID().uuidString))
    }

    func startFollower() throws -> Worker {
        try Worker(["follow", source, copy], output: directory.path(UUID().uuidString))
    }

    /// Compares what the follower has applied with the commits up to its token. Returns the number of the last applied
    /// commit; 0 for none.
    func lastApplied(_ comment: Comment) throws -> Int {
        guard FileManager.default.fileExists(atPath: copy) else { return 0 }
        #expect(try Store.verify(path: copy).findings.filter(\.isDamage).map { "\($0)" } == [], comment)
        let (follower, applied) = try Store(path: copy).read { copy in
            (try copy.get(Follower.self, key: "copy"), try AppliedCommit.query().resolve(in: copy))
        }
        let commits = try Store(path: source).read { try $0.history() }
        let last = commits.last { $0.token == follower?.token }?.sequence ?? 0
        #expect(last > 0 || follower == nil, comment)
        let expected = commits.filter { $0.sequence <= last }.map { AppliedCommit($0, times: 1) }
        #expect(applied == expected, comment)
        return Int(last)
    }

    /// Compares the records of both stores.
    func expectEqual(_ comment: Comment) throws {
        let (source, copy) = try (Store(path: source), Store(path: copy))
        let records = try source.read(Correspondence.init)
        #expect(records.steps == HistoryScript.stepCount, comment)
        #expect(try copy.read(Correspondence.init) == records, comment)
        #expect(try AppliedCommit.query().resolve(in: copy).count == HistoryScript.stepCount + 1, comment)
        #expect(try source.check() == [], comment)
        #expect(try Store.verify(path: source.path).findings.filter(\.isDamage).map { "\($0)" } == [], comment)
    }
}
