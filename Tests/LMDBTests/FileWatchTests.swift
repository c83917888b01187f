// The watch of a data file: writes of this process and of others, each armed watch reporting one.

import Dispatch
import Foundation
import Testing
import TroveTestSupport

@testable import LMDB

/// A watch whose reports a test waits for.
private final class Reports: Sendable {
    let watch: FileWatch
    private let reported: DispatchSemaphore

    /// - Parameter events: For tests that count watches, events of their own.
    init(_ events: FileEvents = .shared) {
        let reported = DispatchSemaphore(value: 0)
        self.reported = reported
        watch = FileWatch(events) { reported.signal() }
    }

    /// Waits for a report, and returns whether it came.
    func next() -> Bool { reported.wait(timeout: .now() + 20) == .success }

    /// Returns whether a report has come that no call of `next` has taken.
    var hasMore: Bool { reported.wait(timeout: .now()) == .success }
}

@Suite(.serialized) struct FileWatchTests {
    @Test func aWrite_isReportedOnce_forEachArming() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let reports = Reports()
        func write(_ number: Int) throws { try test.environment.write { try $0.put([1], for: key(number), in: table) } }
        for round in 0..<20 {
            try reports.watch.arm(on: test.environment)
            try reports.watch.arm(on: test.environment)
            for number in 0..<10 { try write(10 * round + number) }
            #expect(reports.next())
        }
        // Each event is read before the event of a later write.
        #expect(!reports.hasMore)
        reports.watch.stop()
        try write(1000)
        #expect(!reports.hasMore)
    }

    /// A watch armed before each look loses no commit: the last number is seen.
    @Test func allCommitsOfAnotherProcess_areSeen_byLookingAfterEachReport() throws {
        let test = try TestEnvironment()
        _ = try test.environment.createDatabase("table")
        let reports = Reports()
        let before = try test.environment.lastTransaction
        try reports.watch.arm(on: test.environment)
        let child = try ChildProcess(["write", test.path, "table", "0", "3000", "10"])
        var seen = before
        while seen < before + 3000 {
            try #require(reports.next(), "seen \(seen - before) of 3000 commits")
            try reports.watch.arm(on: test.environment)
            let now = try test.environment.lastTransaction
            #expect(now >= seen)
            seen = now
        }
        #expect(child.readLine() == "done")
        #expect(try test.environment.lastTransaction == before + 3000)
    }

    @Test func aMovedFile_isStillWatched() throws {
        let test = try TestEnvironment()
        let reports = Reports()
        let moved = test.directory.path("moved.mdb")
        try FileManager.default.moveItem(atPath: test.path, toPath: moved)
        for _ in 0..<3 {
            try reports.watch.arm(on: test.environment)
            // The first byte of the file is always 0.
            let file = try FileHandle(forUpdating: URL(filePath: moved))
            try file.write(contentsOf: Data([0]))
            try file.close()
            #expect(reports.next())
        }
    }

    @Test func severalEnvironments_reportTheirOwnWrites() throws {
        let tests = try (0..<8).map { _ in try TestEnvironment() }
        let reports = tests.map { _ in Reports() }
        for (test, reports) in zip(tests, reports) { try reports.watch.arm(on: test.environment) }
        for number in tests.indices.reversed() {
            _ = try tests[number].environment.createDatabase("table")
            #expect(reports[number].next())
            #expect(reports.allSatisfy { !$0.hasMore })
        }
    }

    /// A file that is closed and opened again at once has two watches for a moment.
    @Test func theEndOfAWatch_leavesALaterWatchOfTheFile() throws {
        let test = try TestEnvironment()
        let events = FileEvents()
        let later = Reports(events)
        for round in 0..<3 {
            do {
                let earlier = Reports(events)
                try earlier.watch.arm(on: test.environment)
                try later.watch.arm(on: test.environment)
                // Without `stop`, the end of the watch has the same effect.
                if round > 0 { earlier.watch.stop() }
            }
            _ = try test.environment.createDatabase("\(round)")
            #expect(later.next())
        }
        later.watch.stop()
        #expect(events.count == 0)
    }

    @Test func watches_leaveNothingBehind() throws {
        let test = try TestEnvironment()
        let events = FileEvents()
        for round in 0..<1000 {
            let reports = Reports(events)
            try reports.watch.arm(on: test.environment)
            #expect(events.count == 1)
            if round.isMultiple(of: 100) {
                _ = try test.environment.createDatabase("\(round)")
                #expect(reports.next())
            }
            // Without `stop`, the end of the watch has the same effect.
            if round.isMultiple(of: 2) { reports.watch.stop() }
        }
        #expect(events.count == 0)
    }

    @Test func aRefusedWatch_isAnError_andCanBeArmedLater() throws {
        let test = try TestEnvironment()
        let child = try ChildProcess(["watch-without-descriptors", test.path])
        #expect((0..<3).map { _ in child.readLine() } == ["code \(EMFILE)", "code \(EMFILE)", "reported"])
        #expect(child.wait() == 0)
    }

    // MARK: The last transaction

    /// liblmdb stores a meta page before the number that reads take. A writer that is killed between the two leaves the
    /// page ahead of the reads.
    @Test func aMetaPageAheadOfTheReads_isAwaited_andRepairedByTheNextCommit() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let shown = try test.environment.lastTransaction
        try RawFile.putUnpublishedCommit(in: test.path)
        #expect(try test.environment.lastTransaction == shown + 1)
        #expect(try !test.environment.awaitReads(showing: shown + 1, within: .zero))
        #expect(try !test.environment.awaitReads(showing: shown + 1, within: .milliseconds(5)))
        let environment = test.environment
        let waiting = RunningThread { try environment.awaitReads(showing: shown + 1, within: .seconds(60)) }
        try test.environment.write { try $0.put([1], for: key(1), in: table) }
        #expect(try waiting.value())
        #expect(try test.environment.lastTransaction == shown + 1)
        #expect(try test.environment.read { try $0.get(key(1), from: table) } == [1])
    }

    @Test func theLastTransaction_isThatOfTheLastCommitOfAnyProcess() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let before = try test.environment.lastTransaction
        for number in 1...5 {
            try test.environment.write { try $0.put([1], for: key(number), in: table) }
            #expect(try test.environment.lastTransaction == before + number)
            #expect(try test.environment.awaitReads(showing: before + number, within: .zero))
        }
        let child = try ChildProcess(["write", test.path, "table", "10", "20", "10"])
        #expect(child.readLine() == "done")
        #expect(try test.environment.lastTransaction == before + 25)
        #expect(try test.environment.awaitReads(showing: before + 25, within: .zero))
        #expect(try !test.environment.awaitReads(showing: before + 26, within: .zero))
        #expect(try !test.environment.awaitReads(showing: before + 26, within: .milliseconds(5)))
    }
}

#if os(Linux)
@Suite struct InotifyEventTests {
    private func bytes(_ mark: Int32, _ kinds: UInt32, name: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in [UInt32(bitPattern: mark), kinds, 0, UInt32(name)] {
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return bytes + [UInt8](repeating: 0xFF, count: name)
    }

    @Test func events_areFound_whateverTheirNames() {
        let bytes =
            bytes(7, 2, name: 0) + bytes(-1, 0x4000, name: 0) + bytes(8, 2, name: 16) + bytes(7, 0x8000, name: 1)
        let events = InotifyEvent.all(in: bytes)
        #expect(events.map(\.mark) == [7, -1, 8, 7])
        #expect(events.map(\.isOverflow) == [false, true, false, false])
        for count in 0..<16 { #expect(InotifyEvent.all(in: Array(bytes.prefix(count))).isEmpty) }
    }

    @Test func anyBytes_areReadWithoutATrap() {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...64, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(InotifyEvent.all(in: bytes).count <= count / 16, "TROVE_TEST_SEED=\(seed)")
        }
    }
}
#endif
