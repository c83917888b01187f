// Reopening of liblmdb's environment, when it refuses all further work: after a failed write of a meta page, or after a
// failed map.

extension SharedEnvironment {
    /// Opens the environment again, as soon as no transaction of this process is open, unless another thread has done
    /// so.
    ///
    /// - Parameters:
    ///   - generation: The generation of the map at liblmdb's failure.
    ///   - attempts: The number of recoveries by the caller for the same transaction.
    /// - Throws: `panic` when the calling thread has a transaction open, or when other transactions stay open for
    ///   longer than the busy timeout; any error of opening the file.
    func recover(after generation: Int, attempts: inout Int) throws(LMDBError) {
        attempts += 1
        guard attempts <= Self.mostAdoptions else { throw LMDBError(.panic, in: "mdb_txn_begin", path: path) }
        try whenQuiet(
            or: .panic, in: "mdb_txn_begin", within: options.patience, closingGate: true,
            unless: { $0.mapGeneration != generation }
        ) { state in
            reopen(&state)
        }
        try state.withLock { state throws(LMDBError) in try checkIsOpen(&state) }
    }

    /// Closes and reopens the environment, at a moment when no transaction of this process is open. If it fails, the
    /// environment stays closed, and `State.failure` holds the reason.
    func reopen(_ state: inout State) {
        closeEnvironment(&state)
        openAgain(&state)
    }

    /// Reopens an environment closed after a failure, or throws the reason.
    func checkIsOpen(_ state: inout State) throws(LMDBError) {
        if state.suspension != nil { throw LMDBError(.suspended, in: "transaction", path: path) }
        if state.isClosed { throw LMDBError(.environmentClosed, in: "transaction", path: path) }
        guard state.failure != nil else { return }
        openAgain(&state)
        if let failure = state.failure { throw failure }
    }

    func openAgain(_ state: inout State) {
        state.mapGeneration += 1
        do throws(LMDBError) {
            try openAgain()
            do throws(LMDBError) {
                try reopenHandles(&state)
            } catch {
                closeEnvironment(&state)
                throw error
            }
            state.failure = nil
        } catch {
            state.failure = error
        }
    }

    /// Updates the handle of every database.
    private func reopenHandles(_ state: inout State) throws(LMDBError) {
        var begun: TransactionPointer?
        var code = unsafe Calls.begin(pointer, parent: nil, readOnly: true, &begun)
        guard code == 0, let transaction = unsafe begun else {
            throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
        }
        for (name, database) in state.databases {
            var handle: Handle = 0
            code = unsafe Calls.openDatabase(transaction, name.text, create: false, &handle)
            if code == 0 {
                database.setHandle(handle)
            } else if LMDBError.Code(code) == .keyNotFound {
                // Another process has dropped it.
                database.retire()
                state.databases[name] = nil
            } else {
                unsafe Calls.abort(transaction)
                throw LMDBError(.init(code), in: "mdb_dbi_open", path: path, database: name.text)
            }
        }
        // A commit, unlike an abort, keeps the handles.
        code = unsafe Calls.commit(transaction)
        guard code == 0 else { throw LMDBError(.init(code), in: "mdb_txn_commit", path: path) }
    }
}
