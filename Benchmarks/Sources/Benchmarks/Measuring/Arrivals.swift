// The moments at which observed values arrive.

import Foundation
import Synchronization

/// Returns the time of the system's monotonic clock, in seconds: the same in all processes.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Notes the arrival of ascending values, and the time of the one that is waited for.
final class Arrivals: Sendable {
    private struct State {
        /// The greatest value that arrived; nil before the first.
        var greatest: Int?
        var awaited: Int?
        var continuation: CheckedContinuation<Double, Never>?
    }

    private let state = Mutex(State())

    /// Notes the arrival of a value.
    func note(_ value: Int) {
        let time = monotonicSeconds()
        let waiting = state.withLock { state -> CheckedContinuation<Double, Never>? in
            state.greatest = max(value, state.greatest ?? value)
            guard let awaited = state.awaited, value >= awaited else { return nil }
            defer { (state.awaited, state.continuation) = (nil, nil) }
            return state.continuation
        }
        waiting?.resume(returning: time)
    }

    /// Changes the database, and returns the seconds until the resulting value arrives.
    ///
    /// - Parameters:
    ///   - value: The value, greater than all before.
    ///   - change: Makes the change. Returns the time at which it returned.
    func latency(of value: Int, after change: () throws -> Double) async throws -> Double {
        async let arrival = self.arrival(of: value)
        // The change must not come before the wait.
        while !state.withLock({ $0.awaited == value }) { await Task.yield() }
        let changed = try change()
        return max(0, await arrival - changed)
    }

    /// Waits until a value or a greater one arrives, and returns the time of its arrival.
    func arrival(of value: Int) async -> Double {
        await withCheckedContinuation { continuation in
            let isHere = state.withLock { state in
                if let greatest = state.greatest, greatest >= value { return true }
                (state.awaited, state.continuation) = (value, continuation)
                return false
            }
            if isHere { continuation.resume(returning: monotonicSeconds()) }
        }
    }
}
