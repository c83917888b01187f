// The progress reports for the opener of a store, when several threads migrate it: the background thread, and the
// callers of `finishMigrations`.

import LMDB

/// The steps of all threads, passed to the opener's callback in order and one at a time.
///
/// A thread that reports while another is in the callback leaves its step to that thread, and goes on: a slow callback
/// holds up no other thread.
final class MigrationReports: Sendable {
    private struct State {
        var pending: [MigrationProgress] = []
        var isDelivering = false
        /// The last step of each type.
        var last: [String: MigrationProgress] = [:]
        /// The number of threads that migrate.
        var threads = 0

        mutating func next() -> MigrationProgress? {
            isDelivering = !pending.isEmpty
            return pending.isEmpty ? nil : pending.removeFirst()
        }
    }

    private let deliver: @Sendable (MigrationProgress) -> Void
    private let state = Monitor(State())

    init(_ deliver: @escaping @Sendable (MigrationProgress) -> Void) { self.deliver = deliver }

    /// Runs a migration on this thread.
    func migrating<R>(_ body: () throws -> R) rethrows -> R {
        state.withLock { state in
            if state.threads == 0 { state.last = [:] }
            state.threads += 1
        }
        defer { state.withLock { $0.threads -= 1 } }
        return try body()
    }

    /// Reports a step, unless another thread has reported a later step of the type.
    func add(_ step: MigrationProgress) {
        let delivers = state.withLock { state in
            if let last = state.last[step.type], step.isBefore(last) { return false }
            state.last[step.type] = step
            state.pending.append(step)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard delivers else { return }
        while let next = state.withLock({ $0.next() }) { deliver(next) }
    }
}

extension MigrationProgress {
    /// Whether another step of the same type comes later.
    fileprivate func isBefore(_ other: MigrationProgress) -> Bool { (order, done) < (other.order, other.done) }

    private var order: Int {
        switch phase {
        case .converting: 0
        case .validating: 1
        case .rewriting: 2
        case .indexing: 3
        }
    }
}
