// A word, a beginning or a phrase of a query, with its weight.

import LMDB
import TroveCoding

/// A word, a beginning of words, or a phrase in some fields of an index.
struct ScoredWords: Sendable {
    struct Word: Hashable, Sendable {
        /// The word's UTF-8.
        var bytes: [UInt8]
        /// Whether all words that begin so are meant.
        var isPrefix: Bool
        /// The number of records with the word.
        var count: UInt64

        /// Returns whether a term of a text is the word, or begins so.
        func matches(_ term: ByteView) -> Bool {
            term.starts(with: bytes) && (isPrefix || term.count == bytes.count)
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
    let scoring: TextScoring

    /// Creates a single word.
    init(_ index: String, _ word: Word, _ fields: ScoredFields, factor: Double, _ scoring: TextScoring) {
        self.init(index, [word], offsets: [0], .exact, atStart: false, fields, factor: factor, scoring)
    }

    init(
        _ index: String, _ words: [Word], offsets: [Int], _ arrangement: PhraseMatcher.Arrangement, atStart: Bool,
        _ fields: ScoredFields, factor: Double, _ scoring: TextScoring
    ) {
        self.index = index
        self.words = words
        self.offsets = offsets
        self.arrangement = arrangement
        self.atStart = atStart
        self.fields = fields
        self.factor = factor
        self.scoring = scoring
    }

    /// Whether the order of words matters.
    var isPhrase: Bool { words.count > 1 || atStart }

    /// Returns what the words add to the score of a document; nil if it does not match.
    func part(in document: TextDocument) -> ScorePart? {
        let frequencies =
            isPhrase ? phraseCounts(in: document) : fields.fields.map { document.frequency(of: words[0], in: $0) }
        guard frequencies.contains(where: { $0 > 0 }) else { return nil }
        let byField = Dictionary(uniqueKeysWithValues: zip(fields.fields, frequencies))
        let sum = fields.sum { byField[$0] ?? 0 }
        return ScorePart(
            words: self, frequencies: frequencies, length: document.length,
            score: factor * scoring.saturation(sum, length: document.length))
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
        let text = words.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.isPrefix ? "*" : "") }
            .joined(separator: " ")
        if !isPhrase { return text }
        switch arrangement {
        case .exact: return (atStart ? "at start " : "") + "\"\(text)\""
        case .slop(let slop): return (atStart ? "at start " : "") + "\"\(text)\"~\(slop)"
        case .near(let others): return "near(\"\(text)\", \(others))"
        }
    }
}
