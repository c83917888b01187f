// The suspension of a store: its file is closed, with all locks, while the store stays in use.

import LMDB

extension Store {
    /// What happens to transactions that begin while a store is suspended.
    public enum SuspendedUse: Hashable, Sendable {
        /// They wait until the store is resumed.
        case wait
        /// They throw ``StoreError/TransactionError/suspended(path:)``.
        case refuse
    }

    /// Closes the store's file, with all locks on it, until `resume()`.
    ///
    /// An app on iOS whose store is in the container of an app group must not hold a lock when the system suspends it:
    /// the system would end it. Such a store is suspended in the background by itself; see
    /// ``StoreOptions/suspendsInBackground``. Call this where no notification comes, such as at the end of work in the
    /// background. A store in the app's own container need not be suspended.
    ///
    /// ```swift
    /// try store.suspend()
    /// // another process uses the file
    /// try store.resume()
    /// ```
    ///
    /// Open transactions are waited for, and none is aborted. The store, its observers and its live objects stay as
    /// they are; what other processes commit meanwhile is seen afterwards. All references to the file in this process
    /// are suspended. A second call does nothing.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait for open transactions.
    ///   - use: What happens to transactions that begin meanwhile.
    /// - Throws: ``StoreError/TransactionError/busy(path:reason:)`` if transactions stay open for longer,
    ///   ``StoreError/TransactionError/closedInTransaction(path:)`` inside the closure of a read or a write. Then the
    ///   store is not suspended.
    @available(*, noasync, message: "await the call")
    public func suspend(within limit: Duration = .seconds(2), whileSuspended use: SuspendedUse = .wait) throws {
        try checkIsOpen()
        _ = try translatingErrors { try environment.shared.suspend(within: limit, refusing: use == .refuse) }
    }

    /// The async form of `suspend(within:whileSuspended:)`.
    public func suspend(within limit: Duration = .seconds(2), whileSuspended use: SuspendedUse = .wait) async throws {
        try await Self.onThread(of: Self.migrators) { try self.suspend(within: limit, whileSuspended: use) }
    }

    /// Opens the file of a suspended store again. Does nothing if the store is not suspended.
    ///
    /// - Throws: ``StoreError`` if the file cannot be opened. Each later transaction tries again.
    @available(*, noasync, message: "await the call")
    public func resume() throws {
        try checkIsOpen()
        try translatingErrors { try environment.shared.resume() }
    }

    /// The async form of `resume()`.
    public func resume() async throws {
        try await Self.onThread(of: Self.migrators) { try self.resume() }
    }

    /// Whether the store is suspended.
    public var isSuspended: Bool { environment.shared.isSuspended }
}
