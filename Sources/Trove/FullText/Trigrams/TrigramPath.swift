// The full-text indexes that lead to the records with parts of strings.

import TroveText

/// A full-text index whose terms are all trigrams of its texts.
struct TrigramPath: Sendable {
    /// The position of the index among the indexes of the type.
    let place: Int
    /// The stored names of the properties.
    let properties: [String]
    let analyzer: TextAnalyzer
    /// The condition for a record to be in the index; nil if every record is.
    let condition: PathCondition?
}

extension RecordSchema {
    /// The indexes that lead to the records with parts of strings.
    var trigramPaths: [TrigramPath] {
        indexes.enumerated().compactMap { place, index in
            guard let rule = index.rule, rule.gathering == nil, rule.analyzer.makesAllTrigrams else { return nil }
            return TrigramPath(
                place: place, properties: index.properties, analyzer: rule.analyzer, condition: conditions[place])
        }
    }
}
