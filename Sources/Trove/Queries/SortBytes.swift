// The bytes by which the records of a run are sorted.

import LMDB
import TroveCoding

/// The sort bytes of the records of a run: each property in turn, then the record key. So ties are in key order.
struct SortBytes {
    private(set) var rows: [[UInt8]] = Array(repeating: [], count: EntryBatch.capacity)
    var isComplemented = false

    mutating func removeAll() {
        for index in rows.indices { rows[index].removeAll(keepingCapacity: true) }
    }

    /// Appends bytes to the sort bytes of a record. They are complemented if greater values come first.
    mutating func append(_ bytes: ByteView, to index: Int) {
        let start = rows[index].count
        bytes.append(to: &rows[index])
        guard isComplemented else { return }
        for place in start..<rows[index].count { rows[index][place] = ~rows[index][place] }
    }

    /// Reads the sort bytes of each record of a run whose bit is set.
    mutating func read<Record>(
        _ run: inout RecordRun, _ matches: UInt64, _ keys: [SortKey<Record>]
    ) throws(CodingError) {
        removeAll()
        for key in keys { try key.read(&run, matches, into: &self) }
        isComplemented = false
        for index in 0..<run.count where matches & 1 &<< UInt64(index) != 0 {
            append(run.key(at: index), to: index)
        }
    }
}
