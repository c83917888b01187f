// The rules for the history of a store, which an opening declares.

import LMDB

extension Store {
    /// Stores the declared rules for the history, unless the store has them.
    func adoptHistory() throws {
        guard let policy = historyPolicy else { return }
        if let problem = policy.problem {
            throw StoreError.history(.invalidPolicy(path: path, reason: problem))
        }
        let declared = policy.rules.map(excludingFollowingTypes)
        let (rules, writeError) = try readToEnd { ($0.catalogSnapshot.history, $0.catalogSnapshot.writeError) }
        guard !isReadOnly, writeError == nil, rules != declared else { return }
        try write { context in
            // Another opening can have stored the rules in the meantime.
            if try context.catalogStorage().history() != declared { try context.setHistory(declared) }
        }
    }

    /// Returns rules that also leave out the times of left out entities, and what is kept of deleted ones: records of
    /// hidden types.
    private func excludingFollowingTypes(_ rules: CatalogHistory) -> CatalogHistory {
        var rules = rules
        for type in declaredTypes where rules.excluded.contains(type.schema.keyPrefix) {
            for following in type.schema.entity?.type.followingTypes ?? [] {
                rules.excluded.insert(following.schema.keyPrefix)
            }
        }
        return rules
    }
}
