// The next pass of a build over the records of a type. Indexes that are equally far are built in one pass. An index
// that is further waits until the others have come as far.

import LMDB

/// The indexes that the next chunk is for, and the records that it may cover.
struct BuildPass {
    /// The indexes, as positions in the type's list, and by number.
    let indices: [Int]
    let numbers: [UInt32]
    /// The key of the last record whose entries the indexes have; empty where they have none.
    let start: [UInt8]
    /// The number of records up to there.
    let done: UInt64
    /// The key of the last record before an index joins that is further; nil where none is.
    let end: [UInt8]?
    /// The schema epoch of the transaction that made the pass.
    let epoch: UInt64
    /// The records that change from now on.
    let changes: BuildChanges

    /// The records from the start to the end.
    var range: ScanRange {
        ScanRange(from: ScanRange(after: start).lower, upTo: end.map { KeyRange.all.after($0).lower })
    }

    /// - Returns: Nil when all indexes are ready.
    init?(_ table: RecordTable, _ stored: CatalogType, epoch: UInt64, _ changes: BuildChanges) {
        let unfinished = table.indexes.enumerated().compactMap { index, target in
            stored.indexes[target.number].flatMap { declared in
                declared.isReady ? nil : (index: index, number: target.number, state: declared.state)
            }
        }
        let positions = unfinished.map(\.state.position).sorted { $0.lexicographicallyPrecedes($1) }
        guard let start = positions.first else { return nil }
        let first = unfinished.filter { $0.state.position == start }
        indices = first.map(\.index)
        numbers = first.map(\.number)
        self.start = start
        done = first[0].state.done
        end = positions.first { $0 != start }
        self.epoch = epoch
        self.changes = changes
    }

    /// Whether the indexes are still those of the pass, and as far as they were.
    ///
    /// All that empties an index, defines it otherwise or completes it begins a new schema epoch. Another process that
    /// builds the same indexes moves their positions.
    func isCurrent(_ stored: CatalogType, epoch: UInt64) -> Bool {
        self.epoch == epoch && numbers.allSatisfy { stored.indexes[$0]?.state.position == start }
    }
}
