// Corrections of typed text: texts that a user may have meant.
//
//     typed       databse ordred swift
//     choices     databse → database, 1 edit, 1,204 records · databases, 2 edits, 88
//                 ordred  → ordered, 1 edit, 930 records
//     texts       database ordered swift, 2 edits · databases ordered swift, 3 edits
//
// The texts with the fewest edits are the best, then the texts whose rarest word is in the most records. Each word adds
// its choices to the best texts so far, so their number is bounded. A choice is a term of the index. The text has a
// word in its place: the term, or a word of which it is the stem (TermSpellings.swift).

import LMDB
import TroveCoding
import TroveText

/// The corrections of a typed text.
struct TextCorrections {
    /// How many times as many records a word has that is suggested in place of a word of the index.
    private static let rareness: UInt64 = 100
    /// The number of texts that are tried for each wanted one.
    private static let tries = 4
    /// The greatest number of wanted texts.
    private static let greatestLimit = 20

    private let analyzer: TextAnalyzer
    private let vocabulary: Vocabulary
    private let typed: String
    private let words: [Word]

    /// A typed word.
    private struct Word {
        /// The word as the index has it.
        var term: [UInt8]
        /// The word as it is typed, folded.
        var folded: [UInt8]
        var range: Range<String.Index>

        func pattern(anyFirstLetter: Bool) -> FuzzyPattern? {
            FuzzyPattern(term, unreduced: folded, edits: nil, anyFirstLetter: anyFirstLetter)
        }
    }

    /// - Parameters:
    ///   - names: The names of properties, which are no words before a colon.
    ///   - vocabulary: Returns the words of the index; of a scan, the wanted words.
    init(
        _ typed: String, _ analyzer: TextAnalyzer, names: Set<String>, _ vocabulary: (WantedWords) throws -> Vocabulary
    ) rethrows {
        var typed = typed
        typed.makeContiguousUTF8()
        self.typed = typed
        self.analyzer = analyzer
        words = Self.words(of: typed, analyzer, names: names)
        self.vocabulary = try vocabulary(
            WantedWords(words: words.map(\.term), patterns: words.compactMap { $0.pattern(anyFirstLetter: true) }))
    }

    /// Returns the words to correct: words that are neither operators, nor names of properties, nor numbers of edits
    /// and boosts, nor beginnings. A word with several replacements is known, and stays.
    private static func words(of typed: String, _ analyzer: TextAnalyzer, names: Set<String>) -> [Word] {
        guard analyzer.makesWords else { return [] }
        var signs = TypedText(typed, fields: names, lastIsPrefix: false).signRanges[...]
        var end = 0
        var words: [Word] = []
        for word in analyzer.queryWords(of: typed, limit: QuerySpelling.wordLimit) where word.range.lowerBound >= end {
            guard let term = word.term else { continue }
            let start = typed.utf8.index(typed.startIndex, offsetBy: word.range.lowerBound)
            let range = start..<typed.utf8.index(start, offsetBy: word.range.count)
            while let sign = signs.first, sign.upperBound <= range.lowerBound { signs.removeFirst() }
            if let sign = signs.first, sign.lowerBound < range.upperBound { continue }
            if typed[range.upperBound...].first == "*" || TypedText.operators.contains(typed[range]) { continue }
            guard words.count < TypedText.wordLimit else { break }
            end = word.range.upperBound
            words.append(Word(term: term, folded: word.folded, range: range))
        }
        return words
    }

    // MARK: Words

    /// A term of the index in place of a typed word, or the typed word itself.
    private struct Choice {
        var term: FuzzyWord?
        var edits: Int
        var count: UInt64

        /// Returns whether a choice is before another of as many edits and records.
        static func isBefore(_ first: Choice, _ second: Choice) -> Bool {
            (first.term?.word ?? []).lexicographicallyPrecedes(second.term?.word ?? [])
        }
    }

    /// Returns the words that may be meant by a typed word, the best first.
    private func choices(_ word: Word, _ limit: Int) throws -> [Choice] {
        let count = try vocabulary.count(of: word.term)
        var choices = try corrections(of: word, count, anyFirstLetter: false)
        if choices.isEmpty, count == 0 { choices = try corrections(of: word, count, anyFirstLetter: true) }
        if count > 0 || choices.isEmpty { choices.append(Choice(edits: 0, count: count)) }
        choices.sort { first, second in
            if first.edits != second.edits { return first.edits < second.edits }
            return first.count != second.count ? first.count > second.count : Choice.isBefore(first, second)
        }
        return Array(choices.prefix(limit))
    }

