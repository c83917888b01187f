// A full-text index in a transaction, for queries.
//
// A query turns words into numbers, and numbers into cursors (PostingCursor.swift). It scores with the statistics and
// the lengths (TextLengths.swift), and finds phrases in the documents. In a write transaction, the owner flushes the
// pending changes first.

import LMDB
import TroveCoding

/// A full-text index in a transaction.
struct TextReader {
    let parts: TextParts
    let keyspace: Keyspace

    init(_ parts: TextParts, _ keyspace: Keyspace) {
        self.parts = parts
        self.keyspace = keyspace
    }

    /// Returns the statistics of the index.
    func statistics() throws -> TextStatistics {
        let key = numberKey(0)
        guard let content = try parts.tails.content(key, keyspace) else {
            return TextStatistics(fields: parts.fields)
        }
        return try parts.tails.reading(key) { () throws(CodingError) in
            try TextStatistics(content, fields: parts.fields)
        }
    }

    // MARK: Words

    /// Returns the number of a word; nil if no record has the word.
    func number(of word: ByteView) throws -> UInt64? {
        var key: [UInt8] = []
        return try number(of: word, &key)
    }

    /// Returns the number of a word; nil if no record has the word.
    ///
    /// - Parameter key: Memory for the key of the word's row.
    func number(of word: ByteView, _ key: inout [UInt8]) throws -> UInt64? {
        guard !word.isEmpty else { return nil }
        WordKey.write(word, to: &key)
        guard let content = try parts.words.content(key, keyspace) else { return nil }
        return try number(in: content) ?? { throw parts.words.damaged(key) }()
    }

    private func number(in content: ByteView) -> UInt64? {
        guard content.count == RowNumber.size else { return nil }
        let number = RowNumber.read(content)
        return number > 0 ? number : nil
    }

    /// Calls a closure with the words with a prefix, in the order of their keys, until it returns false.
    ///
    /// A word of more than 255 bytes is given by the beginning and the hash in its key; see ``word(_:)``.
    func forEachWord(
        startingWith prefix: [UInt8], _ body: (_ word: ByteView, _ number: UInt64) throws -> Bool
    ) throws {
        if prefix.count <= WordKey.sizeLimit { guard try forEachKey(startingWith: prefix, body) else { return } }
        guard prefix.count > WordKey.headSize else { return }
        _ = try forEachKey(startingWith: ByteView.with(prefix) { WordKey.longWords(startingWith: $0) }) { key, number in
            guard let word = try word(number) else { throw parts.words.damaged(key) }
            return try word.starts(with: prefix) ? body(key, number) : true
        }
    }

    /// Calls a closure with the keys of words that begin so, in their order. Returns false once the closure does.
    private func forEachKey(
        startingWith beginning: [UInt8], _ body: (_ key: ByteView, _ number: UInt64) throws -> Bool
    ) throws -> Bool {
        guard var cursor = try keyspace.seeks(in: parts.words.database) else { return true }
        // No word is empty.
        var entry = try ByteView.with(beginning.isEmpty ? [0] : beginning) { try cursor.seek($0) }
        while let found = entry, found.key.starts(with: beginning) {
            guard try body(found.key, wordNumber(in: found)) else { return false }
            entry = try cursor.next()
        }
        return true
    }

    /// Returns the number in the row of a word.
    func wordNumber(in row: Entry) throws -> UInt64 {
        let content = try parts.words.content(of: row.value, key: row.key)
        guard let number = number(in: content) else { throw parts.words.damaged(row.key) }
        return number
    }

    /// Returns the bytes of a word; nil if there is no such word.
    func word(_ number: UInt64) throws -> [UInt8]? { try withTail(of: number) { tail in tail.word.copy() } }

    /// Returns the number of records with a word; nil if there is no such word.
    func counts(of number: UInt64) throws -> DocumentCounts? {
        try withTail(of: number) { tail throws(CodingError) in
            var counts = DocumentCounts(fields: parts.fields)
            try counts.read(tail)
            return counts
        }
    }

    /// Returns a cursor over the postings of a word; nil if there is no such word.
    func postings(of number: UInt64) throws -> PostingCursor? {
        let cursor = try withTail(of: number) { tail throws(CodingError) in
            try PostingCursor(number, tail, self)
        }
        try cursor?.open()
        return cursor
    }

    private func withTail<R>(
        of number: UInt64, _ body: (TailRow) throws(CodingError) -> R
    ) throws -> R? {
        guard number > 0, number < RowNumber.limit else { return nil }
        let key = numberKey(number)
        guard let content = try parts.tails.content(key, keyspace) else { return nil }
        return try parts.tails.reading(key) { () throws(CodingError) in
            try body(try TailRow(content, fields: parts.fields))
        }
    }

    // MARK: Records

    /// Calls a closure with the document of a record; nil if the record is not in the index.
    ///
    /// - Parameter body: Does not write. Its `CodingError`s become errors of the damaged document.
    func withDocument<R>(_ id: UInt64, _ body: (DocumentRow) throws(CodingError) -> R) throws -> R? {
        let key = numberKey(id)
        guard let content = try parts.documents.content(key, keyspace) else { return nil }
        return try parts.documents.reading(key) { () throws(CodingError) in
            try body(try DocumentRow(content, fields: parts.fields))
        }
    }

    /// Returns whether a record is in the index.
    func hasDocument(_ id: UInt64) throws -> Bool { try parts.documents.content(numberKey(id), keyspace) != nil }

    /// Returns the lengths of the records.
    func lengths() -> TextLengths { TextLengths(.stored(self)) }

    private func numberKey(_ number: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        RowNumber.append(number, to: &key)
        return key
    }
}
