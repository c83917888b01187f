// The begin and end of transactions: readers from a pool, writers in turn, both counted.

import Synchronization

extension SharedEnvironment {
    /// Begins a read transaction on the calling thread; `TransactionCore.endRead` ends it.
    @inline(__always)
    package func beginRead() throws(LMDBError) -> TransactionCore {
        try checkFork("read")
        if let reader = idleReaders.takeNearby(), renew(reader) { return reader }
        return try beginReadUnderLock()
    }

    /// Begins a read transaction without the lock, unless a barrier or a publication is in progress.
    ///
    /// The reader leaves its slot before it checks for barriers. A thread raises a barrier first, and then checks
    /// whether all readers are in their slots. So at least one of the two sees the other.
    private func renew(_ reader: TransactionCore) -> Bool {
        let published = publishing.load(ordering: .sequentiallyConsistent)
        guard barriers.load(ordering: .sequentiallyConsistent) == 0, published.isMultiple(of: 2) else {
            giveBack(reader)
            return false
        }
        reader.knownPublications = publications.load(ordering: .acquiring)
        guard reader.start(in: self) == 0 else {
            drop(reader)
            return false
        }
        if hasPublished(since: published) {
            reader.endRead()
            return false
        }
        return true
    }

    /// Begins a read transaction in all other cases: no idle reader, a barrier, a concurrent publication, or a failure.
    private func beginReadUnderLock() throws(LMDBError) -> TransactionCore {
        var hasSwept = false
        var adoptions = 0
        while true {
            var generation = 0
            var published: UInt64 = 0
            let reader = try state.wait { state throws(LMDBError) -> TransactionCore? in
                if state.suspension == .refusing { throw LMDBError(.suspended, in: "read", path: path) }
                if state.gates > 0, !state.hasReader(of: currentThread()) { return nil }
                try checkIsOpen(&state)
                generation = state.mapGeneration
                let reader: TransactionCore
                if let idle = state.idle.popLast() ?? idleReaders.takeAny() {
                    reader = idle
                } else {
                    reader = TransactionCore(isReadOnly: true, path: path)
                    state.readers.append(reader)
                }
                reader.knownPublications = publications.load(ordering: .relaxed)
                published = publishing.load(ordering: .sequentiallyConsistent)
                return reader
            }
            let code = reader.start(in: self)
            if code == 0 {
                if seesPublished(reader, since: published) { return reader }
                reader.endRead()
                continue
            }
            drop(reader)
            switch LMDBError.Code(code) {
            case .mapResized:
                try adoptMap(after: generation, attempts: &adoptions)
            case .panic:
                try recover(after: generation, attempts: &adoptions)
            case .tooManyReaders where !hasSwept:
                hasSwept = true
                dropIdleReaders()
                try sweepStaleReaders()
            case .tooManyReaders:
                let limit = try unsafe withMap { unsafe Calls.maximumReaders($0) }
                throw LMDBError(.tooManyReaders, in: "read", path: path, limit: limit)
            default:
                throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
        }
    }

    /// Returns whether a commit with new databases has begun or ended since; for a reader that has just begun.
    @inline(__always)
    private func hasPublished(since before: UInt64) -> Bool {
        // liblmdb reads the number of the last commit without memory ordering: the fence keeps its read before the
        // load.
        atomicMemoryFence(ordering: .acquiring)
        return publishing.load(ordering: .sequentiallyConsistent) != before
    }

    /// Returns whether a reader can use every handle published before its snapshot.
    ///
    /// It cannot if a commit with new databases fell between its read of the publication count and its snapshot:
    /// liblmdb then shows it the databases without the handles. Such a reader begins again after the commit, already on
    /// disk, has published the handles.
    private func seesPublished(_ reader: TransactionCore, since before: UInt64) -> Bool {
        if !hasPublished(since: before), before.isMultiple(of: 2) { return true }
        return state.wait { state in
            if publications.load(ordering: .relaxed) != reader.knownPublications { return false }
            guard let commit = state.publishingCommit, reader.identifier >= commit else { return true }
            return nil
        }
    }

    /// Returns whether no transaction of this process uses the map. Called with a barrier up, so none begins.
    func isQuiet(_ state: borrowing State, excluding own: Int = 0) -> Bool {
        state.active == own && state.idle.count + idleReaders.count == state.readers.count
    }

    /// Returns a reset reader to the pool.
    func readerEnded(_ reader: TransactionCore) {
        if !idleReaders.put(reader) { state.withLock { $0.idle.append(reader) } }
        wakeBarriers()
    }

    /// Returns a reader that was taken from its slot and not used, because a barrier is up.
    ///
    /// Who has raised the barrier may have counted the reader in its slot just before. In another slot it would be
    /// counted again, in place of a reader that is in use. It may also have been discarded since.
    private func giveBack(_ reader: TransactionCore) {
        state.withLock { state in
            if state.readers.contains(where: { $0 === reader }) { state.idle.append(reader) }
        }
        wakeBarriers()
    }

    /// Discards a reader after a failed begin.
    func drop(_ reader: TransactionCore) {
        reader.discard()
        state.withLock { state in
            state.readers.removeAll { $0 === reader }
            state.readsOfFreedReaders += reader.endedUses
        }
        wakeBarriers()
    }

    private func dropIdleReaders() {
        let idle = state.withLock { state -> [TransactionCore] in
            var idle = state.idle
            state.idle = []
            while let reader = idleReaders.takeAny() { idle.append(reader) }
            return idle
        }
        for reader in idle { drop(reader) }
    }

    /// Waits for the calling thread's turn among the writers of this process; `writers.release` passes the turn on.
    ///
    /// - Parameter limit: The maximum time to wait; nil for no limit.
    package func takeTurn(for operation: String, within limit: Duration? = nil) throws(LMDBError) {
        try checkFork(operation)
        if writers.isOwnedByThisThread { throw LMDBError(.nestedWrite, in: operation, path: path) }
        try refuseWhileSuspended(operation)
        guard writers.acquire(within: limit) else { throw LMDBError(.busy, in: operation, path: path) }
    }

    /// Waits for the calling thread's turn to write.
    ///
    /// - Throws: `writerBusy` when the deadline passes first.
    package func takeTurn(before deadline: WriteDeadline) throws(LMDBError) {
        do throws(LMDBError) {
            try takeTurn(for: "write", within: deadline.remaining)
        } catch  where error.code == .busy {
            throw writerBusy
        }
    }

    /// Returns the deadline for a write arriving now.
    package func writeDeadline() -> WriteDeadline { WriteDeadline(in: options.busyTimeout) }

    private var writerBusy: LMDBError {
        LMDBError(.writerBusy, in: "write", path: path, limit: options.busyTimeout?.wholeMilliseconds)
    }

    /// Waits for the calling thread's turn, and begins the write transaction; `TransactionCore.endWrite` ends both.
    package func beginWrite() throws(LMDBError) -> TransactionCore {
        let deadline = writeDeadline()
        try takeTurn(before: deadline)
        do throws(LMDBError) {
            return try beginWriteInTurn(before: deadline)
        } catch {
            writers.release()
            throw error
        }
    }

    /// Begins a write transaction for a caller that has the turn: a job of the writer thread. The job keeps its turn.
    package func beginWriteInTurn(before deadline: WriteDeadline = .never) throws(LMDBError) -> TransactionCore {
        try checkFork("write")
        guard !options.isReadOnly else { throw LMDBError(.readOnlyEnvironment, in: "write", path: path) }
        var hurries = 0
        var adoptions = 0
        var needsSpacer = needsFreedPages()
        while true {
            let used = growMapIfNeeded()
            let writer = TransactionCore(isReadOnly: false, path: path)
            var generation = 0
            try state.withLock { state throws(LMDBError) in
                try countTransaction(&state)
                generation = state.mapGeneration
                state.lastSerial += 1
                writer.serial = state.lastSerial
                writer.knownPublications = publications.load(ordering: .relaxed)
            }
            guard let code = writer.start(in: self, before: deadline) else { throw writerBusy }
            if code == 0 {
                do throws(LMDBError) {
                    try checkNames()
                } catch {
                    writer.endWriteInTurn()
                    throw error
                }
                if needsSpacer {
                    needsSpacer = false
                    commitSpacer(writer)
                    continue
                }
                // During the wait for liblmdb's lock, other processes may have filled the map: try to grow it again
                // before the first write. The limit is three retries, in case a process keeps filling it.
                guard hurries < 3, isMapScarce(since: used) else { return writer }
                hurries += 1
                writer.endWriteInTurn()
                continue
            }
            transactionEnded()
            switch LMDBError.Code(code) {
            case .mapResized: try adoptMap(after: generation, attempts: &adoptions)
            case .panic: try recover(after: generation, attempts: &adoptions)
            case .writerLockOrphaned: throw writerLockOrphaned
            default: throw LMDBError(.init(code), in: "mdb_txn_begin", path: path)
            }
        }
    }

    /// Makes the pages freed by the last commit usable, and ends the write transaction.
    private func commitSpacer(_ writer: TransactionCore) {
        do throws(LMDBError) {
            try writer.commitSpacer()
        } catch {
            // The write that follows reports the same error, if it lasts.
        }
        writer.endWriteInTurn()
    }

    /// Runs a closure that may read the map outside of any transaction.
    func withMap<R: Sendable>(_ body: (OpaquePointer) -> R) throws(LMDBError) -> R {
        try state.wait { state throws(LMDBError) -> Void? in
            if state.suspension == .waiting { return nil }
            return try countTransaction(&state)
        }
        defer { transactionEnded() }
        return unsafe body(pointer)
    }

    /// Counts the beginning of a use of the map.
    private func countTransaction(_ state: inout State) throws(LMDBError) {
        try checkIsOpen(&state)
        state.active += 1
    }

    /// Returns the outcome of a failed commit. liblmdb can continue after all failures except a failed write of a meta
    /// page, which may or may not have reached the disk.
    func outcomeOfFailedCommit() -> CommitOutcome {
        // An existing reader needs no free slot; all slots may be taken.
        let code: Int32
        if let reader = idleReaders.takeAny() {
            code = reader.start(in: self)
            if code == 0 { reader.endRead() } else { readerEnded(reader) }
        } else {
            code = unsafe Calls.tryReading(pointer)
        }
        return code == 0 || LMDBError.Code(code) == .mapResized ? .notCommitted : .unknown
    }

    /// Counts a commit, and sweeps dead readers from time to time. Called by the writer that has the turn.
    func noteCommit() {
        guard commitsSinceSweep.add(1, ordering: .relaxed).newValue >= Environment.commitsBetweenSweeps else { return }
        commitsSinceSweep.store(0, ordering: .relaxed)
        var dead: Int32 = 0
        _ = unsafe Calls.sweepReaders(pointer, &dead)
    }

    /// Counts the end of a use of the map.
    func transactionEnded() {
        state.withLock { $0.active -= 1 }
        wakeBarriers()
    }
}

extension SharedEnvironment.State {
    /// Returns whether a thread has a read transaction open.
    func hasReader(of thread: UInt) -> Bool { readers.contains { $0.isOwned(by: thread) } }
}
