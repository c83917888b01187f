// The number of reads that run at once for observers.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A gate for reads: as many pass at once as its width, the others wait in order of arrival.
///
/// A commit may wake thousands of consumers of a file. Without a gate, each would take a thread and a reader slot.
final class ReadGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [Int: WakePoint] = [:]
        /// The numbers of the reads that wait are from `first` up to `next`.
        var first = 0
        var next = 0
    }

    private let state: Monitor<State>

    /// - Parameter width: The maximum number of reads at once: by default, the number of processor cores.
    init(width: Int = ProcessInfo.processInfo.activeProcessorCount) { state = Monitor(State(free: max(1, width))) }

    /// Runs a closure as soon as the gate is free.
    ///
    /// - Throws: The closure's error; `CancellationError` if the task is cancelled while it waits.
    func pass<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let wait: (number: Int, point: WakePoint)? = state.withLock { state in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            let point = WakePoint()
            state.waiting[state.next] = point
            state.next += 1
            return (state.next - 1, point)
        }
        guard let (number, point) = wait else { return }
        await point.wait()
        // Woken by cancellation, the task still has its number.
        let isCancelled = state.withLock { $0.waiting.removeValue(forKey: number) != nil }
        if isCancelled { throw CancellationError() }
    }

    private func leave() {
        let next: WakePoint? = state.withLock { state in
            while state.first < state.next {
                defer { state.first += 1 }
                if let point = state.waiting.removeValue(forKey: state.first) { return point }
            }
            state.free += 1
            return nil
        }
        next?.wake()
    }
}
