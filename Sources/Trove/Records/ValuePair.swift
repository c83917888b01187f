// Two values of a record, before and after a change.

import LMDB
import TroveCoding

/// Two values of a record in the current layout, read together, a property at a time.
struct ValuePair: ~Copyable {
    private let entries = EntryBatch.Storage(capacity: 2)
    private var run: RecordRun

    init() { run = RecordRun(entries.batch(count: 2)) }

    /// Sets the values, to be read from their first property on while the bytes are valid.
    mutating func set(_ old: ByteView, _ new: ByteView) {
        entries[0] = Entry(ByteView(), old)
        entries[1] = Entry(ByteView(), new)
        run.rewind()
    }

    /// Whether all properties are the same.
    var isSame: Bool { run.fields(at: 0).equals(run.fields(at: 1)) }

    /// Reads the next property of both values. Returns whether its bytes are equal.
    mutating func skip(_ skip: PropertySkip, compares: Bool) throws(CodingError) -> Bool {
        let (oldStart, newStart) = (run.position(at: 0), run.position(at: 1))
        try skip(&run)
        guard compares else { return true }
        let old = run.fields(at: 0)[oldStart..<run.position(at: 0)]
        return old.equals(run.fields(at: 1)[newStart..<run.position(at: 1)])
    }
}
