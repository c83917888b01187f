// Where the entries of a secondary table go.

import LMDB

/// A secondary table of a store, ready for use.
struct SecondaryTarget: Sendable {
    let number: UInt32
    let database: Database
    let seed: CRC32C
    /// Whether it has the entries of all records, so that queries may rely on it.
    let isReady: Bool
}
