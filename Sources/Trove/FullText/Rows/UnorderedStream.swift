// The words of a field without their order.

import LMDB
import TroveCoding

/// A reader of an unordered stream (DocumentRow.swift). The bytes outlive the reader.
struct UnorderedStream: ~Copyable {
    private var reader: ValueReader
    private var word: UInt64 = 0

    init(_ stream: ByteView) { reader = ValueReader(stream) }

    /// Reads the next word; nil at the end.
    mutating func next() throws(CodingError) -> (word: UInt64, frequency: UInt32)? {
        guard reader.remaining > 0 else { return nil }
        let difference = try reader.readNumber(atMost: RowNumber.limit << 1)
        word += difference >> 1
        guard difference > 1, word < RowNumber.limit else { throw reader.malformed("ascending words") }
        guard difference & 1 == 1 else { return (word, 1) }
        let frequency = try reader.readNumber(atMost: UInt64(UInt32.max))
        guard frequency > 1 else { throw reader.malformed("a frequency above 1") }
        return (word, UInt32(frequency))
    }

    /// Appends a word to a stream.
    ///
    /// - Parameter last: The word before; 0 for the first word.
    static func append(_ word: UInt64, after last: UInt64, frequency: UInt32, to stream: inout [UInt8]) {
        LEB128.append((word - last) << 1 | (frequency > 1 ? 1 : 0), to: &stream)
        if frequency > 1 { LEB128.append(UInt64(frequency), to: &stream) }
    }
}
