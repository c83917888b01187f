// The blocks of a word, one at a time.

import LMDB
import TroveCoding

/// A cursor over the blocks of a word.
final class BlockCursor {
    private let word: UInt64
    private let parts: TextParts
    private let keyspace: Keyspace
    private var cursor: SeekCursor?
    /// The key of the current block, and before it of a seek.
    private var key: [UInt8] = []
    /// A copy of the current block in a write transaction, whose pages change.
    private let copy = SpareValue()

    init(_ word: UInt64, _ reader: TextReader) {
        self.word = word
        parts = reader.parts
        keyspace = reader.keyspace
    }

    /// Opens the cursor.
    func open() throws { cursor = try keyspace.seeks(in: parts.blocks.database) }

    /// Returns the block that would have a record: the first one that ends at or after it; nil after all blocks.
    ///
    /// It is valid until the next call, or the transaction's end.
    ///
    /// - Parameter last: The last record of the current block; nil before the first block.
    func seek(_ id: UInt64, from last: UInt64?) throws -> PostingBlock? {
        guard id < RowNumber.limit else { return nil }
        // The next block is often the right one, and a step is cheaper than a seek.
        if let last, id == last + 1 || id - last < 1024, let entry = try cursor?.next() {
            guard let block = try block(entry) else { return nil }
            if block.lastID >= id { return block }
        }
        PostingBlock.writeKey(word, id, to: &key)
        guard let entry = try ByteView.with(key, { key in try cursor?.seek(key) }) else { return nil }
        return try block(entry)
    }

    /// Reads a block; nil for a block of another word.
    private func block(_ entry: Entry) throws -> PostingBlock? {
        guard entry.key.count == PostingBlock.keySize, RowNumber.read(entry.key) == word else { return nil }
        let lastID = RowNumber.read(entry.key, at: RowNumber.size)
        PostingBlock.writeKey(word, lastID, to: &key)
        var content = try parts.blocks.content(of: entry.value, key: entry.key)
        if !keyspace.core.isReadOnly { content = copy.copy(of: content) }
        return try reading { () throws(CodingError) in
            try PostingBlock(content, lastID: lastID, fields: parts.fields)
        }
    }

    /// Calls a closure that reads the current block, and converts its errors.
    func reading<R>(_ body: () throws(CodingError) -> R) throws -> R {
        try parts.blocks.reading(key, body)
    }
}
