// Corrections of typed text: what a user may have meant.
//
//     typed       databse ordred swift
//     choices     databse → database, 1 edit, 1,204 records · databases, 2 edits, 88
//                 ordred  → ordered, 1 edit, 930 records
//     texts       database ordered swift, 2 edits · databases ordered swift, 3 edits
//
// The texts with the fewest edits are the best, then those whose rarest word is in the most records. Each word adds its
// choices to the best texts so far, so their number is bounded.

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

    private let vocabulary: Vocabulary
    private let typed: String
    private let tokens: [TextToken]

    /// - Parameters:
    ///   - names: The names of properties, which are no words before a colon.
    ///   - vocabulary: Returns the words of the index, of a scan those wanted.
    init(
        _ typed: String, _ analyzer: TextAnalyzer, names: Set<String>, _ vocabulary: (WantedWords) throws -> Vocabulary
    ) rethrows {
        self.typed = typed
        tokens = Self.words(of: typed, analyzer, names: names)
        let words = tokens.map { Array($0.term.utf8) }
        let patterns = words.compactMap { FuzzyPattern($0, edits: nil, anyFirstLetter: true) }
        self.vocabulary = try vocabulary(WantedWords(words: words, patterns: patterns))
    }

    /// Returns the words to correct: those that are neither operators, nor names of properties, nor beginnings.
    private static func words(of typed: String, _ analyzer: TextAnalyzer, names: Set<String>) -> [TextToken] {
        guard analyzer.makesWords else { return [] }
        var end = typed.startIndex
        var words: [TextToken] = []
        for token in analyzer.tokens(of: typed) where token.range.lowerBound >= end {
            let text = String(typed[token.range])
            let next = typed[token.range.upperBound...].first
            if next == "*" || next == ":" && names.contains(text) || TypedText.operators.contains(text[...]) {
                continue
            }
            guard words.count < TypedText.wordLimit else { break }
            end = token.range.upperBound
            words.append(token)
        }
        return words
    }

    // MARK: Words

    /// A word in place of a typed one, or the typed word itself.
    private struct Choice {
        var term: String?
        var edits: Int
        var count: UInt64
    }

    /// Returns the words that may be meant by a typed word, the best first.
    private func choices(_ term: String, _ limit: Int) throws -> [Choice] {
        let word = Array(term.utf8)
        let count = try vocabulary.count(of: word)
        var choices = try corrections(of: word, count, anyFirstLetter: false)
        if choices.isEmpty, count == 0 { choices = try corrections(of: word, count, anyFirstLetter: true) }
        if count > 0 || choices.isEmpty { choices.append(Choice(edits: 0, count: count)) }
        choices.sort { first, second in
            if first.edits != second.edits { return first.edits < second.edits }
            return first.count != second.count ? first.count > second.count : first.term ?? "" < second.term ?? ""
        }
        return Array(choices.prefix(limit))
    }

    private func corrections(of word: [UInt8], _ count: UInt64, anyFirstLetter: Bool) throws -> [Choice] {
        guard let pattern = FuzzyPattern(word, edits: nil, anyFirstLetter: anyFirstLetter) else { return [] }
        return try vocabulary.text.words(near: pattern).compactMap { found in
            let foundCount = try vocabulary.text.counts(of: found.number)?.all ?? 0
            guard found.edits > 0, foundCount > 0, foundCount / Self.rareness >= count else { return nil }
            return Choice(term: String(decoding: found.word, as: UTF8.self), edits: found.edits, count: foundCount)
        }
    }

    // MARK: Texts

    /// Choices for the typed words so far.
    private struct Texts {
        var terms: [String: String] = [:]
        var edits = 0
        var leastCount = UInt64.max

        func adding(_ choice: Choice, for term: String) -> Texts {
            var texts = self
            texts.terms[term] = choice.term
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
        var known: Set<String> = []
        for token in tokens where known.insert(token.term).inserted {
            let choices = try choices(token.term, width)
            texts = texts.flatMap { texts in choices.map { texts.adding($0, for: token.term) } }
            // The sort is stable: among equals, the choices decide.
            texts.sort { ($0.edits, $1.leastCount) < ($1.edits, $0.leastCount) }
            texts.removeLast(max(0, texts.count - width))
        }
        var found: [TextSuggestion] = []
        for texts in texts where texts.edits > 0 {
            let (text, ranges) = replaced(texts.terms)
            let count = try count(text)
            guard count > 0 else { continue }
            found.append(TextSuggestion(text: text, ranges: ranges, edits: texts.edits, recordCount: count))
        }
        found.sort { ($0.edits, $1.recordCount, $0.text) < ($1.edits, $0.recordCount, $1.text) }
        return Array(found.prefix(limit))
    }

    /// Returns the typed text with other words, and the places of these.
    private func replaced(_ terms: [String: String]) -> (text: String, ranges: [Range<String.Index>]) {
        var text = ""
        var end = typed.startIndex
        var offsets: [Range<Int>] = []
        for token in tokens {
            guard let term = terms[token.term] else { continue }
            text += typed[end..<token.range.lowerBound]
            offsets.append(text.utf8.count..<text.utf8.count + term.utf8.count)
            text += term
            end = token.range.upperBound
        }
        text += typed[end...]
        let ranges = offsets.map { offsets in
            text.utf8.index(
                text.startIndex, offsetBy: offsets.lowerBound)..<text.utf8.index(
                    text.startIndex, offsetBy: offsets.upperBound)
        }
        return (text, ranges)
    }
}
