// Late readings: long ones run on threads of their own after a round, so that they delay no other observer.

import LMDB

extension Rounds {
    /// The readings that rounds have left for later.
    struct LateReadings {
        private(set) var open: Set<Int> = []
        private var last = 0
        /// The callers that wait until all changes are delivered, and the readings that they wait for.
        private var waiting: [(readings: Set<Int>, continuation: SettleContinuation)] = []
        /// The threads that read now.
        fileprivate var threads: Set<UInt> = []

        mutating func begin() -> Int {
            last += 1
            open.insert(last)
            return last
        }

        /// Ends some readings. Returns the callers that need not wait any longer.
        mutating func end(_ numbers: [Int]) -> [SettleContinuation] {
            open.subtract(numbers)
            var served: [SettleContinuation] = []
            waiting = waiting.compactMap { readings, continuation in
                let rest = readings.subtracting(numbers)
                if rest.isEmpty { served.append(continuation) }
                return rest.isEmpty ? nil : (rest, continuation)
            }
            return served
        }

        /// Lets callers wait for the readings that are open now. Returns the callers if there are none.
        mutating func wait(_ continuations: [SettleContinuation]) -> [SettleContinuation] {
            if open.isEmpty { return continuations }
            waiting += continuations.map { (open, $0) }
            return []
        }
    }

    /// Notes that a reading is left for later, and returns its number. ``endLate(_:)`` ends it.
    func beginLate() -> Int { state.withLock { $0.late.begin() } }

    /// Notes that the results of some readings are delivered.
    func endLate(_ numbers: [Int]) {
        let served = state.withLock { $0.late.end(numbers) }
        state.wakeAll()
        served.resume()
    }

    /// Runs a closure that reads later than its round.
    func readingLate<R>(_ body: () -> R) -> R {
        let thread = currentThread()
        state.withLock { _ = $0.late.threads.insert(thread) }
        defer { state.withLock { _ = $0.late.threads.remove(thread) } }
        return body()
    }

    /// Waits until the results of the late readings are delivered. A thread of such a reading does not wait for itself.
    func waitForLateReadings() {
        let thread = currentThread()
        let open = state.withLock { $0.late.threads.contains(thread) ? [] : $0.late.open }
        if open.isEmpty { return }
        while state.wait(within: .seconds(3600), for: { $0.late.open.isDisjoint(with: open) ? () : nil }) == nil {}
    }
}
