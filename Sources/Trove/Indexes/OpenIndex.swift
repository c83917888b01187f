// An index of an open store.

import LMDB

/// An index of an open store: its handle and its state.
final class OpenIndex: Sendable {
    let kind: IndexKind
    let number: UInt32
    let database: Database
    let seed: CRC32C
    let state: IndexState
    /// The tables of a full-text index; nil for other kinds.
    let text: OpenText?

    init(
        _ kind: IndexKind, number: UInt32, _ database: Database, seed: CRC32C, _ state: IndexState,
        _ text: OpenText? = nil
    ) {
        self.kind = kind
        self.number = number
        self.database = database
        self.seed = seed
        self.state = state
        self.text = text
    }

    /// Whether the index has gathered text.
    var isGathered: Bool { text?.parts.waiting != nil }

    /// Whether the index has the entries of all records: then queries can use it.
    var isReady: Bool { state.isReady }
}
