// The rules for the history of a store, which an opening declares.

import LMDB

extension Store {
    /// Stores the declared rules for the history, unless the store has them.
    func adoptHistory() throws {
        guard let policy = historyPolicy else { return }
        if let problem = policy.problem {
            throw StoreError.history(.invalidPolicy(path: path, reason: problem))
        }
        guard !isReadOnly, try readToEnd({ $0.catalogSnapshot.history }) != policy.rules else { return }
        try write { try $0.setHistory(policy.rules) }
    }
}
