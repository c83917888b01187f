// The hits of a search: records with their scores.

import LMDB
import TroveCoding

/// A record that a search has found, and its score.
public struct TextHit<Record: IndexKeyRecord>: Sendable {
    /// The record.
    public let record: Record
    /// The relevance of the record for the query: BM25, at least 0. Scores compare records of one search.
    public let score: Double

    /// The query, with the weights of its words; nil if it has no words.
    let clause: ScoredClause?

    init(_ record: Record, score: Double, of clause: ScoredClause?) {
        self.record = record
        self.score = score
        self.clause = clause
    }
}

extension Query {
    /// Returns the matching records with their scores, in the query's order.
    func readHits(in context: ReadContext) throws -> [TextHit<Record>] {
        try context.logged(self) { trace in
            let log = ScoreLog()
            var query = self
            query.scoreLog = log
            guard let run = try QueryRun(query, in: context, for: .records, trace: &trace) else { return [] }
            let found = try run.collect(context) { matches, index, table in
                let key = matches[index].key.copy()
                return (record: try Record.decode(matches[index], table), key: key, score: log.score(of: key))
            }
            // An order by relevance has scored the records. With another order, they are scored now.
            let isScored = found.allSatisfy { $0.score != nil }
            // A key path of a tuple with a generic type would be made at each call.
            let scores = isScored ? found.map { $0.score } : try query.scores(of: found.map { $0.key }, in: context)
            let records = found.map { $0.record }
            return zip(hasNestedRequests ? try completed(records, in: context) : records, scores)
                .map { TextHit($0, score: $1 ?? 0, of: log.clause) }
        }
    }

    /// Returns the scores of records; nil for a record without a score.
    private func scores(of keys: [[UInt8]], in context: ReadContext) throws -> [Double?] {
        let order = RelevanceSource(
            self, scoreOrder as? RelevanceOrder ?? RelevanceOrder(), conditions.normalized.conjuncts)
        return try translatingErrors { try OpenRelevance(order, context).scores(of: keys) }
    }
}
