// The orderly end of an environment, before its last reference is released.

import Synchronization

/// The phases of an environment's life.
enum EnvironmentPhase: UInt8, AtomicRepresentable {
    case open
    /// New transactions are refused. Writes that wait for their turn still run.
    case closing
    /// All transactions are refused.
    case closed
}

extension Environment {
    /// Ends this environment. Later calls throw ``LMDBError/Code/environmentClosed``.
    ///
    /// It waits for the write transactions of this process that are open or wait for their turn, and for the open read
    /// transactions. The file is closed with the last environment on it: then this also waits for transactions of
    /// environments released before. A second call only waits.
    ///
    /// - Parameter waitForWork: Called after all transactions are refused, before the file is closed.
    /// - Throws: ``LMDBError/Code/closedInTransaction`` inside a transaction of the same thread.
    package func close(_ waitForWork: () -> Void = {}) throws(LMDBError) {
        try shared.checkFork("close")
        let thread = currentThread()
        guard !writers.isOwnedByThisThread, !shared.state.withLock({ $0.hasReader(of: thread) }) else {
            throw LMDBError(.closedInTransaction, in: "close", path: path)
        }
        do throws(LMDBError) {
            try shared.resume()
        } catch {
            // The file cannot be opened, so there is none to close.
        }
        _ = phase.compareExchange(expected: .open, desired: .closing, ordering: .sequentiallyConsistent)
        _ = writers.acquire(within: nil)
        let before = phase.exchange(.closed, ordering: .sequentiallyConsistent)
        writers.release()
        shared.waitForReaders()
        waitForWork()
        if before == .closing, hold.removeOpener(closes: true) { shared.closeWhenQuiet() }
    }

    /// Whether ``close()`` was called.
    package var isClosing: Bool { phase.load(ordering: .sequentiallyConsistent) != .open }

    /// Throws if ``close()`` was called.
    @inline(__always)
    package func checkIsOpen() throws(LMDBError) {
        if isClosing { throw LMDBError(.environmentClosed, in: "transaction", path: path) }
    }

    /// Throws if no write may begin any more; for the writer that has the turn.
    package func checkIsOpenInTurn() throws(LMDBError) {
        if phase.load(ordering: .sequentiallyConsistent) == .closed {
            throw LMDBError(.environmentClosed, in: "transaction", path: path)
        }
    }
}
