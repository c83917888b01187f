// A chunk of an index build: the sorted entries of a range of records, from a snapshot.
//
// The entries are written in several later transactions. Other writers may write in between. Nevertheless the build
// stores only entries of the current records, and misses none:
//
// 1. The indexes are in the catalog before the snapshot, so every later write maintains their entries like the entries
//    of ready indexes, whatever the position of the build. It deletes the entries no longer derived from the record,
//    stored or not, and stores the record's new entries. (Only its check of unique values looks at the position: it
//    reads the records after the position, too. See `holder` in UniqueCollision.swift.)
// 2. A transaction of the build stores the entry of a record in two cases only: no commit since the snapshot may have
//    changed the record, or the record in this transaction still has the entry. So each stored entry belongs to its
//    record at this moment. By 1, it is deleted when the record loses it. (A migration by rewriting records reports no
//    keys. It changes no entry: a read converts a record in the same way.)
// 3. An entry left out by the build does not belong to its record any more. The record's new entries were stored by the
//    write of the change. An entry common to the old and the new record was not touched by that write. It passes the
//    comparison in 2, and is stored.
// 4. A record inserted later has its entries by 1.
//
// The transaction of the last part also moves the position of the indexes. A build interrupted earlier starts again at
// the first record of the chunk. By 1 and 2, the entries already stored are correct: storing them again changes
// nothing.
//
// A chunk is abandoned if an index has been emptied, redefined, completed or advanced in the meantime: see
// `BuildPass.isCurrent`.

import LMDB

/// The entries of some records for the indexes of a pass.
struct BuildChunk {
    /// A position between two entries.
    struct Position {
        /// The list, and the number of its entries before the position.
        var list = 0
        var entry = 0
    }

    let pass: BuildPass
    /// The entries for each index, in the order of their bytes once sorted.
    var lists: [(index: Int, hasEntries: Bool, entries: EntrySorter)] = []
    /// The number of records read, and of all records of the type.
    var records = 0
    let total: Int
    /// The key of the last record; nil at the end of the pass.
    var last: [UInt8]?
    /// The errors of damaged records, which have no entries, and of records that the type cannot decode, whose entries
    /// follow from their bytes.
    var damaged: [StoreError] = []
    /// The number of the snapshot's last commit.
    let snapshot: UInt64
    /// The position of the next entry to write.
    var position = Position()

    init(_ pass: BuildPass, snapshot: UInt64, total: Int) {
        self.pass = pass
        self.snapshot = snapshot
        self.total = total
    }

    /// Sorts the entries for each index by their bytes. Columns for other rows than entries, such as texts, stay in the
    /// order of the records' keys.
    mutating func sort() {
        for list in lists.indices where lists[list].hasEntries { lists[list].entries.sort() }
    }

    var isWritten: Bool { isWritten(upTo: position) }

    func isWritten(upTo position: Position) -> Bool { position.list == lists.count }

    /// The key of the last indexed record once the chunk is written; nil at the end of the table.
    var end: [UInt8]? { last ?? pass.end }

    /// Returns the progress of the build. While the chunk is written, its share of finished records is its share of
    /// written entries.
    func progress(of schema: RecordSchema) -> MigrationProgress {
        let count = lists.reduce(0) { $0 + $1.entries.indices.count }
        let written = lists.prefix(position.list).reduce(position.entry) { $0 + $1.entries.indices.count }
        let done = Int(pass.done) + (isWritten ? records : records * written / max(count, 1))
        return MigrationProgress(
            type: schema.qualifiedName, phase: .indexing, done: done, total: max(done, total))
    }
}
