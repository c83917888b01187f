// The row of a record whose text is to be gathered.
//
//     key: record key     content: note(8)     little-endian: the number of the commit with the note
//
// Each save of the record writes a new note. So a text that was gathered before the save is not stored after it. Copies
// go on with the numbers of commits; the numbers of LMDB's transactions begin again in a compacted copy.

import LMDB
import TroveCoding

/// The content of a row of the waiting records.
enum WaitingRow {
    static let size = 8

    /// Appends the content of a row.
    static func append(_ note: UInt64, to row: inout [UInt8]) {
        for shift in stride(from: 0, to: 64, by: 8) { row.append(UInt8(truncatingIfNeeded: note >> UInt64(shift))) }
    }

    /// Reads the content of a row.
    static func read(_ content: ByteView) throws(CodingError) -> UInt64 {
        guard content.count == size else { throw CodingError(.malformed(expected: "the note of a waiting record")) }
        return content.integer(at: 0, as: UInt64.self)
    }
}
