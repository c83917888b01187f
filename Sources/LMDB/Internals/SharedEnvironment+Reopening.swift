// Opening liblmdb's environment anew, where it refuses all further work: when a meta page could not be written, and
// when a map could not be made.

import CLMDB

extension SharedEnvironment {
    /// Opens the environment anew, as soon as no transaction of this process is open, unless another thread has done
    /// so.
    ///
    /// - Parameters:
    ///   - generation: The map with which liblmdb refused.
    ///   - attempts: How many times the caller has done this for one transaction.
    /// - Throws: `panic` when the calling thread's own transaction stands in the way, or when others do for longer than
    ///   the busy timeout; what opening the file throws.
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

    /// Closes the environment and opens it anew, at a moment when no transaction of this process is open. Where that
    /// fails, it stays closed, and `State.failure` says why.
    func reopen(_ state: inout State) {
        closeEnvironment(&state)
        openAgain(&state)
    }

    /// Opens an environment that had to be closed, or says why it cannot be opened.
    func checkIsOpen(_ state: inout State) throws(LMDBError) {
        guard state.failure != nil else { return }
        openAgain(&state)
        if let failure = state.failure { throw failure }
    }

    private func openAgain(_ state: inout State) {
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

    /// Gives every database the handle that it has now.
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
        // Committing, unlike aborting, keeps the handles.
        code = unsafe Calls.commit(transaction)
        guard code == 0 else { throw LMDBError(.init(code), in: "mdb_txn_commit", path: path) }
    }
}
