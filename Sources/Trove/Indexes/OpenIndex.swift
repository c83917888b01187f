// An index of an open store.

import LMDB

/// An index of an open store: its handle and its state.
final class OpenIndex: Sendable {
    let kind: IndexKind
    let number: UInt32
    let database: Database
    let seed: CRC32C
    let state: IndexState
    /// The further tables of the index, as its kind has opened them; nil if it has one table.
    let parts: (any AnyObject & Sendable)?

    init(_ kind: IndexKind, _ tables: IndexTables, parts: (any AnyObject & Sendable)? = nil) {
        self.kind = kind
        number = tables.name.table.rawValue
        database = tables.database
        seed = tables.name.checksumSeed
        state = tables.state
        self.parts = parts
    }

    /// Whether the index has the entries of all records: then queries can use it.
    var isReady: Bool { state.isReady }
}
