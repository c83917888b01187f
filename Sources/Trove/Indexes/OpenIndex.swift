// Where the entries of an index go.

import LMDB

/// An index of a store, ready for use.
final class OpenIndex: Sendable {
    let kind: IndexKind
    let number: UInt32
    let database: Database
    let seed: CRC32C
    /// Whether it has the entries of all records, so that queries may rely on it.
    let isReady: Bool
    /// Whether a unique value may stand in it twice.
    let mayHaveDuplicates: Bool

    init(_ table: CatalogIndex, number: UInt32, _ database: Database, seed: CRC32C, isReady: Bool) {
        kind = table.kind
        self.number = number
        self.database = database
        self.seed = seed
        self.isReady = isReady
        mayHaveDuplicates = table.mayHaveDuplicates
    }
}
