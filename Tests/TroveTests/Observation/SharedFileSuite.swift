// The suite of observation tests with several processes: a store, an observer, and writes of another process.

import Foundation
import Testing
import TroveCoding
import TroveStoreWorker
import TroveTestSupport

@testable import LMDB
@testable import Trove

/// An observer of a store that waits for reports.
final class ForeignObserver: RoundObserver {
    struct Report: Sendable {
        let commits: ClosedRange<UInt64>
        let isOwn: Bool
        let lefts: ChangedKeys.Keys
        let rights: ChangedKeys.Keys
    }

    private let reported = Monitor<[Report]>([])

    func read(_ round: Round) throws -> Bool {
        reported.withLock { reported in
            reported.append(
                Report(
                    commits: round.commits, isOwn: round.isOwn, lefts: round.keys(of: Left.schema.keyPrefix),
                    rights: round.keys(of: Right.schema.keyPrefix)))
        }
        reported.wakeAll()
        return false
    }

    func fail(_ error: any Error) { Issue.record(error) }

    var all: [Report] { reported.withLock { $0 } }

    /// Waits until a commit is reported, and returns all rounds.
    func until(_ commit: UInt64) throws -> [Report] {
        try #require(
            reported.wait(within: .seconds(120)) { reported in
                (reported.last?.commits.upperBound ?? 0) >= commit ? reported : nil
            }, "reported: \(all.map(\.commits)), awaited: \(commit)")
    }
}

/// A suite with a store that other processes write to.
protocol SharedFileSuite {
    var path: String { get }
}

extension SharedFileSuite {
    func open(_ changes: ExternalChanges = .watch) throws -> Store {
        let store = try Store(path: path, options: StoreOptions(durability: .noSync, externalChanges: changes))
        // The types, and with them the feature, are there from now on.
        try store.write { context in
            try context.insert(Left(number: -1))
            try context.insert(Right(number: -1))
        }
        return store
    }

    func observe(_ store: Store) throws -> (ForeignObserver, HubRegistration) {
        let observer = ForeignObserver()
        return (observer, try store.register(observer, for: .everything))
    }

    /// Runs a command of another process to its end.
    func run(_ command: String, _ count: Int) throws {
        let child = try ChildProcess([command, path, "", "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    func key(_ number: Int) -> [UInt8] { KeyWriter.bytes(of: number) }
}
