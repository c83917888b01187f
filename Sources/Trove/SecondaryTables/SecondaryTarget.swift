// Where the entries of a secondary table go.

import LMDB

/// A secondary table of a store, ready for use.
final class SecondaryTarget: Sendable {
    let kind: SecondaryKind
    let number: UInt32
    let database: Database
    let seed: CRC32C
    /// Whether it has the entries of all records, so that queries may rely on it.
    let isReady: Bool
    /// Whether a unique value may stand in it twice.
    let mayRepeat: Bool

    init(_ table: CatalogSecondaryTable, number: UInt32, _ database: Database, seed: CRC32C, isReady: Bool) {
        kind = table.kind
        self.number = number
        self.database = database
        self.seed = seed
        self.isReady = isReady
        mayRepeat = table.mayRepeat
    }
}
