// A compiled query as a value: it scores the texts of a record in memory, as the scorers score its postings, and says
// how much each word adds.

import TroveCoding

/// A part of a query, with the weights of its words.
indirect enum ScoredClause: Sendable {
    case everything
    case words(ScoredWords)
    case all([ScoredClause])
    case any([ScoredClause])
    /// The first of several parts that a record matches.
    case first([ScoredClause])
    case excluding(ScoredClause, ScoredClause)
    case preferring(ScoredClause, ScoredClause)
}

/// The part of a record's score that a word or a phrase adds.
struct ScorePart: Sendable {
    let words: ScoredWords
    /// The numbers of occurrences in the fields of the words.
    let frequencies: [Double]
    /// The number of words of the record.
    let length: UInt64
    let score: Double
    /// The words that were found in place of a word that may have edits.
    var found: [String] = []
}

extension ScoredClause {
    /// Returns the score of a record; nil if it does not match. The sums are made in the order of the scorers.
    ///
    /// - Parameters:
    ///   - parts: Receives the part of each word and phrase.
    ///   - document: Returns the words of the record in an index; nil if the record is not in the index.
    func score(_ parts: inout [ScorePart], _ document: (_ index: String) -> TextDocument?) -> Double? {
        let known = parts.count
        let score = sum(&parts, document)
        if score == nil { parts.removeSubrange(known...) }
        return score
    }

    private func sum(_ parts: inout [ScorePart], _ document: (_ index: String) -> TextDocument?) -> Double? {
        switch self {
        case .everything: return 0
        case .words(let words):
            guard let document = document(words.index), let part = words.part(in: document) else { return nil }
            parts.append(part)
            return part.score
        case .all(let clauses):
            var sum = 0.0
            for clause in clauses {
                guard let score = clause.score(&parts, document) else { return nil }
                sum += score
            }
            return sum
        case .any(let clauses):
            let scores = clauses.compactMap { $0.score(&parts, document) }
            return scores.isEmpty ? nil : scores.reduce(0, +)
        case .first(let clauses):
            for clause in clauses {
                if let score = clause.score(&parts, document) { return score }
            }
            return nil
        case .excluding(let clause, let excluded):
            var others: [ScorePart] = []
            return excluded.score(&others, document) == nil ? clause.score(&parts, document) : nil
        case .preferring(let clause, let preferred):
            guard let score = clause.score(&parts, document) else { return nil }
            return preferred.score(&parts, document).map { score + $0 } ?? score
        }
    }
}
