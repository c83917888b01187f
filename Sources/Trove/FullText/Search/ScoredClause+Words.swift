// The words of a query that count in a record.

extension ScoredClause {
    /// Returns the words and phrases that add to the score of a record.
    ///
    /// A word of a part that does not match does not count, such as `a` in `(a b) OR c` where `b` is missing. The parts
    /// of a clause that matches are only tested where that does not follow from the clause.
    ///
    /// - Parameters:
    ///   - isMatch: Whether the record is known to match.
    ///   - matches: Returns whether the record matches a part of the clause.
    func countedWords(isMatch: Bool, _ matches: (ScoredClause) -> Bool) -> [ScoredWords] {
        // A word counts where it is found.
        if case .words(let words) = self { return [words] }
        guard isMatch || matches(self) else { return [] }
        switch self {
        case .everything, .words: return []
        case .all(let clauses): return clauses.flatMap { $0.countedWords(isMatch: true, matches) }
        case .any(let clauses): return clauses.flatMap { $0.countedWords(isMatch: false, matches) }
        case .first(let clauses): return clauses.first(where: matches)?.countedWords(isMatch: true, matches) ?? []
        case .excluding(let clause, _): return clause.countedWords(isMatch: true, matches)
        case .preferring(let clause, let preferred):
            return clause.countedWords(isMatch: true, matches) + preferred.countedWords(isMatch: false, matches)
        }
    }
}
