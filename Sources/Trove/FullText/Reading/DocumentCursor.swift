// The documents of candidates, one at a time.

import LMDB
import TroveCoding

/// A cursor over documents. Lookups in the order of the records are the fastest: a lookup near the last starts from its
/// page.
final class DocumentCursor {
    private let text: SearchedText
    private var cursor: SeekCursor?
    private var key: [UInt8] = []

    init(_ text: SearchedText) { self.text = text }

    /// Calls a closure with the document of a record; nil if the record is not in the index.
    ///
    /// - Parameter body: Does not write. Its `CodingError`s become errors of the damaged document.
    func withDocument<R>(_ id: UInt64, _ body: (DocumentRow) throws(CodingError) -> R) throws -> R? {
        switch text {
        case .stored(let reader): try withDocument(id, reader, body)
        case .scanned(let text): try text.withDocument(id, body)
        }
    }

    private func withDocument<R>(
        _ id: UInt64, _ reader: TextReader, _ body: (DocumentRow) throws(CodingError) -> R
    ) throws -> R? {
        let documents = reader.parts.documents
        if cursor == nil { cursor = try reader.keyspace.seeks(in: documents.database) }
        key.removeAll(keepingCapacity: true)
        RowNumber.append(id, to: &key)
        return try ByteView.with(key) { key in
            guard let entry = try cursor?.seek(key), entry.key.compare(key) == 0 else { return nil }
            let content = try documents.content(of: entry.value, key: key)
            return try documents.reading(key) { () throws(CodingError) in
                try body(try DocumentRow(content, fields: reader.parts.fields))
            }
        }
    }
}
