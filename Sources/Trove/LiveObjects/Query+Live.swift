// The live objects of a query's matches.

import LMDB

extension Query {
    /// Returns the live objects of the matches.
    ///
    /// Requests for relations, such as `.with(\.$chats)`, are left out: an object has no loaded relations, whether it
    /// is new or in use already. The relations of an object are queries of their own: ``Live/related(_:)``.
    ///
    /// - Parameter store: The store.
    /// - Throws: The errors of `resolve(in:)`.
    public func live(in store: Store) throws -> [Live<Record>] {
        let home = store.liveHome
        let query = withoutRequests
        return try home.reading { context in
            try query.resolve(in: context).map { record in
                try home.object(showing: FoundRecord(record), at: context.core.identifier)
            }
        }
    }
}
