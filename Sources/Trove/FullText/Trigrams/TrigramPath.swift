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

    /// Returns the indexes of trigrams among the indexes of a type.
    static func all<Record>(of indexes: [RecordIndex<Record>]) -> [TrigramPath] {
        indexes.enumerated().compactMap { place, index in
            guard let rule = index.descriptor.rule, rule.gathering == nil, rule.analyzer.makesAllTrigrams else {
                return nil
            }
            return TrigramPath(
                place: place, properties: index.descriptor.properties, analyzer: rule.analyzer,
                condition: index.condition.map(PathCondition.init))
        }
    }
}
