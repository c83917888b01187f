// The words of an index with the numbers of their records.

import LMDB
import TroveCoding

/// The words of a full-text index, or of a scan of all records until it is built.
struct Vocabulary {
    let text: SearchedText
    /// The texts of the records; nil for gathered text.
    let texts: RecordTexts?

    /// Returns the number of records with a word.
    func count(of word: [UInt8]) throws -> UInt64 {
        guard let number = try ByteView.with(word, { try text.number(of: $0) }) else { return 0 }
        return try text.counts(of: number)?.all ?? 0
    }

    /// Returns the words with a beginning that most records have; among equal numbers, in the order of their bytes.
    ///
    /// - Parameter term: Another word to return; nil for none.
    func mostFrequent(
        _ limit: Int, startingWith beginning: [UInt8], or term: [UInt8]? = nil
    ) throws -> [TextWord] {
        guard limit > 0 else { return [] }
        var numbers: [UInt64] = []
        try text.forEachWord(startingWith: beginning) { numbers.append($0) }
        if let term, !term.starts(with: beginning),
            let number = try ByteView.with(term, { try text.number(of: $0) })
        {
            // A word without the beginning is before or after all words with it.
            let isFirst = term.lexicographicallyPrecedes(beginning)
            numbers.insert(number, at: isFirst ? 0 : numbers.count)
        }
        var best: [(number: UInt64, count: UInt64)] = []
        var least: UInt64 = 0
        for (number, count) in zip(numbers, try counts(of: numbers)) where best.count < limit || count > least {
            best.append((number, count))
            if best.count / 2 >= limit {
                Self.keep(limit, of: &best)
                least = best[limit - 1].count
            }
        }
        Self.keep(limit, of: &best)
        return try best.map { number, count in
            guard let word = try text.word(number) else { throw text.damaged(beginning) }
            return TextWord(word: String(decoding: word, as: UTF8.self), recordCount: Int(clamping: count))
        }
    }

    /// Sorts words by the numbers of their records, and keeps the first. The sort is stable: words with equal numbers
    /// stay in their order.
    private static func keep(_ limit: Int, of words: inout [(number: UInt64, count: UInt64)]) {
        words.sort { $0.count > $1.count }
        words.removeLast(max(0, words.count - limit))
    }

    /// Returns the numbers of records with words. The words are looked up in the order of their numbers.
    private func counts(of numbers: [UInt64]) throws -> [UInt64] {
        guard case .stored(let reader) = text else {
            return try numbers.map { try text.counts(of: $0)?.all ?? 0 }
        }
        var counts = [UInt64](repeating: 0, count: numbers.count)
        let places = numbers.indices.sorted { numbers[$0] < numbers[$1] }
        try reader.forEachCount(of: places.map { numbers[$0] }) { counts[places[$0]] = $1 }
        return counts
    }
}

extension TextReader {
    /// Calls a closure with the number of records of each of some words.
    ///
    /// - Parameter numbers: The numbers of words, ascending.
    fileprivate func forEachCount(
        of numbers: [UInt64], _ body: (_ place: Int, _ count: UInt64) -> Void
    ) throws {
        guard var lookups = try keyspace.lookups(in: parts.tails.database) else { return }
        var key: [UInt8] = []
        for (place, number) in numbers.enumerated() {
            key.removeAll(keepingCapacity: true)
            RowNumber.append(number, to: &key)
            try ByteView.with(key) { key in
                guard let value = try lookups.value(of: key) else { throw parts.tails.damaged(key) }
                let content = try parts.tails.content(of: value, key: key)
                body(
                    place,
                    try parts.tails.reading(key) { () throws(CodingError) in
                        try TailRow(content, fields: parts.fields).documentCount
                    })
            }
        }
    }
}
