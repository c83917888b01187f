// How transactions begin and end: readers from a pool, writers in their turn, both counted.

extension SharedEnvironment {
    /// Begins a read transaction on the calling thread; `TransactionCore.endRead` ends it.
    package func beginRead() throws(LMDBError) -> TransactionCore {
        try checkFork("read")
        var hasSwept = false
        while true {
            let reader = state.withLock { state -> TransactionCore in
                state.active += 1
                let reader: TransactionCore
                if let idle = state.idle.popLast() {
                    reader = idle
                } else {
                    reader = TransactionCore(isReadOnly: true)
                    state.readers.append(reader)
                }
                reader.handleLimit = state.handleLimit
                return reader
            }
            let code = reader.start(in: self)
            if code == 0 { return reader }
            state.withLock { state in
                state.active -= 1
                state.readers.removeAll { $0 === reader }
            }
            reader.discard()
            switch LMDBError.Code(code) {
            case .mapResized:
                try adoptMap()
            case .tooManyReaders where !hasSwept:
                hasSwept = true
                dropIdleReaders()
                try sweepStaleReaders()
            case .tooManyReaders:
                throw LMDBError(.tooManyReaders, in: "read", path: path, limit: options.maximumReaders)
            default:
                throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
        }
    }

    /// Takes a reader back that has been reset.
    func endRead(_ reader: TransactionCore) {
        let wake = state.withLock { state in
            state.idle.append(reader)
            return state.transactionEnded()
        }
        if wake { quiet.withLock { quiet.wakeAll() } }
    }

    /// Waits for the turn of the calling thread, and begins the write transaction; `TransactionCore.endWrite` ends
    /// both.
    package func beginWrite() throws(LMDBError) -> TransactionCore {
        try checkFork("write")
        try writers.acquire(for: "write")
        do throws(LMDBError) {
            return try beginWriteInTurn()
        } catch {
            writers.release()
            throw error
        }
    }

    /// The same for a caller that has the turn already: a job of the writer thread. Its turn stays its own.
    package func beginWriteInTurn() throws(LMDBError) -> TransactionCore {
        try checkFork("write")
        guard !options.isReadOnly else { throw LMDBError(.readOnlyEnvironment, in: "write", path: path) }
        growMapIfNeeded()
        while true {
            let writer = TransactionCore(isReadOnly: false)
            state.withLock { state in
                state.active += 1
                state.lastSerial += 1
                writer.serial = state.lastSerial
                writer.handleLimit = state.handleLimit
            }
            let code = writer.start(in: self)
            if code == 0 { return writer }
            writeEnded()
            guard LMDBError.Code(code) == .mapResized else {
                throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
            try adoptMap()
        }
    }

    func writeEnded() {
        if state.withLock({ $0.transactionEnded() }) { quiet.withLock { quiet.wakeAll() } }
    }

    private func dropIdleReaders() {
        let idle = state.withLock { state -> [TransactionCore] in
            let idle = state.idle
            state.idle = []
            state.readers.removeAll { reader in idle.contains { $0 === reader } }
            return idle
        }
        for reader in idle { reader.discard() }
    }
}

extension SharedEnvironment.State {
    /// Counts one transaction less; true when someone waits for there to be none.
    fileprivate mutating func transactionEnded() -> Bool {
        active -= 1
        return active == 0 && waiting > 0
    }
}
