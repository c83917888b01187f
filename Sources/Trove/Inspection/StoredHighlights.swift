// The words of a search in a stored record that it has found: their places, snippets, and parts of the score.

import LMDB
import TroveCoding
import TroveText

/// The words of a search in the texts of a stored record that it has found.
struct StoredHighlights {
    private let record: StoredFields
    private let clause: ScoredClause
    private let sources: [OpenTextSource]
    private let words: [ScoredWords]

    /// - Parameters:
    ///   - clause: The search.
    ///   - sources: The indexes of the search. An index of gathered text has no text of the record.
    init(_ record: StoredFields, _ clause: ScoredClause, _ sources: [OpenTextSource]) {
        self.record = record
        self.clause = clause
        self.sources = sources
        var documents = HitDocuments(record, sources)
        words = clause.countedWords(isMatch: true) { part in
            var parts: [ScorePart] = []
            return part.score(&parts) { documents.document(of: $0) } != nil
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

    /// The properties of the search, in the order of their indexes.
    var properties: [String] {
        var properties: [String] = []
        for property in sources.flatMap(\.properties) where !properties.contains(property) {
            properties.append(property)
        }
        return properties
    }

    /// Returns the snippets of the properties with words of the search.
    ///
    /// - Parameter count: The number of words of a snippet.
    func snippets(words count: Int) -> [StoredSnippet] {
        properties.compactMap { property in
            let found = texts(of: property)
            guard found.contains(where: \.hasWords) else { return nil }
            return StoredSnippet(property: property, snippet: HighlightedText.snippet(of: found, words: count))
        }
    }

    /// The parts of the score that the words of the search add.
    var scoreParts: [StoredScorePart] {
        var documents = HitDocuments(record, sources)
        var parts: [ScorePart] = []
        _ = clause.score(&parts) { documents.document(of: $0) }
        return parts.map { part in
            let properties = sources.first { $0.index == part.words.index }?.properties ?? []
            let counts = zip(part.words.fields.fields, part.frequencies).filter { $0.1 > 0 }
            return StoredScorePart(
                word: part.words.description, found: part.found, score: part.score,
                records: part.words.words.map { Int($0.count) },
                counts: counts.map { StoredScorePart.Count(property: properties[$0.0], count: Int($0.1)) })
        }
    }
}

/// The words of a record in the indexes of a search. Each text is split when it is first needed.
private struct HitDocuments {
    private let record: StoredFields
    private let sources: [OpenTextSource]
    private var known: [String: TextDocument] = [:]

    init(_ record: StoredFields, _ sources: [OpenTextSource]) { (self.record, self.sources) = (record, sources) }

    /// Returns the words of the record in an index; nil for an index of gathered text.
    mutating func document(of index: String) -> TextDocument? {
        if let document = known[index] { return document }
        guard let source = sources.first(where: { $0.index == index && !$0.isGathered }) else { return nil }
        let document = source.document(of: record)
        known[index] = document
        return document
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
