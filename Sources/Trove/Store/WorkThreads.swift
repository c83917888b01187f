// Threads for work that may block, or compute for long: more of them where the work comes to a standstill.
//
//     run ─┬─ a free lane, or fewer lanes than the width ──▶ at once
//          └─ waits ─┬─ a lane has ended its work ─────────▶ next
//                    └─ none has for a moment ─────────────▶ some on lanes of their own, up to the limit
//
// A queue of the system has as many threads as there are cores, as long as they compute. There, a few slow closures of
// a program would stop the reads of all others.

import Dispatch
import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where work runs that must not run on the threads of Swift's tasks.
protocol WorkQueue: Sendable {
    /// Runs a closure later, on another thread.
    func run(_ body: @escaping @Sendable () -> Void)
}

extension DispatchQueue: WorkQueue {
    func run(_ body: @escaping @Sendable () -> Void) { async(execute: body) }
}

/// A queue of work on several threads. Work that takes long delays no other work for more than a moment, up to a limit
/// of 64 closures that run at once.
final class WorkThreads: WorkQueue {
    private struct State {
        /// The lanes without work. A lane is a serial queue: the system lends it a thread while it has work.
        var idle: [DispatchQueue] = []
        var laneCount = 0
        /// The closures that wait, from `first` on.
        var waiting: [Int: @Sendable () -> Void] = [:]
        var first = 0
        /// The first closure that waited at the last look.
        var lookedAt = -1
        /// Whether a look at the waiting closures is to come.
        var isWatched = false

        mutating func takeFirst() -> (@Sendable () -> Void)? {
            guard let body = waiting.removeValue(forKey: first) else { return nil }
            first += 1
            return body
        }
    }

    /// The time without progress after which waiting work gets more lanes.
    private static let patience = DispatchTimeInterval.milliseconds(5)

    private let label: String
    private let width: Int
    private let limit: Int
    private let state = Monitor(State())
    private let watch: DispatchQueue

    /// - Parameters:
    ///   - label: The name of the threads.
    ///   - width: The number of closures that run at once as long as they make progress.
    ///   - limit: The maximum number of closures that run at once.
    init(label: String, width: Int = ProcessInfo.processInfo.activeProcessorCount, limit: Int = 64) {
        self.label = label
        self.width = max(1, width)
        self.limit = max(limit, self.width)
        watch = DispatchQueue(label: label + ".watch", qos: .userInitiated)
    }

    func run(_ body: @escaping @Sendable () -> Void) {
        let (lane, mustWatch) = state.withLock { state -> (DispatchQueue?, Bool) in
            if let lane = state.idle.popLast() { return (lane, false) }
            if state.laneCount < width {
                state.laneCount += 1
                return (makeLane(), false)
            }
            state.waiting[state.first + state.waiting.count] = body
            let mustWatch = !state.isWatched
            if mustWatch { (state.isWatched, state.lookedAt) = (true, state.first) }
            return (nil, mustWatch)
        }
        if let lane { begin(body, on: lane) }
        if mustWatch { lookLater() }
    }

    private func makeLane() -> DispatchQueue { DispatchQueue(label: label, qos: .userInitiated) }

    private func begin(_ body: @escaping @Sendable () -> Void, on lane: DispatchQueue) {
        lane.async {
            body()
            while let next = self.next(on: lane) { next() }
        }
    }

    /// Returns the next closure that waits. If none does, the lane is idle.
    private func next(on lane: DispatchQueue) -> (@Sendable () -> Void)? {
        state.withLock { state in
            if let body = state.takeFirst() { return body }
            if state.laneCount > width { state.laneCount -= 1 } else { state.idle.append(lane) }
            return nil
        }
    }

    private func lookLater() { watch.asyncAfter(deadline: .now() + Self.patience) { self.look() } }

    /// Gives lanes to the first closures that wait, if none of them has begun since the last look. The others get some
    /// after the next look, so that a moment without progress does not run everything at once.
    private func look() {
        let (begun, isWatched) = state.withLock { state -> ([@Sendable () -> Void], Bool) in
            var begun: [@Sendable () -> Void] = []
            if state.lookedAt == state.first {
                let most = min(limit, state.laneCount + max(1, width / 2))
                while state.laneCount < most, let body = state.takeFirst() {
                    state.laneCount += 1
                    begun.append(body)
                }
            }
            (state.isWatched, state.lookedAt) = (!state.waiting.isEmpty, state.first)
            return (begun, state.isWatched)
        }
        for body in begun { begin(body, on: makeLane()) }
        if isWatched { lookLater() }
    }
}
