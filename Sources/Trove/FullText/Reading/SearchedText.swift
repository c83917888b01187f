// The words that a search reads: from an index or, until the index is built, from a scan of all records.

import LMDB
import TroveCoding

/// The words of the records, for a search.
enum SearchedText {
    case stored(TextReader)
    case scanned(ScannedText)

    /// The number of fields.
    var fields: Int {
        switch self {
        case .stored(let reader): reader.parts.fields
        case .scanned(let text): text.fields
        }
    }

    /// Whether documents have the order of their words, as phrases require.
    var keepsOrder: Bool {
        switch self {
        case .stored(let reader): reader.parts.keepsOrder
        case .scanned(let text): text.keepsOrder
        }
    }

    func statistics() throws -> TextStatistics {
        switch self {
        case .stored(let reader): try reader.statistics()
        case .scanned(let text): text.statistics
        }
    }

    // MARK: Words

    /// Returns the number of a word; nil if no record has the word.
    func number(of word: ByteView) throws -> UInt64? {
        switch self {
        case .stored(let reader): try reader.number(of: word)
        case .scanned(let text): text.wordNumber(of: word.copy())
        }
    }

    /// Calls a closure with the numbers of the words with a prefix, in the order of the words.
    func forEachWord(startingWith prefix: [UInt8], _ body: (_ number: UInt64) -> Void) throws {
        switch self {
        case .stored(let reader):
            try reader.forEachWord(startingWith: prefix) { _, number in
                body(number)
                return true
            }
        case .scanned(let text): text.forEachWord(startingWith: prefix, body)
        }
    }

    /// Returns the bytes of a word; nil if there is no such word.
    func word(_ number: UInt64) throws -> [UInt8]? {
        switch self {
        case .stored(let reader): try reader.word(number)
        case .scanned(let text): text.word(number)
        }
    }

    /// Returns the words within some edits of a word, in the order of their numbers.
    func words(near pattern: FuzzyPattern) throws -> [FuzzyWord] {
        switch self {
        case .stored(let reader): try reader.words(near: pattern)
        case .scanned(let text): text.words(near: pattern)
        }
    }

    /// Returns the number of records with a word; nil if there is no such word.
    func counts(of number: UInt64) throws -> DocumentCounts? {
        switch self {
        case .stored(let reader): try reader.counts(of: number)
        case .scanned(let text): text.counts(of: number)
        }
    }

    /// Returns a cursor over the postings of a word; nil if there is no such word.
    func postings(of number: UInt64) throws -> PostingCursor? {
        switch self {
        case .stored(let reader): try reader.postings(of: number)
        case .scanned(let text): text.postings(of: number)
        }
    }

    /// Returns the error for a word without postings.
    func damaged(_ word: [UInt8]) -> any Error {
        switch self {
        case .stored(let reader): reader.parts.tails.damaged(word)
        case .scanned: CodingError(.malformed(expected: "a word"))
        }
    }

    // MARK: Records

    /// Calls a closure with the document of a record; nil if the record is not in the index.
    ///
    /// - Parameter body: Does not write.
    @inline(__always)
    func withDocument<R>(_ id: UInt64, _ body: (DocumentRow) throws(CodingError) -> R) throws -> R? {
        switch self {
        case .stored(let reader): try reader.withDocument(id, body)
        case .scanned(let text): try text.withDocument(id, body)
        }
    }

    /// Returns the lengths of the records.
    func lengths() -> TextLengths { TextLengths(self) }

    /// Returns a scorer of all records.
    func everything(count: UInt64) throws -> any TextScorer {
        switch self {
        case .stored(let reader): try EverythingScorer(reader, count: count)
        case .scanned(let text): NumbersScorer(text.ids)
        }
    }
}
