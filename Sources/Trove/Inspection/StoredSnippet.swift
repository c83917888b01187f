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

/// The snippets of the hits of a search.
struct StoredSnippets {
    let clause: ScoredClause
    let analyzer: TextAnalyzer
    /// The stored names of the index's properties.
    let properties: [String]
    /// The number of words of a snippet.
    let words: Int

    /// Returns the snippets of the properties with words of the query.
    func snippets(of record: StoredRecord) -> [StoredSnippet] {
        let texts = properties.map { record[$0]?.texts ?? [] }
        lazy var document = document(texts)
        let counted = clause.countedWords(isMatch: true) { part in
            var parts: [ScorePart] = []
            return part.score(&parts) { _ in document } != nil
        }
        return properties.indices.compactMap { field in
            let words = HighlightedWords(analyzer, counted.filter { $0.fields.fields.contains(field) })
            let found = HighlightedText.texts(texts[field], [words])
            guard found.contains(where: \.hasWords) else { return nil }
            return StoredSnippet(
                property: properties[field], snippet: HighlightedText.snippet(of: found, words: self.words))
        }
    }

    private func document(_ texts: [[String]]) -> TextDocument {
        let columns = KeyWriter.bytes { writer in
            for texts in texts { TextColumn.encode(texts, into: &writer) }
        }
        return ByteView.with(columns) { TextDocument($0, analyzer, fields: properties.count) }
    }
}
