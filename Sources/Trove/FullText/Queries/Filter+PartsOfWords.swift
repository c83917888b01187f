// Filters on parts of words: texts that have some three letters in a row of a word.

import LMDB
import TroveCoding
import TroveText

extension Filter {
    /// Creates a filter for the records of which any of some properties has three letters in a row of a word, whatever
    /// their case: a search that forgives typos and other endings.
    ///
    /// ```swift
    /// let query = Article.filter(.string(\.title, \.content, matches: "ananas"))  // finds "banana", too
    /// ```
    ///
    /// The words are the runs of letters, marks and digits. Text without three of them in a row finds nothing. The
    /// first 128 different trigrams count.
    ///
    /// With a full-text index of all of the properties by ``/TroveText/TextAnalyzer/trigrams``, for all records and
    /// without case, the records are in the order of relevance: the records with the most and the rarest of the
    /// trigrams first. Without such an index, all records are read, in the order of their keys. Both find the same
    /// records. ``matches(_:index:)-(TextQuery<Record>,_)`` searches for whole words.
    ///
    /// - Parameters:
    ///   - first: A stored string or optional string. Nil has no letters.
    ///   - others: Further ones.
    ///   - words: The words, in any order.
    public static func string<First: StringProperty, each Other: StringProperty>(
        _ first: KeyPath<Record, First>, _ others: repeat KeyPath<Record, each Other>, matches words: String
    ) -> Filter {
        let trigrams = WordTrigrams(words, atMost: TextCompiler.wordLimit)
        let names = names(of: first, repeat each others)
        if let names, let index = indexName(of: names) {
            let clause = TextClause.joining(any: trigrams.terms.map { .phrase(String(decoding: $0, as: UTF8.self)) })
            let text = (
                plan: "\(names.joined(separator: ", ")) matches \(words.debugDescription)",
                swift: ".string(\(names.map { "\\.\($0), " }.joined())matches: \(words.debugDescription))"
            )
            return Filter(keys: { () throws(StoreError) in
                TextSource(TextQuery<Record>(.within(names, clause)), index: index, text: text)
            })
        }
        var filter = matching(first, trigrams, words)
        for other in repeat each others { filter = filter.or(matching(other, trigrams, words)) }
        return filter
    }

    /// Returns the stored names of properties; nil if one of them is not stored.
    private static func names<each Text: StringProperty>(
        of properties: repeat KeyPath<Record, each Text>
    ) -> [String]? {
        var names: [String] = []
        for property in repeat each properties {
            guard let name = Record.schema.nameOfProperty(at: property) else { return nil }
            names.append(name)
        }
        return names
    }

    /// Returns the name of an index with the trigrams of properties, in all records; nil if there is none.
    private static func indexName(of properties: [String]) -> String? {
        let path = Record.schema.trigramPaths.first { path in
            path.condition == nil && !path.analyzer.keepsCase && properties.allSatisfy(path.properties.contains)
        }
        return path.map { Record.schema.indexes[$0.place].text }
    }

    private static func matching<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, _ trigrams: WordTrigrams, _ words: String
    ) -> Filter {
        let text = ConditionText(
            "matches \(words.debugDescription)", function: ".string",
            arguments: ["matches: \(words.debugDescription)"])
        return matching(property, bounds: nil, pattern: nil, text: { text }) {
            { string in ByteView.with(string) { $0.withSpan { trigrams.occur(in: $0) } } }
        }
    }
}
