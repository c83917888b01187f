// The suspension of an environment: its file is closed, with all locks, while the environment stays in use.

extension SharedEnvironment {
    /// Closes the file at a moment when no transaction of this process is open. Transactions that begin later wait for
    /// `resume`, or are refused. Does nothing if the environment is suspended already.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait for the open transactions.
    ///   - refuses: Whether transactions are refused until then.
    /// - Returns: Whether this call has suspended it.
    /// - Throws: `busy` if transactions stay open for longer; then nothing is suspended. `closedInTransaction` if this
    ///   thread has one open.
    @discardableResult
    package func suspend(within limit: Duration, refusing refuses: Bool) throws(LMDBError) -> Bool {
        try checkFork("suspend")
        guard !isSuspended else { return false }
        guard !options.isTemporary else { throw LMDBError(.temporaryLost, in: "suspend", path: path) }
        let thread = currentThread()
        guard !writers.isOwnedByThisThread, !state.withLock({ $0.hasReader(of: thread) }) else {
            throw LMDBError(.closedInTransaction, in: "suspend", path: path)
        }
        let end = ContinuousClock.now + limit
        guard writers.acquire(within: limit) else {
            // Another thread has suspended it meanwhile, and keeps the turn.
            if isSuspended { return false }
            throw LMDBError(.busy, in: "suspend", path: path)
        }
        do throws(LMDBError) {
            // The turn stays taken, by no thread.
            writers.disown()
            try closeGate(until: end, refusing: refuses)
            return true
        } catch {
            writers.release()
            throw error
        }
    }

    private func closeGate(until end: ContinuousClock.Instant, refusing refuses: Bool) throws(LMDBError) {
        raiseBarrier()
        state.withLock { $0.gates += 1 }
        do throws(LMDBError) {
            let left = max(.zero, ContinuousClock.now.duration(to: end))
            let isClosed: Void? = try state.wait(within: left) { state throws(LMDBError) in
                try checkIsOpen(&state)
                guard isQuiet(state) else { return nil }
                closeEnvironment(&state)
                state.suspension = refuses ? .refusing : .waiting
                return ()
            }
            if isClosed == nil { throw LMDBError(.busy, in: "suspend", path: path) }
        } catch {
            openGate()
            throw error
        }
        // A transaction that waits at the gate is refused now.
        if refuses { state.wakeAll() }
    }

    /// Opens the file again, and lets transactions begin. Does nothing if the environment is not suspended.
    ///
    /// - Throws: The error of opening the file. Each later transaction tries again.
    package func resume() throws(LMDBError) {
        try checkFork("resume")
        var failure: LMDBError?
        // Of several threads, one opens the gate.
        let wasSuspended = state.withLock { state in
            guard state.suspension != nil else { return false }
            state.suspension = nil
            openAgain(&state)
            failure = state.failure
            return true
        }
        guard wasSuspended else { return }
        openGate()
        writers.release()
        if let failure { throw failure }
    }

    private func openGate() {
        state.withLock { $0.gates -= 1 }
        lowerBarrier()
        state.wakeAll()
    }

    /// Whether the environment is suspended.
    package var isSuspended: Bool { state.withLock { $0.suspension != nil } }

    /// Throws if the environment is suspended, and transactions are refused.
    package func refuseWhileSuspended(_ operation: String) throws(LMDBError) {
        guard barriers.load(ordering: .relaxed) > 0, state.withLock({ $0.suspension == .refusing }) else { return }
        throw LMDBError(.suspended, in: operation, path: path)
    }
}
