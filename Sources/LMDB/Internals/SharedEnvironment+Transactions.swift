// How transactions begin and end: readers from a pool, writers in their turn, both counted.

extension SharedEnvironment {
    /// Begins a read transaction on the calling thread; `TransactionCore.endRead` ends it.
    package func beginRead() throws(LMDBError) -> TransactionCore {
        try checkFork("read")
        var hasSwept = false
        while true {
            var generation = 0
            var published: UInt64 = 0
            let reader = try state.wait { state throws(LMDBError) -> TransactionCore? in
                if state.gates > 0, !state.hasReader(of: currentThread()) { return nil }
                try state.countTransaction()
                generation = state.mapGeneration
                let reader: TransactionCore
                if let idle = state.idle.popLast() {
                    reader = idle
                } else {
                    reader = TransactionCore(isReadOnly: true)
                    state.readers.append(reader)
                }
                reader.publications = state.publications
                published = publishing.load(ordering: .sequentiallyConsistent)
                return reader
            }
            let code = reader.start(in: self)
            if code == 0 {
                if publishing.load(ordering: .sequentiallyConsistent) == published { return reader }
                // The snapshot may hold databases whose handles it cannot use: a later one can.
                reader.endRead()
                continue
            }
            reader.discard()
            state.withLock { state in state.readers.removeAll { $0 === reader } }
            transactionEnded()
            switch LMDBError.Code(code) {
            case .mapResized:
                try adoptMap(after: generation)
            case .tooManyReaders where !hasSwept:
                hasSwept = true
                dropIdleReaders()
                try sweepStaleReaders()
            case .tooManyReaders:
                throw LMDBError(.tooManyReaders, in: "read", path: path, limit: unsafe Calls.maximumReaders(pointer))
            default:
                throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
        }
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
        var hurries = 0
        while true {
            let used = growMapIfNeeded()
            let writer = TransactionCore(isReadOnly: false)
            var generation = 0
            try state.withLock { state throws(LMDBError) in
                try state.countTransaction()
                generation = state.mapGeneration
                state.lastSerial += 1
                writer.serial = state.lastSerial
                writer.publications = state.publications
            }
            let code = writer.start(in: self)
            if code == 0 {
                // While this waited for liblmdb's lock, other processes may have filled the map: then once more, before
                // anything is written. A process that goes on doing so is not waited for.
                guard hurries < 3, isMapScarce(since: used) else { return writer }
                hurries += 1
                writer.endWriteInTurn()
                continue
            }
            transactionEnded()
            guard LMDBError.Code(code) == .mapResized else {
                throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
            try adoptMap(after: generation)
        }
    }

    /// Runs a closure that reads the map outside of any transaction.
    func withMap<R: Sendable>(_ body: (OpaquePointer) -> R) throws(LMDBError) -> R {
        try state.withLock { state throws(LMDBError) in try state.countTransaction() }
        defer { transactionEnded() }
        return unsafe body(pointer)
    }

    /// Counts one transaction less, and wakes who waits for there to be none.
    ///
    /// - Parameter idle: A reader that has been reset, for the pool.
    func transactionEnded(_ idle: TransactionCore? = nil) {
        let wakes = state.withLock { state in
            if let idle { state.idle.append(idle) }
            state.active -= 1
            return state.active == 0 && state.waiting > 0
        }
        if wakes { state.wakeAll() }
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
    /// Whether that thread has a read transaction open.
    func hasReader(of thread: UInt) -> Bool { readers.contains { $0.isOwned(by: thread) } }

    /// Counts a transaction that is about to begin.
    fileprivate mutating func countTransaction() throws(LMDBError) {
        if let mapFailure { throw mapFailure }
        active += 1
    }
}
