// The sort bytes of the records of a run.

import LMDB
import TroveCoding

/// The sort bytes of the records of a run: each property in turn, then the record key. So ties are in key order.
struct SortBytes {
    private(set) var values: [[UInt8]] = Array(repeating: [], count: EntryBatch.capacity)
    var isComplemented = false

    mutating func removeAll() {
        for index in values.indices { values[index].removeAll(keepingCapacity: true) }
    }

    /// Appends bytes to the sort bytes of a record. They are complemented if greater values come first.
    mutating func append(_ bytes: ByteView, to index: Int) {
        let start = values[index].count
        bytes.append(to: &values[index])
        guard isComplemented else { return }
        for place in start..<values[index].count { values[index][place] = ~values[index][place] }
    }

    /// Reads the bytes of some properties, without the record key, of each record of a run whose bit is set.
    mutating func read(
        _ run: inout RecordRun, _ matches: UInt64, properties terms: [SortTerm]
    ) throws(CodingError) {
        removeAll()
        for term in terms { try term.read(&run, matches, into: &self) }
    }

    /// Reads the sort bytes of each record of a run whose bit is set.
    mutating func read(
        _ run: inout RecordRun, _ matches: UInt64, _ terms: [SortTerm]
    ) throws(CodingError) {
        try read(&run, matches, properties: terms)
        isComplemented = false
        for index in 0..<run.count where matches & 1 &<< UInt64(index) != 0 {
            append(run.key(at: index), to: index)
        }
    }
}
