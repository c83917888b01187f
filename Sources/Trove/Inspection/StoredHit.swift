// A hit of a search in stored texts, as named values.

import TroveCoding

/// A stored record that a search has found, and its score.
public struct StoredHit: Hashable, Sendable {
    /// The record.
    public let record: StoredRecord
    /// The key of the record.
    public let key: StoredKey
    /// The relevance of the record: BM25, at least 0. Scores compare records of one search.
    public let score: Double
    /// The parts of the properties that have words of the query; empty if the search has not made any.
    public let snippets: [StoredSnippet]
    /// The part of the score that each word adds; empty if the search has not made any snippets, and for words of
    /// gathered text.
    package let parts: [StoredScorePart]

    /// The hit as a JSON object on a single line, with the members `score`, `key` and `record`, and `snippets` if there
    /// are any.
    public var json: String {
        var fields = [
            StoredFields.Field("score", .double(score)), StoredFields.Field("key", .string(key.description)),
            StoredFields.Field("record", .record(record.fields)),
        ]
        if !snippets.isEmpty { fields.append(StoredFields.Field("snippets", .array(snippets.map(\.value)))) }
        return StoredFields(fields).json
    }
}
