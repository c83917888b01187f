// The requests of rounds to a list that would delay other observers: the list follows later, on a thread of its own.

import LMDB

/// The requests of rounds to follow later.
final class LateRequests: Sendable {
    private struct State {
        /// The numbers of the requests that no reading serves yet.
        var numbers: [Int] = []
        var isServed = false
    }

    private let state = Monitor(State())

    /// Adds a request. Returns whether the caller must begin to serve requests.
    func request(_ number: Int) -> Bool {
        state.withLock { state in
            state.numbers.append(number)
            defer { state.isServed = true }
            return !state.isServed
        }
    }

    /// Puts requests back that a reading could not serve. The caller goes on to serve requests.
    func putBack(_ numbers: [Int]) { state.withLock { $0.numbers += numbers } }

    /// Returns the requests that the next reading serves; nil, and the end of serving, if there are none.
    func take() -> [Int]? {
        state.withLock { state in
            defer { state.numbers = [] }
            state.isServed = !state.numbers.isEmpty
            return state.isServed ? state.numbers : nil
        }
    }
}
