// A document: the indexed words of a record, as word numbers. It replaces positions in postings, and leads to the words
// when the record changes or is removed.
//
//     key       = record number(5)
//     content   = F × (length(LEB) size(LEB) stream)
//     stream    = { [same] number(LEB) | gap }                         ordered: in the order of the text
//               | { difference‖more(LEB) [frequency(LEB)] }            unordered: ascending numbers, each once
//     gap       = 00 n(1…127) 00                                       n positions without a word
//     same      = 00 00 00                                             the position of the number before
//
// The length is the number of words, without gaps. In an ordered stream, the bytes of successive numbers are found by
// a search for bytes: no number has a byte 00, and only its last byte is less than 80. So a find is a phrase if the
// byte before it is less than 80. This holds for two numbers or more: 00 follows the n of a gap. A stream with several
// words at a position is read number by number.

import LMDB
import TroveCoding

/// The view of a stored document. It is valid as long as the bytes.
struct DocumentRow {
    let fields: Int
    private let content: ByteView

    /// Reads the structure of a document.
    init(_ content: ByteView, fields: Int) throws(CodingError) {
        self.content = content
        self.fields = fields
        var reader = ValueReader(content)
        for _ in 0..<fields {
            let length = try reader.readLength()
            let size = try reader.readCount()
            // Unordered, two bytes hold up to 2³² words.
            guard size > 0 || length == 0 else { throw reader.malformed("the words of a field") }
            try reader.skip(size)
        }
        try reader.finish()
    }

    /// Returns the length of a field, and its stream.
    func field(_ field: Int) throws(CodingError) -> (length: UInt64, stream: ByteView) {
        var reader = ValueReader(content)
        for _ in 0..<field {
            _ = try reader.readLength()
            try reader.skip(try reader.readLength())
        }
        let length = UInt64(try reader.readLength())
        let size = try reader.readCount()
        return (length, content[reader.offset..<reader.offset + size])
    }

    /// Returns the number of words in all fields.
    func totalLength() throws(CodingError) -> UInt64 {
        var total: UInt64 = 0
        for field in 0..<fields { total &+= try self.field(field).length }
        return total
    }
}
