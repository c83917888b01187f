// The words of the latest transactions, kept for the next one.

import LMDB

/// The words that the transactions of a process have used lately, with their stored numbers, by index.
///
/// A write transaction takes the words of an index, and gives them back after its commit. The words are valid as long
/// as the process has made each commit of the file: a commit whose number is missing may have changed them.
final class KnownWords: CommitFollower {
    private struct State {
        /// The number of the last commit.
        var commit = 0
        var tables: [TableName: WordTable] = [:]
    }

    private let state = Monitor(State())

    /// Removes and returns the words of an index; nil if none are known.
    ///
    /// - Parameters:
    ///   - name: The name of the index's first table.
    ///   - commit: The number of the commit of the transaction that takes them.
    func take(_ name: TableName, for commit: Int) -> WordTable? {
        state.withLock { state in
            state.commit + 1 == commit ? state.tables.removeValue(forKey: name) : nil
        }
    }

    /// Keeps words of a transaction that has committed. A commit can be noted several times.
    ///
    /// - Parameter commit: The number of the commit.
    func keep(_ tables: [TableName: WordTable], after commit: Int) {
        state.withLock { state in
            if state.commit != commit, state.commit + 1 != commit { state.tables = [:] }
            state.commit = commit
            if !tables.isEmpty { state.tables.merge(tables) { $1 } }
        }
    }

    /// Forgets all words: indexes may be emptied or removed.
    func removeAll() { state.withLock { $0.tables = [:] } }

    /// Notes a commit of this process. The words stay valid, unless types in the catalog have changed.
    func noteCommit(_ transaction: Int, hasChangedTypes: Bool) {
        if hasChangedTypes { removeAll() }
        keep([:], after: transaction)
    }
}

extension Catalog {
    /// The words of full-text indexes that this process's writes have used lately.
    var knownWords: KnownWords { attachments.object { KnownWords() } }
}
