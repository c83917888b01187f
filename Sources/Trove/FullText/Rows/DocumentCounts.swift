// The numbers of records with a word.

import TroveCoding

/// The numbers of records with a word: in any field, and in each field.
struct DocumentCounts {
    var all: UInt64 = 0
    var byField: [UInt64]

    init(fields: Int) { byField = [UInt64](repeating: 0, count: fields) }

    /// Replaces the numbers by the numbers of a stored tail.
    mutating func read(_ tail: TailRow) throws(CodingError) {
        all = tail.documentCount
        for field in byField.indices { byField[field] = try tail.documentCount(in: field) }
    }

    /// Replaces the numbers by zeros.
    mutating func reset() {
        all = 0
        for field in byField.indices { byField[field] = 0 }
    }

    /// Counts a posting.
    @inline(__always)
    mutating func add(_ postings: Postings, at index: Int) {
        all += 1
        for field in byField.indices where postings.frequency(at: index, of: field) > 0 { byField[field] += 1 }
    }

    /// Counts a posting no longer. Wrong stored counts end at 0.
    @inline(__always)
    mutating func remove(_ postings: Postings, at index: Int) {
        if all > 0 { all -= 1 }
        for field in byField.indices where postings.frequency(at: index, of: field) > 0 && byField[field] > 0 {
            byField[field] -= 1
        }
    }
}
