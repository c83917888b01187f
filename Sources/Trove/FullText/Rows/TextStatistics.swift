// The statistics of a full-text index: absolute values, never estimates.
//
//     key     = 0, as a word number(5)
//     content = version(1) F(1) N(LEB) nextWord(LEB) words(LEB) F × sum of lengths(LEB)
//
// N counts records without words too.

import LMDB
import TroveCoding

/// The statistics of a full-text index.
struct TextStatistics: Equatable {
    private static let version: UInt8 = 1

    /// The number of records in the index.
    var documentCount: UInt64 = 0
    /// The number of the next new word.
    var nextWord: UInt64 = 1
    /// The number of words with records.
    var wordCount: UInt64 = 0
    /// The number of words in each field of all records.
    var totalLengths: [UInt64]

    /// Creates the statistics of an empty index.
    init(fields: Int) { totalLengths = [UInt64](repeating: 0, count: fields) }

    /// The number of words in all fields of all records.
    var totalLength: UInt64 { totalLengths.reduce(0, &+) }

    init(_ content: ByteView, fields: Int) throws(CodingError) {
        self.init(fields: fields)
        var reader = ValueReader(content)
        guard try reader.readByte() == Self.version else { throw reader.malformed("version \(Self.version)", at: 0) }
        guard try reader.readByte() == UInt8(fields) else { throw reader.malformed("\(fields) fields", at: 1) }
        documentCount = try reader.readNumber(atMost: RowNumber.limit)
        nextWord = try reader.readNumber(atMost: RowNumber.limit)
        wordCount = try reader.readNumber(atMost: RowNumber.limit)
        guard nextWord > wordCount else { throw reader.malformed("fewer words than \(nextWord)") }
        for field in 0..<fields { totalLengths[field] = UInt64(try reader.readLength()) }
        try reader.finish()
    }

    /// Appends the content of the row.
    func append(to row: inout [UInt8]) {
        row.append(Self.version)
        row.append(UInt8(totalLengths.count))
        LEB128.append(documentCount, to: &row)
        LEB128.append(nextWord, to: &row)
        LEB128.append(wordCount, to: &row)
        for length in totalLengths { LEB128.append(length, to: &row) }
    }
}
