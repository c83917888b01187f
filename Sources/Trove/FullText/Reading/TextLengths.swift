// The lengths of records, for their scores.

import LMDB
import TroveCoding

/// The lengths of the records of a full-text index, read page by page; the lengths of scanned records are in memory.
final class TextLengths {
    private let text: SearchedText
    /// The number of the page; always nil for scanned records.
    private var page: UInt64?
    /// The content of the page; nil if the page does not exist.
    private var content: ByteView?
    private var key: [UInt8] = []
    /// A copy of the page in a write transaction, whose pages change.
    private let copy = SpareValue()

    init(_ text: SearchedText) { self.text = text }

    /// Returns the number of words in all fields of a record; 0 for a record outside the index.
    ///
    /// In a write transaction, it is the length at the first call for the record's page.
    func length(of id: UInt64) throws -> UInt64 {
        if page != id / LengthPage.capacity {
            switch text {
            case .stored(let reader): try readPage(id / LengthPage.capacity, reader)
            case .scanned(let scanned): return scanned.length(of: id)
            }
        }
        guard let content else { return 0 }
        let length = content.integer(at: 2 * Int(id % LengthPage.capacity), as: UInt16.self)
        guard length == LengthPage.greatest else { return UInt64(length) }
        let total = try text.withDocument(id) { document throws(CodingError) in try document.totalLength() }
        return total ?? 0
    }

    private func readPage(_ number: UInt64, _ reader: TextReader) throws {
        page = nil
        content = nil
        LengthPage.writeKey(number, to: &key)
        if let stored = try reader.parts.lengths.content(key, reader.keyspace) {
            guard stored.count == LengthPage.size else { throw reader.parts.lengths.damaged(key) }
            content = reader.keyspace.core.isReadOnly ? stored : copy.copy(of: stored)
        }
        page = number
    }
}

extension SpareValue {
    /// Returns a copy of bytes, valid until the next call.
    func copy(of bytes: ByteView) -> ByteView {
        let copy = reserve(bytes.count)
        bytes.withSpan { bytes in copy.write { copyBytes(bytes, into: &$0) } }
        return copy.view
    }
}
