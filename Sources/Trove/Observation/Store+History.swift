// The history of a store as an endless sequence: the commits that are kept, then each new one.

extension Store {
    /// The commits of this store after a position, the oldest first, and then each commit as it happens.
    ///
    /// ```swift
    /// for try await commit in store.history(after: token) {
    ///     for change in try commit.changes(of: Note.self) { try await send(change) }
    ///     token = commit.token
    /// }
    /// ```
    ///
    /// Unlike ``changes``, no commit is ever left out or joined with another, however slow the loop is, and none is
    /// missed while the program does not run. Commits of other processes are in the sequence as well.
    ///
    /// A loop that stores its last token in the write that holds the results applies each commit exactly once, whatever
    /// happens to the program.
    ///
    /// - Important: A loop that writes to this store itself gets its own commits too, without end. Leave the type of
    ///   the stored token out of the history by ``HistoryPolicy/excluding(_:)``. Give other writes of the loop an
    ///   author by `write(author:_:)`, and write nothing for a commit of this author.
    ///
    /// - Parameter token: The position; nil for the beginning: the oldest commit that is kept. Nil is never expired:
    ///   for a copy of all records, read them and ``ReadContext/historyToken`` in one read, and go on from that token.
    public func history(after token: HistoryToken? = nil) -> StoreHistory { StoreHistory(store: self, token: token) }
}

/// The commits of a store after a position. It keeps the store open until it is released.
///
/// An error ends a loop, which throws it. When the task is cancelled, the loop ends without an error. If no read can
/// begin because all reader slots are taken, or because the map is being enlarged, the loop tries again, as
/// ``ObservedValues`` does.
public struct StoreHistory: AsyncSequence, Sendable {
    /// An iteration throws any error of the history and of the store.
    public typealias Failure = any Error

    /// The limits of the commits that are read at once.
    private static let (batch, batchBytes) = (64, 1 << 20)

    let store: Store
    let token: HistoryToken?
    /// Waits for some time. A test replaces it.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Begins an iteration at the position.
    public func makeAsyncIterator() -> Iterator {
        Iterator(history: self, token: token, changes: store.changes.makeAsyncIterator())
    }

    /// Returns some commits after a position; none if the history has no more.
    private func commits(after token: HistoryToken?) async throws -> [HistoryCommit] {
        var attempts = RoundPace()
        while true {
            do {
                return try await store.read {
                    try $0.history(after: token, limit: Self.batch, bytes: Self.batchBytes)
                }
            } catch let error as StoreError where error.isOfABusyStore {
                try await sleep(attempts.pause(after: error, at: .now))
            }
        }
    }

    /// An iteration over commits. It ends with the iterator, or with its task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let history: StoreHistory
        fileprivate var token: HistoryToken?
        /// Nil after the end.
        fileprivate var changes: ObservedValues<StoreChange>.Iterator?
        private var commits: ArraySlice<HistoryCommit> = []

        fileprivate init(
            history: StoreHistory, token: HistoryToken?, changes: ObservedValues<StoreChange>.Iterator
        ) {
            (self.history, self.token, self.changes) = (history, token, changes)
        }

        /// Returns the next commit; nil if the task is cancelled.
        ///
        /// - Throws: The errors of ``ReadContext/history(after:limit:)``, and those of the store. Then the iteration
        ///   has ended.
        public mutating func next() async throws -> HistoryCommit? { try await next(isolation: nil) }

        /// Returns the next commit; nil if the task is cancelled.
        ///
        /// - Throws: The errors of ``ReadContext/history(after:limit:)``, and those of the store. Then the iteration
        ///   has ended.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(any Error) -> HistoryCommit? {
            do {
                while changes != nil {
                    try Task.checkCancellation()
                    if let commit = commits.popFirst() {
                        token = commit.token
                        return commit
                    }
                    commits = try await history.commits(after: token)[...]
                    if commits.isEmpty, try await changes?.next(isolation: actor) == nil { changes = nil }
                }
            } catch is CancellationError where Task.isCancelled {
                changes = nil
            } catch {
                changes = nil
                throw error
            }
            return nil
        }
    }
}
