// Snippets of stored records, made without the Swift types.

import LMDB
import TroveCoding
import TroveText

/// A part of a property of a stored record, with the words that a search has found.
public struct StoredSnippet: Hashable, Sendable {
    /// The stored name of the property.
    public let property: String
    /// The part of the property, or of one of its strings.
    public let snippet: Snippet

    /// The snippet as named values. Its ranges are pairs of offsets in the UTF-8 of its text.
    var value: FieldValue {
        let utf8 = snippet.text.utf8
        let ranges = snippet.ranges.map { range in
            FieldValue.array(
                [range.lowerBound, range.upperBound].map { bound in
                    .integer(Int128(utf8.distance(from: utf8.startIndex, to: bound)))
                })
        }
        return .record(
            StoredFields([
                StoredFields.Field("property", .string(property)), StoredFields.Field("text", .string(snippet.text)),
                StoredFields.Field("ranges", .array(ranges)),
                StoredFields.Field("isCutAtStart", .bool(snippet.isCutAtStart)),
                StoredFields.Field("isCutAtEnd", .bool(snippet.isCutAtEnd)),
            ]))
    }
}

/// The words of a search in the texts of a stored record that it has found.
struct StoredHighlights {
    private let record: StoredFields
    private let sources: [OpenTextSource]
    private let words: [ScoredWords]

    /// - Parameters:
    ///   - clause: The search.
    ///   - sources: The indexes of the search. An index of gathered text has no text of the record.
    init(_ record: StoredFields, _ clause: ScoredClause, _ sources: [OpenTextSource]) {
        self.record = record
        self.sources = sources
        var documents: [String: TextDocument] = [:]
        words = clause.countedWords(isMatch: true) { part in
            var parts: [ScorePart] = []
            return part.score(&parts) { index in
                if let known = documents[index] { return known }
                guard let source = sources.first(where: { $0.index == index && !$0.isGathered }) else { return nil }
                documents[index] = source.document(of: record)
                return documents[index]
            } != nil
        }
    }

    /// Returns the texts of a property with the places of the search's words.
    func texts(of property: String) -> [HighlightedText] {
        let found = Dictionary(grouping: words, by: \.index).sorted { $0.key < $1.key }.compactMap { index, words in
            sources.first { $0.index == index && !$0.isGathered }.flatMap { source in
                source.properties.firstIndex(of: property).map { field in
                    HighlightedWords(source.analyzer, words.filter { $0.fields.fields.contains(field) })
                }
            }
        }
        return HighlightedText.texts(record[property]?.texts ?? [], found)
    }

    /// Returns the snippets of the properties with words of the search.
    ///
    /// - Parameter count: The number of words of a snippet.
    func snippets(words count: Int) -> [StoredSnippet] {
        var properties: [String] = []
        for property in sources.flatMap(\.properties) where !properties.contains(property) {
            properties.append(property)
        }
        return properties.compactMap { property in
            let found = texts(of: property)
            guard found.contains(where: \.hasWords) else { return nil }
            return StoredSnippet(property: property, snippet: HighlightedText.snippet(of: found, words: count))
        }
    }
}

extension OpenTextSource {
    /// Returns the words of a record in the index.
    fileprivate func document(of record: StoredFields) -> TextDocument {
        let columns = KeyWriter.bytes { writer in
            for property in properties { TextColumn.encode(record[property]?.texts ?? [], into: &writer) }
        }
        return ByteView.with(columns) { TextDocument($0, analyzer, fields: properties.count) }
    }
}
