// The records of the tests of rounds, and an observer that remembers its reports.

import Foundation
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@IndexKeyRecord("id")
struct ObservedNote: Hashable {
    let id: Int
    var value: Int

    static func key(_ id: Int) -> [UInt8] { KeyWriter.bytes(of: id) }
}

@IndexKeyRecord("id")
struct OtherNote: Hashable {
    let id: Int
}

extension ObservedRegion {
    /// The region of some notes.
    static func notes(_ ids: Int...) -> ObservedRegion {
        var region = ObservedRegion()
        for id in ids { region.insert(key: ObservedNote.key(id), of: ObservedNote.schema.keyPrefix) }
        return region
    }

    /// The region of all records of a type.
    static func all(_ type: any IndexKeyRecord.Type) -> ObservedRegion {
        var region = ObservedRegion()
        region.insertAll(of: type.schema.keyPrefix)
        return region
    }

    /// Returns whether the changes of a commit may have changed a record of the region.
    func isTouched(by changes: ChangedKeys) -> Bool { isTouched(by: RoundChanges(changes)) }
}

/// An observer that remembers its reports.
final class RecordingObserver: RoundObserver {
    struct Report: Sendable {
        let commits: ClosedRange<UInt64>
        let isOwn: Bool
        let keys: ChangedKeys.Keys
    }

    struct State {
        var reported: [Report] = []
        var deliveries = 0
        var errors: [any Error] = []
    }

    let state = Monitor(State())
    let isPulled: Bool
    private let onRead: @Sendable (Round) throws -> Void
    private let onDelivery: @Sendable () -> Void

    init(
        isPulled: Bool = false, onRead: @escaping @Sendable (Round) throws -> Void = { _ in },
        onDelivery: @escaping @Sendable () -> Void = {}
    ) {
        self.isPulled = isPulled
        self.onRead = onRead
        self.onDelivery = onDelivery
    }

    var reported: [Report] { state.withLock { $0.reported } }
    /// The keys of the notes of each round.
    var keys: [ChangedKeys.Keys] { reported.map(\.keys) }
    var deliveries: Int { state.withLock { $0.deliveries } }
    var errors: [any Error] { state.withLock { $0.errors } }

    func read(_ round: Round) throws -> Bool {
        try onRead(round)
        note { state in
            state.reported.append(
                Report(
                    commits: round.commits, isOwn: round.isOwn, keys: round.keys(of: ObservedNote.schema.keyPrefix)))
        }
        return !isPulled
    }

    func deliver() {
        onDelivery()
        note { $0.deliveries += 1 }
    }

    func fail(_ error: any Error) { note { $0.errors.append(error) } }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        state.wakeAll()
    }

    /// Waits until a condition holds. Returns false if it does not within a minute.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let holds: Void? = self.state.wait(within: .seconds(120)) { condition($0) ? () : nil }
                continuation.resume(returning: holds != nil)
            }
        }
    }
}

/// A gate that a thread waits at until it is opened.
final class ObservationGate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
    }

    private let state = Monitor(State())

    /// Waits until the gate is open.
    func pass() {
        state.withLock { $0.arrivals += 1 }
        state.wakeAll()
        state.wait { $0.isOpen ? () : nil }
    }

    func open() {
        state.withLock { $0.isOpen = true }
        state.wakeAll()
    }

    /// Waits until a thread has come to the gate.
    @available(*, noasync, message: "a task that waits takes a thread from all others: await the call")
    func awaitArrival() { state.wait { $0.arrivals > 0 ? () : nil } }

    /// The async form of `awaitArrival()`. It takes no thread of the tasks.
    func awaitArrival() async throws { try await onAThread { self.awaitArrival() } }
}
