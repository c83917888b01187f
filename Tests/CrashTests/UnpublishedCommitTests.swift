// Commits whose meta page is stored, and whose number is not yet published: the shim holds the writer between the two.
// New reads show the commit before, until the writer goes on, or until the next writer publishes the number.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveCrashWorker
import TroveTestSupport

@testable import Trove

@Suite(
    "Commits that are not published", .timeLimit(.minutes(60)),
    .enabled(if: FaultShim.isAvailable, "needs a C compiler, and no sanitizer"))
struct UnpublishedCommitTests {
    private let shim: FaultShim
    private let directory: TemporaryDirectory
    private let store: Store
    private let observer = AccountObserver()
    private let registration: HubRegistration

    init() throws {
        shim = try FaultShim.shared.get()
        directory = try TemporaryDirectory()
        store = try Store(path: directory.path("store"))
        try store.insert(Account(number: 0, balance: 0))
        registration = try store.register(observer, for: .everything)
    }

    @Test func snapshotBehindTheMetaPage_isWaitedFor() throws {
        let last = try store.commitSequence
        let writer = try startHeldWriter(of: 1)
        try awaitLateCommit()
        // The page is in the file, and reads do not show it.
        try store.roundNow()
        #expect(try store.commitSequence == last)
        #expect(try store.get(Account.self, key: 1) == nil)
        #expect(observer.reports.isEmpty)

        // No write to the file follows.
        try writer.writeLine("go")
        #expect(writer.readLine() == "done")
        #expect(writer.wait() == 0)
        #expect(try observer.until(last + 1).map(\.commits) == [last + 1...last + 1])
        #expect(observer.reports.first?.accounts == [0, 1])
        #expect(observer.mayHaveChanged(1))

        // The commit is not reported again.
        try store.roundNow()
        try store.insert(Account(number: 2, balance: 2))
        #expect(try observer.until(last + 2).map(\.commits) == [last + 1...last + 1, last + 2...last + 2])
        withExtendedLifetime(registration) {}
    }

    /// The next writer, of this process or of another, publishes the commit with its own.
    @Test(arguments: [true, false]) func aWriterKilledBehindTheMetaPage_losesNothing(isNextHere: Bool) throws {
        let last = try store.commitSequence
        let writer = try startHeldWriter(of: 1)
        try awaitLateCommit()
        writer.kill()
        try store.roundNow()
        #expect(try store.commitSequence == last)
        #expect(observer.reports.isEmpty)

        try commit(2, isHere: isNextHere)
        #expect(try observer.until(last + 2).flatMap { $0.commits } == [last + 1, last + 2])
        #expect(observer.reports.last?.accounts == [0, 1, 2])
        #expect(observer.mayHaveChanged(1) && observer.mayHaveChanged(2))

        // Later commits of any process are reported as usual.
        try commit(3, isHere: !isNextHere)
        #expect(try observer.until(last + 3).flatMap { $0.commits } == [last + 1, last + 2, last + 3])
        #expect(try Account.query().keys(in: store) == [0, 1, 2, 3])
        withExtendedLifetime(registration) {}
    }

    // MARK: Writers

    /// Starts a process that stores an account, and is held when it has stored the meta page.
    private func startHeldWriter(of number: Int) throws -> ChildProcess {
        let writer = try ChildProcess(
            ["hold-writer", store.path, "\(number)"], executable: "TroveCrashWorker",
            environment: shim.environment(directory: directory.path, fault: ["FAULT_HELD": "1"]))
        var line = writer.readLine()
        // A commit of the opening would be held, too.
        while line == "held" {
            try writer.writeLine("go")
            line = writer.readLine()
        }
        #expect(line == "holding")
        try writer.writeLine("go")
        #expect(writer.readLine() == "held")
        return writer
    }

    /// Stores an account, in this process or in another.
    private func commit(_ number: Int, isHere: Bool) throws {
        guard !isHere else {
            try store.insert(Account(number: number, balance: number))
            return
        }
        let writer = try ChildProcess(["hold-writer", store.path, "\(number)"], executable: "TroveCrashWorker")
        #expect(writer.readLine() == "holding")
        try writer.writeLine("go")
        #expect(writer.readLine() == "done")
        #expect(writer.wait() == 0)
    }

    /// Waits until the rounds have found that reads do not show the last commit.
    private func awaitLateCommit() throws {
        let end = ContinuousClock.now + .seconds(120)
        while !store.rounds.foreign.isLate, ContinuousClock.now < end { sched_yield() }
        try #require(store.rounds.foreign.isLate)
    }
}

/// An observer that remembers each round, with the accounts in its snapshot.
private final class AccountObserver: RoundObserver {
    struct Report: Sendable {
        let commits: ClosedRange<UInt64>
        let keys: ChangedKeys.Keys
        let accounts: [Int]
    }

    private let reported = Monitor<[Report]>([])

    var reports: [Report] { reported.withLock { $0 } }

    func read(_ round: Round) throws -> Bool {
        let report = Report(
            commits: round.commits, keys: round.keys(of: Account.schema.keyPrefix),
            accounts: try Account.query().resolve(in: round.context).map(\.number))
        reported.withLock { $0.append(report) }
        reported.wakeAll()
        return false
    }

    func fail(_ error: any Error) { Issue.record(error) }

    /// Waits until a commit is reported, and returns all reports.
    func until(_ commit: UInt64) throws -> [Report] {
        let reports = reported.wait(within: .seconds(120)) { reports in
            (reports.last?.commits.upperBound ?? 0) >= commit ? reports : nil
        }
        return try #require(reports, "reported: \(self.reports.map(\.commits)), awaited: \(commit)")
    }

    /// Returns whether a report says that an account may have changed.
    func mayHaveChanged(_ number: Int) -> Bool {
        reports.contains { report in
            switch report.keys {
            case .any: true
            case .some(let keys, _): keys.contains(KeyWriter.bytes(of: number))
            }
        }
    }
}
