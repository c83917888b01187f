// The live objects of a query's matches.

import LMDB

extension Query {
    /// Returns the live objects of the matches.
    ///
    /// - Parameter store: The store.
    /// - Throws: The errors of `resolve(in:)`.
    public func live(in store: Store) throws -> [Live<Record>] {
        let home = store.liveHome
        return try home.reading { context in
            try resolve(in: context).map { try home.object(FoundRecord($0), at: context.core.identifier) }
        }
    }
}

extension KeyQuery {
    /// Returns the live objects of the matches.
    ///
    /// - Parameter store: The store.
    /// - Throws: The errors of `select(in:)`.
    public func live(in store: Store) throws -> [Live<Record>] { try Query(self).live(in: store) }
}
