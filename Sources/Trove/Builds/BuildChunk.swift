// A chunk of an index build: the entries of a range of records as a snapshot shows them, sorted.
//
// The entries are written in later transactions, a part in each. Meanwhile others may write. The build still puts no
// entry that its record does not have, and misses none:
//
// 1. The indexes are in the catalog before the snapshot. So every write after the snapshot maintains them, as it does
//    ready ones: it deletes the entries that a record had and no longer has, whether or not they are stored yet, and
//    puts those that it has now and had not. It does not look at the position of the build.
// 2. A transaction of the build puts the entry of a record only if no commit since the snapshot may have changed that
//    record, or if the record as the transaction shows it still has the entry. So each entry that is put is an
//    entry of its record at that moment, and by 1 it is deleted when it is no longer one. (A migration that rewrites
//    records reports no keys. It changes no entry: a read converts a record in the same way.)
// 3. An entry that the build leaves out is not one of its record any more. What the record has instead was put
//    by the write that changed it. An entry that the write has left alone, because the old and the new record both have
//    it, passes the comparison in 2, and is put.
// 4. A record that is inserted later has its entries by 1.
//
// The position of the indexes moves when the last part is written, in the same transaction. A build that ends
// before begins again with the first record of the chunk. The entries that it left are those of their records, by 1 and
// 2: to put them again changes nothing.
//
// A chunk is given up when an index has been emptied, redefined or completed since, or is further: see
// `BuildPass.isCurrent`.

import LMDB

/// The entries of some records for the indexes of a pass.
struct BuildChunk {
    /// A place between two entries.
    struct Position {
        /// The list, and the number of its entries before the place.
        var list = 0
        var entry = 0
    }

    let pass: BuildPass
    /// The entries for each index, in the order of their bytes once they are sorted.
    var lists: [(index: Int, entries: EntrySorter)] = []
    /// The number of records read, and of all records of the type.
    var records = 0
    let total: Int
    /// The key of the last record; nil at the end of the pass.
    var last: [UInt8]?
    /// The errors of damaged records, which have no entries.
    var damaged: [StoreError] = []
    /// The number of the last commit that the snapshot shows.
    let snapshot: UInt64
    /// The place up to which the entries are written.
    var position = Position()

    init(_ pass: BuildPass, snapshot: UInt64, total: Int) {
        self.pass = pass
        self.snapshot = snapshot
        self.total = total
    }

    /// Sorts the entries for each index by their bytes.
    mutating func sort() {
        for list in lists.indices { lists[list].entries.sort() }
    }

    var isWritten: Bool { isWritten(upTo: position) }

    func isWritten(upTo position: Position) -> Bool { position.list == lists.count }

    /// The key of the last record whose entries the indexes have when the chunk is written; nil at the end of the
    /// table.
    var end: [UInt8]? { last ?? pass.end }

    /// Returns how far the build is. While the chunk is written, the share of its records that are done is that of its
    /// entries.
    func progress(of schema: RecordSchema) -> MigrationProgress {
        let count = lists.reduce(0) { $0 + $1.entries.indices.count }
        let written = lists.prefix(position.list).reduce(position.entry) { $0 + $1.entries.indices.count }
        let done = Int(pass.done) + (isWritten ? records : records * written / max(count, 1))
        return MigrationProgress(
            type: schema.qualifiedName, phase: .indexing, done: done, total: max(done, total))
    }
}
