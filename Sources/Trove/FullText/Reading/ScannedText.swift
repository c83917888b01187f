// The words of a query in all records of a type, read without an index (TextScan.swift).
//
// All records of the type are numbered from 1 in the order of their keys, so several scans have the same numbers. Kept
// are the words of the query alone, and the records that have any of them.

import LMDB
import TroveCoding

/// The words of a query in all records of a type.
struct ScannedText: RecordNumbering {
    /// The number of all words outside the query, which documents have.
    static let otherWord: UInt64 = 1

    let keepsOrder: Bool
    private(set) var statistics: TextStatistics
    /// The numbers of the words, from 2.
    private var words: [[UInt8]: UInt64] = [:]
    /// The words in the order of their numbers.
    private var orderedWords: [[UInt8]] = []
    private var postings: [Postings] = []
    private var counts: [DocumentCounts] = []
    /// The numbers of the kept records, ascending.
    private(set) var ids: [UInt64] = []
    /// The keys of the kept records, their lengths, and if the query has phrases their documents.
    private var keys = KeyList()
    private var lengths: [UInt64] = []
    private var documents: [[UInt8]] = []

    init(fields: Int, keepsOrder: Bool) {
        self.keepsOrder = keepsOrder
        statistics = TextStatistics(fields: fields)
    }

    var fields: Int { statistics.totalLengths.count }

    // MARK: Adding

    /// Returns the number of a word of the query, which gets the next number unless it has a number.
    mutating func assign(_ word: [UInt8]) -> UInt64 {
        if let number = words[word] { return number }
        let number = UInt64(postings.count) + Self.otherWord + 1
        words[word] = number
        orderedWords.append(word)
        postings.append(Postings(fields: fields))
        counts.append(DocumentCounts(fields: fields))
        return number
    }

    /// Adds the next record.
    ///
    /// - Parameters:
    ///   - isKept: Whether the record is kept without a word of the query, too.
    ///   - keepsDocument: Whether its words are kept in their order.
    mutating func add(
        _ id: UInt64, _ key: ByteView, _ document: DocumentBuilder, isKept: Bool, keepsDocument: Bool
    ) {
        statistics.documentCount += 1
        for field in 0..<fields { statistics.totalLengths[field] &+= document.lengths[field] }
        var hasWord = false
        for place in document.words.indices where document.words[place] != Self.otherWord {
            hasWord = true
            let index = self.place(of: document.words[place])
            postings[index].ids.append(id)
            postings[index].frequencies += document.frequencies[place * fields..<(place + 1) * fields]
            counts[index].add(postings[index], at: postings[index].count - 1)
        }
        guard hasWord || isKept else { return }
        ids.append(id)
        keys.append(key)
        lengths.append(document.totalLength)
        guard keepsDocument else { return }
        var row: [UInt8] = []
        document.append(to: &row)
        documents.append(row)
    }

    private func place(of word: UInt64) -> Int { Int(word - Self.otherWord - 1) }

    // MARK: Words

    func wordNumber(of word: [UInt8]) -> UInt64? { words[word] }

    func forEachWord(startingWith prefix: [UInt8], _ body: (_ number: UInt64) -> Void) {
        let found = words.filter { $0.key.starts(with: prefix) }
        for (_, number) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { body(number) }
    }

    func word(_ number: UInt64) -> [UInt8]? {
        number > Self.otherWord && number <= UInt64(orderedWords.count) + Self.otherWord
            ? orderedWords[place(of: number)] : nil
    }

    /// Returns the words within some edits of a word, in the order of their numbers.
    func words(near pattern: FuzzyPattern) -> [FuzzyWord] {
        words.compactMap { word, number in
            pattern.edits(of: word).map { FuzzyWord(word: word, edits: $0, number: number) }
        }.sorted { $0.number < $1.number }
    }

    func counts(of number: UInt64) -> DocumentCounts { counts[place(of: number)] }

    func postings(of number: UInt64) -> PostingCursor {
        PostingCursor(number, postings[place(of: number)], counts[place(of: number)])
    }

    // MARK: Records

    func number(of key: [UInt8]) throws -> UInt64? {
        let place = Self.first(of: keys.count) { place in
            keys.withKey(place) { other in ByteView.with(key) { other.compare($0) >= 0 } }
        }
        guard place < keys.count, keys[place].elementsEqual(key) else { return nil }
        return ids[place]
    }

    func recordKey(of number: UInt64) -> [UInt8]? { place(ofRecord: number).map { Array(keys[$0]) } }

    func length(of id: UInt64) -> UInt64 { place(ofRecord: id).map { lengths[$0] } ?? 0 }

    func withDocument<R>(_ id: UInt64, _ body: (DocumentRow) throws(CodingError) -> R) throws -> R? {
        guard let place = place(ofRecord: id), place < documents.count else { return nil }
        return try ByteView.with(documents[place]) { try body(DocumentRow($0, fields: fields)) }
    }

    private func place(ofRecord id: UInt64) -> Int? {
        let place = Self.first(of: ids.count) { ids[$0] >= id }
        return place < ids.count && ids[place] == id ? place : nil
    }

    /// Returns the first of some places that passes a test, as all later places do; the end if there is none.
    private static func first(of count: Int, where test: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
