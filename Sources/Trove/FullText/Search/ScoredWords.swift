// A word, a beginning, the words near a word, or a phrase of a query, with its weight.

import LMDB
import TroveCoding

/// A word, a beginning of words, the words near a word, or a phrase in some fields of an index.
struct ScoredWords: Sendable {
    struct Word: Hashable, Sendable {
        /// The words that are meant.
        enum Form: Hashable, Sendable {
            case word
            /// All words that begin so.
            case prefix
            /// The words at so many edits of the pattern's word; nil for all words of the pattern.
            case near(FuzzyPattern, edits: Int?)
        }

        /// The word's UTF-8.
        var bytes: [UInt8]
        var form = Form.word
        /// The number of records with the word.
        var count: UInt64

        /// Whether words with another first byte may be meant.
        var mayBeginDifferently: Bool {
            if case .near(let pattern, _) = form { pattern.mayBeginDifferently } else { false }
        }

        /// Returns whether a term of a text is meant.
        func matches(_ term: ByteView) -> Bool {
            switch form {
            case .word: term.count == bytes.count && term.starts(with: bytes)
            case .prefix: term.starts(with: bytes)
            case .near(let pattern, let edits): pattern.edits(of: term.copy()).map { $0 == edits ?? $0 } ?? false
            }
        }
    }

    /// The index's name in errors.
    let index: String
    let words: [Word]
    /// The distances of the words from the first word.
    let offsets: [Int]
    let arrangement: PhraseMatcher.Arrangement
    let atStart: Bool
    let fields: ScoredFields
    /// The sum of the weights of the words, and the boost.
    let factor: Double
    /// The number added to each saturation, so that a word with fewer edits has a higher score.
    let base: Double
    let scoring: TextScoring

    /// Creates a single word.
    init(
        index: String, word: Word, fields: ScoredFields, factor: Double, base: Double = 0, scoring: TextScoring
    ) {
        self.init(
            index: index, words: [word], offsets: [0], arrangement: .exact, atStart: false, fields: fields,
            factor: factor, base: base, scoring: scoring)
    }

    init(
        index: String, words: [Word], offsets: [Int], arrangement: PhraseMatcher.Arrangement, atStart: Bool,
        fields: ScoredFields, factor: Double, base: Double = 0, scoring: TextScoring
    ) {
        self.index = index
        self.words = words
        self.offsets = offsets
        self.arrangement = arrangement
        self.atStart = atStart
        self.fields = fields
        self.factor = factor
        self.base = base
        self.scoring = scoring
    }

    /// Returns the score of a weighted frequency in a record.
    @inline(__always)
    func score(_ frequency: Double, length: UInt64) -> Double {
        guard frequency > 0 else { return 0 }
        return factor * (base + scoring.saturation(frequency, length: length))
    }

    /// Returns a bound of ``score(_:length:)`` for greater lengths and smaller frequencies.
    func bound(_ frequency: Double, leastLength: UInt64) -> Double {
        factor * (base + scoring.saturation(frequency, length: leastLength))
    }

    /// Whether the order of words matters.
    var isPhrase: Bool { words.count > 1 || atStart }

    /// Returns the part of a document's score that the words add; nil if it does not match.
    func part(in document: TextDocument) -> ScorePart? {
        let frequencies =
            isPhrase ? phraseCounts(in: document) : fields.fields.map { document.frequency(of: words[0], in: $0) }
        guard frequencies.contains(where: { $0 > 0 }) else { return nil }
        let byField = Dictionary(uniqueKeysWithValues: zip(fields.fields, frequencies))
        let sum = fields.sum { byField[$0] ?? 0 }
        return ScorePart(
            words: self, frequencies: frequencies, length: document.length,
            score: score(sum, length: document.length), found: found(in: document))
    }

    /// Returns the words of a document near the word; none if the word is meant as it is.
    private func found(in document: TextDocument) -> [String] {
        guard case .near? = words.first?.form, !isPhrase else { return [] }
        return document.words(words[0], in: fields.fields)
    }

    private func phraseCounts(in document: TextDocument) -> [Double] {
        let matcher = PhraseMatcher(
            words.map(document.phraseWord), offsets: offsets, arrangement, atStart: atStart)
        return fields.fields.map { Double(document.count(of: matcher, in: $0)) }
    }
}

extension ScoredWords: CustomStringConvertible {
    /// The words in the language of typed queries.
    var description: String {
        let text = words.map(\.description).joined(separator: " ")
        if !isPhrase { return text }
        switch arrangement {
        case .exact: return (atStart ? "at start " : "") + "\"\(text)\""
        case .slop(let slop): return (atStart ? "at start " : "") + "\"\(text)\"~\(slop)"
        case .near(let others): return "near(\"\(text)\", \(others))"
        }
    }
}

extension ScoredWords.Word: CustomStringConvertible {
    /// The word in the language of typed queries.
    var description: String {
        let text = String(decoding: bytes, as: UTF8.self)
        switch form {
        case .word: return text
        case .prefix: return text + "*"
        case .near: return text + "~"
        }
    }
}
