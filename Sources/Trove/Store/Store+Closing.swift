// The orderly end of a store.

import Dispatch
import LMDB
import Logging

extension Store {
    /// Closes the store.
    ///
    /// Afterwards, every call on this reference throws ``StoreError/TransactionError/closed(path:)``, and the path can
    /// be opened again. Closing is not needed for safety: a store that is only released is closed with its last
    /// reference, and a process may end at any time. It is of use where a program must know that the file is no longer
    /// in use, for example before it moves the file, or opens it with other record types. The thread of an async call
    /// can hold the store a moment after the call has returned.
    ///
    /// The call waits for
    ///
    /// - the writes that are open or wait for their turn. They are committed or undone as usual;
    /// - the reads that are open;
    /// - the current step of a background migration or index build. The rest is done when a program opens the store
    ///   again. To complete it first, call `finishMigrations(progress:)`. A migration, a rebuild, or another call in
    ///   several steps on another thread throws ``StoreError/TransactionError/closed(path:)`` after its current step.
    ///
    /// The store's tasks that gather texts are cancelled. The async form waits until their closures have returned.
    ///
    /// It waits without limit, also for transactions of other references to the same file in this process. After five
    /// seconds, and then every 30 seconds, a warning names what it waits for (swift-log, label `trove`).
    ///
    /// Other references to the same file stay open. The last of them to be closed closes the file. A second call waits
    /// in the same way, and changes nothing.
    ///
    /// - Throws: ``StoreError/TransactionError/closedInTransaction(path:)`` inside the closure of a read or a write: it
    ///   would wait for itself. Then nothing is closed.
    @available(*, noasync, message: "await the call")
    public func close() throws { try close(warningAfter: .seconds(5)) }

    /// The async form of `close()`. The store is closed even if the task is cancelled.
    public func close() async throws {
        try await Self.onThread(of: Self.migrators) { try self.close() }
        for task in tasks { await task.end() }
    }

    func close(warningAfter patience: DispatchTimeInterval) throws {
        let warnings = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        warnings.schedule(deadline: .now() + patience, repeating: .seconds(30))
        warnings.setEventHandler { [self] in warnOfWait() }
        warnings.activate()
        defer { warnings.cancel() }
        try translatingErrors {
            try environment.close {
                for task in tasks { task.stop() }
                backgroundWork.wait()
            }
        }
        catalog.hub.inbox.noteClosing()
    }

    private func warnOfWait() {
        let open = environment.shared.openTransactions
        Logger(label: "trove").warning(
            "Closing a store waits",
            metadata: [
                "path": "\(path)", "open reads": "\(open.reads)", "writes": "\(open.writes)",
                "background migration": "\(backgroundWork.isRunning)",
            ])
    }
}
