// The end of a write transaction by damage that a change of an index has met.

import LMDB

extension TransactionContext {
    /// Calls a closure that writes into an index. If it throws, the transaction cannot commit.
    ///
    /// - Parameter database: The first table of the index.
    func poisoningIfDamaged(_ database: Database, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            keyspace.poison(because: error, in: "index", database)
            throw error
        }
    }
}
