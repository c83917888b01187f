// The watch of a file, where it is of no help: commits that are published late, commits that fail, refused watches.

import Foundation
import Testing
import TroveCoding
import TroveStoreWorker
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("The watch of a file", .serialized, .hangLimit) struct ForeignWatchTests: SharedFileSuite {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("watched.trove")
    }

    #if os(Linux)
    /// Replaces the number that new reads take.
    private func publish(_ transaction: Int, insteadOf other: Int) throws {
        let child = try ChildProcess(["publish", path, "\(other)", "\(transaction)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    /// A writer was stopped after it had stored its meta page, for longer than a round waits. No write to the file
    /// follows when it goes on.
    ///
    /// This thread waits without a task: another test would run between the two processes, maybe for longer than the
    /// rounds look.
    @Test func aCommitThatIsPublishedLate_isReported() throws {
        let store = try open()
        try run("left", 20)
        let last = try store.environment.lastTransaction
        try publish(last - 1, insteadOf: last)
        let (observer, registration) = try observe(store)
        let end = ContinuousClock.now + .seconds(120)
        while !store.rounds.foreign.isLate, ContinuousClock.now < end { sched_yield() }
        #expect(observer.all.isEmpty)
        try publish(last, insteadOf: last - 1)
        #expect(try observer.until(21).map(\.commits) == [21...21])
        #expect(!store.rounds.foreign.isLate)
        try run("right", 1)
        #expect(try observer.until(22).last?.rights == .some([key(0)]))
        withExtendedLifetime(registration) {}
    }

    /// Commits while each write to the data file fails, as on a full disk.
    private func failToCommit(_ store: Store) throws {
        let file = try unsafe store.environment.shared.withMap { unsafe Calls.descriptor($0) }
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let saved = dup(file)
        #expect(throws: StoreError.self) {
            try store.write { context in
                try context.insert(Left(number: 7))
                #expect(dup2(full.fileDescriptor, file) == file)
            }
        }
        #expect(dup2(saved, file) == file)
        close(saved)
    }

    /// While a commit is announced, a write to the file wakes no round: the end of the commit does.
    @Test func afterAFailedCommit_othersAreReported() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        try failToCommit(store)
        // The watch may have been armed on the other file.
        try store.roundNow()
        try run("left", 1)
        #expect(try observer.until(2).map(\.commits) == [2...2])
        #expect(try Left.query().count(in: store) == 2)
        withExtendedLifetime(registration) {}
    }
    #endif

    @Test func looksForALateTransaction_areBounded() {
        var late = LateTransaction(number: 7)
        var pauses: [Duration] = []
        while pauses.count < 1_000, let pause = late.nextPause() { pauses.append(pause) }
        #expect(pauses.prefix(4) == [.milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(pauses.dropFirst(4).allSatisfy { $0 == .milliseconds(250) })
        let total = pauses.reduce(.zero) { $0 + $1 }
        #expect(total >= LateTransaction.patience && total < LateTransaction.patience + .seconds(1))
    }

    // MARK: Without a watch

    /// Lets the system refuse to watch a store's file.
    private func refuseWatch(of store: Store) {
        let refusal = LMDBError(.init(ENOSPC), in: "watch", path: path)
        store.catalog.attachments.object { Rounds(store.catalog.hub.inbox, watchRefusal: refusal) }
    }

    @Test func aRefusedWatch_isLoggedOnce_andTheFileIsLookedAt() throws {
        let log = CapturedLog.installed
        let store = try open()
        refuseWatch(of: store)
        for number in 0..<3 {
            let (observer, registration) = try observe(store)
            try run("left", 1)
            _ = try observer.until(UInt64(number) + 2)
            withExtendedLifetime(registration) {}
        }
        #expect(!store.rounds.foreign.watch.isHeld)
        #expect(log.messages(about: store.path).filter { $0.contains("refuses to watch") }.count == 1)
    }

    /// The first observer is an object, whose own locks are held while it registers.
    @Test func aLogHandler_mayUseLiveObjects() throws {
        let log = CapturedLog.installed
        let store = try open()
        refuseWatch(of: store)
        let found = Monitor<Live<Left>?>(nil)
        log.react(to: store.path) { [weak store] in
            do {
                let object = try store.flatMap { try Left.live(-1, in: $0) }
                found.withLock { $0 = object }
                found.wakeAll()
            } catch {
                Issue.record(error)
            }
        }
        let draft = Left.draft(Left(number: 7), in: store)
        #expect(found.wait(within: .seconds(120)) { $0 }?.number == -1)
        draft.revert()
        let released = found.withLock { $0.take() }
        withExtendedLifetime(released) {}
    }

    /// The log's handler is code of the program. It is called without a lock of the rounds.
    @Test func aLogHandler_mayObserve() throws {
        let log = CapturedLog.installed
        let store = try open()
        refuseWatch(of: store)
        let other = ForeignObserver()
        let registered = Monitor<HubRegistration?>(nil)
        log.react(to: store.path) { [weak store] in
            do {
                let registration = try store?.register(other, for: .everything)
                registered.withLock { $0 = registration }
            } catch {
                Issue.record(error)
            }
        }
        let (observer, registration) = try observe(store)
        try run("left", 1)
        _ = try observer.until(2)
        _ = try other.until(2)
        withExtendedLifetime(registration) {}
        let released = registered.withLock { $0.take() }
        #expect(released != nil)
    }
}
