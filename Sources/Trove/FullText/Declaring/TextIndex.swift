// The full-text index: the words of texts, for searches by relevance.
//
// It has tables of its own (FullText/), and no entries. The mechanism of indexes derives the texts of a record for it:
// where they change, the record's words are indexed again.

import TroveText

extension IndexKind {
    /// The kind with the words of records' texts.
    @usableFromInline static let fullText = IndexKind(
        .fullText, name: "fullText", hasEntries: false, propertyLimit: TextParts.fieldLimit,
        maintenance: TextMaintainer())
}

extension RecordIndex {
    /// Creates a full-text index: records by the words of some of their properties.
    ///
    /// - Parameters:
    ///   - properties: The properties, 1 to 15: strings, optional strings, or arrays of strings.
    ///   - analyzer: The rule that makes words of texts.
    ///   - weights: The weights of the properties in scores, in their order, 0 to 1,000; 1 for properties without one.
    ///     A change of weights rebuilds nothing.
    ///   - keepsOrder: Whether phrases can be searched. Without the order of words, the index is smaller. An index of
    ///     trigrams never keeps it: searches read the texts.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    public static func fullText(
        _ properties: [TextProperty<Record>], analyzer: TextAnalyzer = .standard, weights: [Double] = [],
        keepsOrder: Bool = true, where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        let rule = TextRule(analyzer, keepsOrder: keepsOrder, weights: weights, fields: properties.count)
        return RecordIndex(.fullText, properties.map(\.property), where: condition, rule: rule)
    }
}

/// Declares a full-text index of a record type: its records, by the words of some of their properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Article {
///     #FullTextIndex<Article>(\.title, \.body, \.tags, weights: [3, 1, 2])
///
///     let id: Int
///     var title: String
///     var body: String
///     var tags: [String]
/// }
/// ```
///
/// `Article.matching(_:index:)` searches it. Each change of a record changes its words in the same
/// transaction; a record whose texts are unchanged writes nothing. A new index of a type is built from the stored
/// records when a store is opened with the type.
///
/// - Parameters:
///   - properties: Stored properties of the types `String`, `String?` and `[String]`, 1 to 15: literal key paths.
///   - analyzer: The rule that makes words of texts. Another rule is another index, which is built again.
///   - weights: The weights of the properties in scores, in their order, 0 to 1,000; by default 1. A change of weights
///     rebuilds nothing.
///   - keepsOrder: Whether phrases can be searched. Without the order of words, the index is smaller. An index of
///     trigrams never keeps it: searches read the texts.
///   - condition: The condition for a record to be in the index, as a closure literal; nil for all records.
@freestanding(declaration)
public macro FullTextIndex<Record>(
    _ properties: PartialKeyPath<Record>..., analyzer: TextAnalyzer = .standard, weights: [Double] = [],
    keepsOrder: Bool = true, where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "FullTextIndexMacro")