    private func corrections(of word: Word, _ count: UInt64, anyFirstLetter: Bool) throws -> [Choice] {
        guard let pattern = word.pattern(anyFirstLetter: anyFirstLetter) else { return [] }
        return try vocabulary.text.words(near: pattern).compactMap { found in
            let foundCount = try vocabulary.text.counts(of: found.number)?.all ?? 0
            guard found.edits > 0, foundCount > 0, foundCount / Self.rareness >= count else { return nil }
            return Choice(term: found, edits: found.edits, count: foundCount)
        }
    }

    // MARK: Texts

    /// Choices for the typed words so far.
    private struct Texts {
        /// The terms of the index in place of typed words, by the folded typed words.
        var terms: [[UInt8]: FuzzyWord] = [:]
        var edits = 0
        var leastCount = UInt64.max

        func adding(_ choice: Choice, for word: Word) -> Texts {
            var texts = self
            texts.terms[word.folded] = choice.term
            texts.edits += choice.edits
            texts.leastCount = min(leastCount, choice.count)
            return texts
        }
    }

    /// Returns the best corrections that find records.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of corrections.
    ///   - count: Returns the number of records that a text finds.
    func best(_ limit: Int, count: (_ text: String) throws -> Int) throws -> [TextSuggestion] {
        let limit = min(limit, Self.greatestLimit)
        guard limit > 0 else { return [] }
        let width = Self.tries * limit
        var texts = [Texts()]
        var known: Set<[UInt8]> = []
        for word in words where known.insert(word.folded).inserted {
            let choices = try choices(word, width)
            texts = texts.flatMap { texts in choices.map { texts.adding($0, for: word) } }
            // The sort is stable: among equals, the choices decide.
            texts.sort { ($0.edits, $1.leastCount) < ($1.edits, $0.leastCount) }
            texts.removeLast(max(0, texts.count - width))
        }
        var found: [TextSuggestion] = []
        var spellings = TermSpellings(analyzer, vocabulary)
        for texts in texts where texts.edits > 0 {
            guard let (text, ranges) = try replaced(texts.terms, &spellings) else { continue }
            let count = try count(text)
            guard count > 0 else { continue }
            found.append(TextSuggestion(text: text, ranges: ranges, edits: texts.edits, recordCount: count))
        }
        found.sort { ($0.edits, $1.recordCount, $0.text) < ($1.edits, $0.recordCount, $1.text) }
        return Array(found.prefix(limit))
    }

    /// Returns the typed text with other words, and the places of these; nil if a term has no word.
    private func replaced(
        _ terms: [[UInt8]: FuzzyWord], _ spellings: inout TermSpellings
    ) throws -> (text: String, ranges: [Range<String.Index>])? {
        var text = ""
        var end = typed.startIndex
        var offsets: [Range<Int>] = []
        for word in words {
            guard let term = terms[word.folded] else { continue }
            guard let spelling = try spellings.spelling(of: term, typed: word.folded) else { return nil }
            // Between quotes, an operator is a word.
            let needsQuotes = TypedText.operators.contains(spelling[...]) && !isQuoted(word)
            text += typed[end..<word.range.lowerBound]
            if needsQuotes { text += "\"" }
            offsets.append(text.utf8.count..<text.utf8.count + spelling.utf8.count)
            text += spelling
            if needsQuotes { text += "\"" }
            end = word.range.upperBound
        }
        text += typed[end...]
        let ranges = offsets.map { offsets in
            text.utf8.index(
                text.startIndex, offsetBy: offsets.lowerBound)..<text.utf8.index(
                    text.startIndex, offsetBy: offsets.upperBound)
        }
        return (text, ranges)
    }

    /// Returns whether a typed word is between quotes.
    private func isQuoted(_ word: Word) -> Bool {
        let quoteCount = typed.unicodeScalars[..<word.range.lowerBound].count(where: TypedText.isQuote)
        return !quoteCount.isMultiple(of: 2)
    }
}
