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
    var trigramPaths: [TrigramPath] { indexes.indices.compactMap { TrigramPath($0, of: self) } }
}

extension TrigramPath {
    /// Returns nil for another index.
    ///
    /// - Parameter place: The position of the index among the indexes of the type.
    fileprivate init?(_ place: Int, of schema: RecordSchema) {
        let index = schema.indexes[place]
        guard let rule = index.rule, rule.gathering == nil, rule.analyzer.makesAllTrigrams else { return nil }
        self.init(
            place: place, properties: index.properties, analyzer: rule.analyzer, condition: schema.conditions[place])
    }
}

extension TextRule: CandidateRule {
    func candidates(for filters: [FilterTree], by ordinal: Int, of schema: RecordSchema) -> (any KeySource)? {
        guard let path = TrigramPath(ordinal, of: schema), let filter = TrigramFilter(all: filters, path),
            filter.patternCount <= TrigramFilter.patternLimit
        else { return nil }
        return TrigramSource(schema, path, filter)
    }
}
