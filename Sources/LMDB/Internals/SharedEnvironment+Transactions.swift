// How transactions begin and end: readers from a pool, writers in their turn, both counted.

import Synchronization

extension SharedEnvironment {
    /// Begins a read transaction on the calling thread; `TransactionCore.endRead` ends it.
    package func beginRead() throws(LMDBError) -> TransactionCore {
        try checkFork("read")
        var hasSwept = false
        var adoptions = 0
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
                    reader = TransactionCore(isReadOnly: true, path: path)
                    state.readers.append(reader)
                }
                reader.publications = state.publications
                published = publishing.load(ordering: .sequentiallyConsistent)
                return reader
            }
            let code = reader.start(in: self)
            if code == 0 {
                if isSettled(reader, since: published) { return reader }
                reader.endRead()
                continue
            }
            reader.discard()
            state.withLock { state in state.readers.removeAll { $0 === reader } }
            transactionEnded()
            switch LMDBError.Code(code) {
            case .mapResized:
                try adoptMap(after: generation, attempts: &adoptions)
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

    /// Whether a reader can use every handle that was published by the time of its snapshot.
    ///
    /// It cannot when a commit with new databases fell between the moment when it looked how many had been published
    /// and its snapshot: liblmdb then shows it the databases without the handles. Such a reader begins anew, once that
    /// commit, which has already reached the disk, has published them.
    @inline(__always)
    private func isSettled(_ reader: TransactionCore, since before: UInt64) -> Bool {
        // liblmdb reads the number of the last commit without order: it must not be read after the load.
        atomicMemoryFence(ordering: .acquiring)
        let now = publishing.load(ordering: .sequentiallyConsistent)
        return now == before && now.isMultiple(of: 2) ? true : isSettledBesideACommit(reader)
    }

    private func isSettledBesideACommit(_ reader: TransactionCore) -> Bool {
        state.wait { state in
            if state.publications != reader.publications { return false }
            guard let commit = state.publishingCommit, reader.identifier >= commit else { return true }
            return nil
        }
    }

    /// Waits until it is the calling thread's turn among the writers of this process; `writers.release` passes it on.
    ///
    /// - Parameter limit: How long to wait; nil for as long as it takes.
    package func takeTurn(for operation: String, within limit: Duration? = nil) throws(LMDBError) {
        try checkFork(operation)
        if writers.isOwnedByThisThread { throw LMDBError(.nestedWrite, in: operation, path: path) }
        guard writers.acquire(within: limit) else { throw LMDBError(.busy, in: operation, path: path) }
    }

    /// Waits for the turn of the calling thread, and begins the write transaction; `TransactionCore.endWrite` ends
    /// both.
    package func beginWrite() throws(LMDBError) -> TransactionCore {
        try takeTurn(for: "write")
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
        var adoptions = 0
        while true {
            let used = growMapIfNeeded()
            let writer = TransactionCore(isReadOnly: false, path: path)
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
            try adoptMap(after: generation, attempts: &adoptions)
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
