// A write transaction on a separate thread, which waits for liblmdb's writer lock, so that the user's thread can give
// up.
//
//     user:    begin ──── waits, at most so long ──── uses the transaction ──── end ── waits
//     thread:        mdb_txn_begin ─────────────────── stays ──────────────────── mdb_txn_commit or _abort

import Dispatch

/// A write transaction, begun and ended by a separate thread for the user's thread.
///
/// liblmdb waits for its writer lock without limit, and only the owner thread of the lock can release it. So if the
/// wait has a limit, a separate thread takes the lock and stays. When the limit is over, the separate thread is
/// abandoned: it releases the lock as soon as it gets it. The queue is serial: at most one thread is ever abandoned.
final class HeldTransaction: Sendable {
    @safe private enum Phase {
        case waiting, abandoned
        case begun(Int32, TransactionPointer?)
        case ending(commits: Bool)
        case ended(Int32)
    }

    /// The result of the begin: liblmdb's code, and the transaction if the code is 0.
    @safe struct Begun {
        let held: HeldTransaction
        let code: Int32
        let transaction: TransactionPointer?
    }

    private let phase = Monitor(Phase.waiting)

    /// Begins a write transaction.
    ///
    /// - Parameters:
    ///   - environment: The environment. The caller has counted the transaction as a use of its map. If nil is
    ///     returned, the count no longer belongs to the caller.
    ///   - limit: The maximum time to wait.
    /// - Returns: Nil when the limit is over first.
    static func begin(in environment: SharedEnvironment, within limit: Duration) -> Begun? {
        let held = HeldTransaction()
        // An abandoned thread keeps the environment open for later openers of the file.
        let hold = environment.hold
        environment.lockQueue.async {
            held.run(in: environment)
            withExtendedLifetime(hold) {}
        }
        return held.phase.wait(within: limit) { held.begun($0) } ?? held.giveUp()
    }

    private func begun(_ phase: Phase) -> Begun? {
        guard case .begun(let code, let transaction) = phase else { return nil }
        return unsafe Begun(held: self, code: code, transaction: transaction)
    }

    /// Abandons the thread, unless it has begun at this very moment.
    private func giveUp() -> Begun? {
        phase.withLock { phase in
            if let begun = begun(phase) { return begun }
            phase = .abandoned
            return nil
        }
    }

    /// Ends the transaction on its thread, and returns liblmdb's code.
    func end(committing: Bool) -> Int32 {
        phase.withLock { $0 = .ending(commits: committing) }
        phase.wakeAll()
        return phase.wait { phase in
            if case .ended(let code) = phase { code } else { nil }
        }
    }

    private func run(in environment: SharedEnvironment) {
        guard !isAbandoned else { return environment.transactionEnded() }
        var made: TransactionPointer?
        let code = unsafe environment.beginInLibrary(&made, readOnly: false)
        guard unsafe hasBegun(code, made) else {
            if let transaction = unsafe made {
                unsafe Calls.abort(transaction)
                environment.writerGuard?.release()
            }
            return environment.transactionEnded()
        }
        guard let transaction = unsafe made else { return }
        let commits = phase.wait { phase in
            if case .ending(let commits) = phase { commits } else { nil }
        }
        var ended: Int32 = 0
        if commits { ended = unsafe Calls.commit(transaction) } else { unsafe Calls.abort(transaction) }
        environment.writerGuard?.release()
        phase.withLock { $0 = .ended(ended) }
        phase.wakeAll()
    }

    private var isAbandoned: Bool {
        phase.withLock { phase in
            if case .abandoned = phase { true } else { false }
        }
    }

    /// Hands the transaction over. Returns false if it was abandoned.
    private func hasBegun(_ code: Int32, _ transaction: TransactionPointer?) -> Bool {
        defer { phase.wakeAll() }
        return phase.withLock { phase in
            if case .abandoned = phase { return false }
            unsafe phase = .begun(code, transaction)
            return true
        }
    }
}
