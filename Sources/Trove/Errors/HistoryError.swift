// The errors of the history of commits.

extension StoreError {
    /// An error of the history of commits.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum HistoryError: Hashable, Sendable {
        /// The store keeps no history.
        case notKept(path: String)
        /// The commits after a token are no longer kept. `oldest` is the number of the oldest commit that is kept.
        case expired(path: String, commit: UInt64, oldest: UInt64)
        /// A token is of another store.
        case ofOtherStore(path: String)
        /// A token is of a copy of the store with other commits since, or of the time before a copy was restored.
        case ofOtherCopy(path: String, commit: UInt64, newest: UInt64)
        /// The rules of a history are not valid. `reason` says which.
        case invalidPolicy(path: String, reason: String)
    }
}

extension StoreError.HistoryError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .notKept(let path):
            "\(path) keeps no history. Open it with StoreOptions(history: .keep(days: 30))."
        case .expired(let path, let commit, let oldest):
            "The history of \(path) no longer has the commits after \(commit): it begins at commit \(oldest). Read all records and their historyToken in one read, and go on from that token."
        case .ofOtherStore(let path):
            "The token is not of \(path), but of another store. Use a token of this store."
        case .ofOtherCopy(let path, let commit, let newest):
            "The token is of another copy of \(path): its commit \(commit) is not in this history, which ends at commit \(newest). Read all records and their historyToken in one read, and go on from that token."
        case .invalidPolicy(let path, let reason):
            "The rules for the history of \(path) are not valid: \(reason)"
        }
    }
}
