// The full-text index: the words of texts, for searches by relevance.
//
// It has tables of its own (FullText/), and no entries. What the mechanism of indexes derives for it are the texts of a
// record: where they change, the record's words are indexed anew.

import TroveText

extension IndexKind {
    /// The kind with the words of records' texts.
    @usableFromInline static let fullText = IndexKind(.fullText, name: "fullText", isText: true)
}

extension RecordIndex {
    /// Creates a full-text index: records by the words of some of their properties.
    ///
    /// - Parameters:
    ///   - properties: The properties, 1 to 15: strings, optional strings, or arrays of strings.
    ///   - analyzer: The rule that makes words of texts.
    ///   - weights: The weights of the properties in scores, in their order, 0 to 1,000; 1 for properties without one.
    ///     A change of weights rebuilds nothing.
    ///   - keepsOrder: Whether phrases can be searched. Without the order of words, the index is smaller.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    public static func fullText(
        _ properties: [TextProperty<Record>], analyzer: TextAnalyzer = .standard, weights: [Double] = [],
        keepsOrder: Bool = true, where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        let rule = TextRule(analyzer, keepsOrder: keepsOrder, weights: weights, fields: properties.count)
        return RecordIndex(.fullText, properties.map(\.property), where: condition, rule: rule)
    }
}
