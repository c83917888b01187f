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
    /// A loop that keeps its last token in the store, in the write that holds the results, applies each commit exactly
    /// once, whatever happens to the program.
    ///
    /// - Parameter token: The position; nil for the oldest commit that is kept.
    public func history(after token: HistoryToken? = nil) -> StoreHistory { StoreHistory(store: self, token: token) }
}

/// The commits of a store after a position. It keeps the store open until it is released.
public struct StoreHistory: AsyncSequence, Sendable {
    let store: Store
    let token: HistoryToken?

    /// Begins an iteration at the position.
    public func makeAsyncIterator() -> Iterator {
        Iterator(store: store, token: token, changes: store.changes.makeAsyncIterator())
    }

    /// An iteration over commits. It ends with the iterator, or with its task.
    public struct Iterator: AsyncIteratorProtocol {
        /// The limits of the commits that are read at once.
        private static let (batch, batchBytes) = (64, 1 << 20)

        fileprivate let store: Store
        fileprivate var token: HistoryToken?
        fileprivate var changes: ObservedValues<StoreChange>.Iterator
        private var commits: ArraySlice<HistoryCommit> = []

        fileprivate init(store: Store, token: HistoryToken?, changes: ObservedValues<StoreChange>.Iterator) {
            (self.store, self.token, self.changes) = (store, token, changes)
        }

        /// Returns the next commit; nil if the task is cancelled.
        ///
        /// - Throws: The errors of ``ReadContext/history(after:limit:)``, and those of the store. Then the iteration
        ///   has ended.
        public mutating func next() async throws -> HistoryCommit? {
            while commits.isEmpty {
                let token = token
                commits = try await store.read {
                    try $0.history(after: token, limit: Self.batch, bytes: Self.batchBytes)
                }[...]
                if commits.isEmpty, try await changes.next() == nil { return nil }
            }
            let commit = commits.removeFirst()
            token = commit.token
            return commit
        }
    }
}
