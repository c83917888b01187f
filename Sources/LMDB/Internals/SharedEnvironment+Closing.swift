// The orderly end of an environment: no transaction is cut off, and the file is closed when the last opener has closed.

extension SharedEnvironment {
    /// Waits until the read transactions that are open now have ended. Reads that begin later are not waited for.
    func waitForReaders() {
        raiseBarrier()  // so that the end of a read wakes this thread
        defer { lowerBarrier() }
        var open: [(reader: TransactionCore, lease: UInt64)]?
        state.wait { state -> Void? in
            let before = open ?? state.readers.map { ($0, $0.currentLease) }
            let now = before.filter { $0.reader.currentLease == $0.lease && isInUse($0.reader, state) }
            open = now
            return now.isEmpty ? () : nil
        }
    }

    private func isInUse(_ reader: TransactionCore, _ state: borrowing State) -> Bool {
        state.readers.contains { $0 === reader } && !idleReaders.contains(reader)
            && !state.idle.contains { $0 === reader }
    }

    /// Whether no transaction of this process is open. False in a child process, which must not close the file.
    var isQuietNow: Bool { ForkGuard.current == forkGeneration && state.withLock { isQuiet($0) } }

    /// Closes the environment, as soon as no transaction of this process is open. Later uses throw `environmentClosed`.
    func closeWhenQuiet() {
        raiseBarrier()
        state.wait { state -> Void? in
            guard isQuiet(state) else { return nil }
            discardReaders(&state)
            state.isClosed = true
            return ()
        }
        lowerBarrier()
        closeFile()
    }

    /// The number of read transactions of this process that have ended, counted at no cost to a read.
    package var endedReads: Int {
        state.withLock { state in state.readers.reduce(state.readsOfFreedReaders) { $0 + $1.endedUses } }
    }

    /// The transactions of this process, open or waiting for their turn.
    package var openTransactions: OpenTransactions {
        let reads = state.withLock { state in state.readers.count(where: \.isOpen) }
        return OpenTransactions(reads: reads, writes: writers.count)
    }
}
