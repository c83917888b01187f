// The next pass of a build over the records of a type. It builds the indexes with the least progress together. An index
// with more progress joins when the others reach its position.

import LMDB

/// The indexes of the next chunk, and the records to index.
struct BuildPass {
    /// The indexes, as positions in the type's list, and by number.
    let indices: [Int]
    let numbers: [UInt32]
    /// The key of the last indexed record; empty if there is none.
    let start: [UInt8]
    /// The number of records indexed so far.
    let done: UInt64
    /// The last key of the pass: the position of the next index with more progress; nil without such an index.
    let end: [UInt8]?
    /// The schema epoch at the creation of the pass.
    let epoch: UInt64
    /// The records changed from now on.
    let changes: BuildChanges

    /// The records from the start to the end.
    var range: ScanRange {
        ScanRange(from: ScanRange(after: start).lower, upTo: end.map { KeyRange.all.after($0).lower })
    }

    /// - Parameter failed: The names of indexes that are not built.
    /// - Returns: Nil if all other indexes are ready.
    init?(
        _ table: RecordTable, _ stored: CatalogType, without failed: Set<String> = [], epoch: UInt64,
        _ changes: BuildChanges
    ) {
        let unfinished = table.indexes.enumerated().compactMap { index, target in
            stored.indexes[target.number].flatMap { declared in
                declared.isReady || failed.contains(declared.text)
                    ? nil : (index: index, number: target.number, state: declared.state)
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

    /// Whether the indexes of the pass and their positions are unchanged.
    ///
    /// Emptying, redefining or completing an index begins a new schema epoch. Another process building the same indexes
    /// moves their positions.
    func isCurrent(_ stored: CatalogType, epoch: UInt64) -> Bool {
        self.epoch == epoch && numbers.allSatisfy { stored.indexes[$0]?.state.position == start }
    }
}
