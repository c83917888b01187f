// Commits of other processes: reported without polling, with their keys where the catalog lists them.

import Foundation
import Testing
import TroveCoding
import TroveStoreWorker
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("Commits of other processes", .serialized, .hangLimit) struct OtherProcessTests: SharedFileSuite {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("shared.trove")
    }

    @Test func aCommit_isReported_withItsKeys() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        try run("left", 1)
        let reported = try observer.until(2)
        #expect(reported.map(\.commits) == [2...2])
        #expect(reported.first?.isOwn == false)
        #expect(reported.first?.lefts == .some([key(0)]))
        #expect(reported.first?.rights == .some([]))
        withExtendedLifetime(registration) {}
    }

    @Test func manyCommits_areAllReported_inOrder() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        try run("left", 300)
        let reported = try observer.until(301)
        #expect(reported.first?.commits.lowerBound == 2)
        #expect(reported.last?.commits.upperBound == 301)
        for (before, after) in zip(reported, reported.dropFirst()) {
            #expect(before.commits.upperBound + 1 == after.commits.lowerBound)
        }
        for round in reported {
            // Commit 2 stored the record 0.
            let stored = round.commits.map { key(Int($0) - 2) }
            if case .some(let keys, _) = round.lefts { #expect(keys == stored) }
            #expect(round.rights == .some([]))
            #expect(!round.isOwn)
        }
        withExtendedLifetime(registration) {}
    }

    @Test func severalProcesses_andThisOne_areReported() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        let children = try ["left", "right"].map { command in
            let child = try ChildProcess([command, path, "", "100"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            return child
        }
        for child in children { try child.writeLine("go") }
        for number in 1000..<1100 { try store.insert(Left(number: number)) }
        for child in children { #expect(child.readLine() == "done") }
        let reported = try observer.until(301)
        #expect(reported.reduce(0) { $0 + $1.commits.count } == 300)
        for round in reported where round.isOwn {
            guard case .some(let keys, _) = round.lefts else { continue }
            #expect(keys.count >= round.commits.count)
            // After many commits, the log joins the older half with commits of the round before.
            if round.commits.count <= ChangeLog.entryLimit / 2 { #expect(keys.count == round.commits.count) }
        }
        #expect(try store.commitSequence == 301)
        withExtendedLifetime(registration) {}
    }

    @Test func aProgramWithoutTheFeature_countsAsAnyRecord() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        try run("left-without-hints", 1)
        #expect(try observer.until(2).last?.lefts == .any)
        #expect(observer.all.last?.rights == .any)
        // The next commit begins the entry again.
        try run("right", 1)
        let last = try #require(try observer.until(3).last)
        #expect(last.commits == 3...3)
        #expect(last.rights == .some([key(0)]))
        #expect(last.lefts == .some([]))
        withExtendedLifetime(registration) {}
    }

    @Test func killedWriters_leaveNothingUnreported() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        for round in 0..<3 {
            let child = try ChildProcess(["commit", path, "a", "0"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            for _ in 0..<(5 + 7 * round) { _ = child.readLine() }
            child.kill()
            // A commit that the killed writer did not publish becomes visible with this one.
            try store.insert(Right(number: round))
            let sequence = try store.commitSequence
            let reported = try observer.until(sequence)
            #expect(reported.reduce(0) { $0 + $1.commits.count } == Int(sequence) - 1)
        }
        withExtendedLifetime(registration) {}
    }

    /// A round that a caller runs between others leaves the watch as it was.
    @Test func afterARoundNow_theWatchGoesOn() throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        for round in 1...3 {
            try store.roundNow()
            try run("left", 1)
            _ = try observer.until(UInt64(round + 1))
        }
        withExtendedLifetime(registration) {}
    }

    /// A writer was killed before its commit was published.
    @Test func anUnpublishedCommit_isLeftToTheNextCommit() async throws {
        let store = try open()
        let (observer, registration) = try observe(store)
        await store.settle()
        try RawFile.putUnpublishedCommit(in: path)
        await store.settle()
        #expect(observer.all.isEmpty)
        try await store.insert(Left(number: 7))
        #expect(try observer.until(2).map(\.commits) == [2...2])
        try run("right", 1)
        #expect(try observer.until(3).last?.rights == .some([key(0)]))
        withExtendedLifetime(registration) {}
    }

    @Test func withoutAWatch_theFileIsLookedAt() throws {
        let store = try open(.every(.milliseconds(1)))
        let (observer, registration) = try observe(store)
        try run("left", 20)
        #expect(try Set(2...21).isSubset(of: observer.until(21).flatMap { $0.commits }))
        #expect(!store.rounds.foreign.watch.isHeld)
        withExtendedLifetime(registration) {}
    }

    @Test func withNever_theNextCommitHere_reportsAll() throws {
        let store = try open(.never)
        let (observer, registration) = try observe(store)
        try run("left", 20)
        try store.insert(Right(number: 7))
        let reported = try observer.until(22)
        #expect(reported.map(\.commits) == [2...22])
        #expect(reported.first?.rights == .some([key(7)]))
        #expect(reported.first?.lefts == .some((0..<20).map(key)))
        withExtendedLifetime(registration) {}
    }

    @Test func theEndOfObservation_isTheEndOfTheWatch() throws {
        let store = try open()
        for _ in 0..<100 {
            let (_, registration) = try observe(store)
            #expect(store.rounds.foreign.watch.isHeld)
            withExtendedLifetime(registration) {}
        }
        #expect(!store.rounds.foreign.watch.isHeld)
    }

    @Test func aTemporaryStore_hasNeitherHintsNorAWatch() throws {
        let store = try Store.temporary()
        let (_, registration) = try observe(store)
        try store.insert(Left(number: 1))
        #expect(!store.rounds.foreign.watch.isHeld)
        #expect(try store.info.features == [])
        #expect(try store.read { try $0.catalogStorage().recentChanges() } == nil)
        withExtendedLifetime(registration) {}
    }

    // MARK: The entry

    /// Starts a process that reads the store, and stays open until it is released.
    private func startReader() throws -> ChildProcess {
        let child = try ChildProcess(["reading", path, "", "0"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        #expect(child.readLine() == "reading")
        return child
    }

    private func recentChanges(_ store: Store) throws -> RecentChanges? {
        try store.read { try $0.catalogStorage().recentChanges() }
    }

    @Test func eachCommit_keepsTheEntry_whileOthersRead() throws {
        let reader = try startReader()
        let store = try open()
        for number in 0..<100 {
            try store.write { context in
                try context.insert(Left(number: number))
                if number.isMultiple(of: 10) { try context.delete(Left.self, key: number - 5) }
            }
        }
        let recent = try #require(try recentChanges(store))
        #expect(try recent.newest == store.commitSequence)
        #expect(try recent.changes(of: 101...101).keys(of: Left.schema.keyPrefix) == .some([key(99)]))
        #expect(try store.info.features == [.changeHints])
        #expect(try Store.verify(path: path).isSound)
        #expect(try store.check() == [])
        let copy = directory.path("copy.trove")
        try store.copy(to: copy)
        #expect(try recentChanges(Store(path: copy)) == recent)
        let salvaged = directory.path("salvaged.trove")
        #expect(try Store.salvage(from: copy, to: salvaged).isComplete)
        let new = try Store(path: salvaged)
        try new.insert(Left(number: 500))
        #expect(try recentChanges(new) == nil)
        #expect(try Store.verify(path: salvaged).isSound)
        withExtendedLifetime(reader) {}
    }

    @Test func commits_storeHints_onlyWhileOthersRead() throws {
        let store = try open()
        for number in 0..<10 { try store.insert(Left(number: number)) }
        #expect(try recentChanges(store) == nil)
        #expect(try store.info.features == [])
        let reader = try startReader()
        // The commits of a moment may not know of the reader yet.
        var number = 10
        while try recentChanges(store)?.newest != store.commitSequence {
            try store.insert(Left(number: number))
            number += 1
        }
        let first = try #require(try recentChanges(store))
        let newest = try first.changes(of: first.newest...first.newest)
        #expect(newest.keys(of: Left.schema.keyPrefix) == .some([key(number - 1)]))
        #expect(try first.changes(of: 1...first.newest).isEverything)
        reader.kill()
        _ = try store.environment.sweepStaleReaders()
        while try recentChanges(store)?.newest == store.commitSequence {
            try store.insert(Left(number: number))
            number += 1
        }
        let last = try store.commitSequence
        #expect(try recentChanges(store)?.changes(of: last...last).isEverything == true)
        #expect(try Store.verify(path: path).isSound)
    }

    @Test func aDamagedEntry_isAFinding_andIsStoredAgain() throws {
        let reader = try startReader()
        do { _ = try open() }
        try RawStoreEntry.put([1, 2, 3], for: [CatalogEntryKind.recentChanges.rawValue], to: path)
        #expect(try !Store.verify(path: path).isSound)
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        try store.insert(Left(number: 1))
        let recent = try #require(try recentChanges(store))
        #expect(try recent.newest == store.commitSequence)
        #expect(try recent.changes(of: 1...2).isEverything)
        #expect(try Store.verify(path: path).isSound)
        withExtendedLifetime(reader) {}
    }
}
