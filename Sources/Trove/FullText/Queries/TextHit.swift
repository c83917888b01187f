// The hits of a search: records with their scores.

import LMDB
import TroveCoding

/// A record that a search has found, and its score.
public struct TextHit<Record: IndexKeyRecord>: Sendable {
    /// The record.
    public let record: Record
    /// The relevance of the record for the query: BM25, at least 0. Scores compare records of one search.
    public let score: Double

    init(_ record: Record, score: Double) {
        self.record = record
        self.score = score
    }
}

extension Query {
    /// Returns the matching records with their scores, in the query's order.
    ///
    /// ```swift
    /// for hit in try Article.matching("ordered store").limit(10).hits(in: store) {
    ///     print(hit.score, hit.record.title)
    /// }
    /// ```
    ///
    /// The scores of several text queries of the filter, joined by `and`, are added. Those under `or` and `not` do not
    /// count.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: ``StoreError/noFullTextIndex(type:properties:)``, and the errors of running the query.
    @available(*, noasync, message: "await the call")
    public func hits(in source: some RecordReadable) throws -> [TextHit<Record>] {
        try source.reading { context in
            let records = try resolve(in: context)
            let keys = records.map { KeyWriter.bytes(of: $0.indexKey) }
            var scores = [Double](repeating: 0, count: records.count)
            try translatingErrors {
                for case .keys(let condition) in conditions.conjuncts {
                    guard let text = condition as? TextSource,
                        let open = try text.open(in: context) as? OpenTextSource
                    else { continue }
                    for (index, score) in try open.scores(of: keys).enumerated() { scores[index] += score ?? 0 }
                }
            }
            return zip(records, scores).map { TextHit($0, score: $1) }
        }
    }
}
