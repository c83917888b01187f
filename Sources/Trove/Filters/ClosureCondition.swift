// A condition that a closure decides on decoded records. No index serves it.

import LMDB
import TroveCoding

/// A closure as a condition, without the type of its records.
final class ClosureCondition: Sendable {
    /// Returns the matches among some records of a run, a bit each.
    let bits: @Sendable (inout RecordRun, _ candidates: UInt64) throws(CodingError) -> UInt64

    init<Record: IndexKeyRecord>(_ matches: @escaping @Sendable (Record) -> Bool) {
        bits = { (run, candidates) throws(CodingError) in
            var found: UInt64 = 0
            for index in 0..<run.count where candidates & 1 &<< UInt64(index) != 0 {
                if matches(try run.decodeRecord(at: index)) { found |= 1 &<< UInt64(index) }
            }
            return found
        }
    }

    /// The test for all records of a run.
    var test: RunTest {
        let bits = bits
        return { run throws(CodingError) in try bits(&run, run.all) }
    }
}

extension RecordRun {
    /// Decodes a record.
    mutating func decodeRecord<Record: IndexKeyRecord>(at index: Int) throws(CodingError) -> Record {
        current = index
        var reader = RecordReader(key: key(at: index), fields: fields(at: index))
        let record = try Record(decoding: &reader)
        try reader.finish()
        return record
    }
}

extension Filter {
    /// Creates a filter of a closure, for conditions that no stored property expresses.
    ///
    /// ```swift
    /// let long = try Message.filter(\.isRead == false && .where { $0.text.count > 80 }).resolve(in: store)
    /// ```
    ///
    /// No index serves a closure. The records that match the other conditions are read and decoded, relations unset,
    /// and the closure is called with each of them, also for a count. ``Explainable/explain`` says so.
    ///
    /// - Parameter matches: Returns whether a record matches. It can be called several times with a record.
    public static func `where`(_ matches: @escaping @Sendable (Record) -> Bool) -> Filter {
        Filter(ClosureCondition(matches))
    }
}
