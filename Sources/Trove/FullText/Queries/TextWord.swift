// The words of a full-text index, for completion.

import TroveCoding

/// A word of a full-text index, and the number of records with it.
public struct TextWord: Hashable, Sendable {
    /// The word as it is in the index: folded, and if the analyzer makes stems, a stem.
    public let word: String
    /// The number of records with the word, in any property of the index.
    public let recordCount: Int
}

extension ReadContext {
    /// Returns the words of a full-text index that begin with some letters, the words in the most records first: for
    /// completion.
    ///
    /// ```swift
    /// let words = try store.read { context in try context.words(of: Article.self, beginning: "swi", limit: 10) }
    /// print(words.map(\.word))  // ["swift", "swiss"]
    /// ```
    ///
    /// The beginning is folded as the words of the index are: `Über` completes `uber…`. If the analyzer makes stems or
    /// replaces words, the words are stems and replacements. Then the beginning is compared with them as it is typed,
    /// and the term of the beginning is a word, too: `stores` completes `store`. Words in equally many records come in
    /// the order of their Unicode scalars. A write transaction finds its own words. Until the index is built, all
    /// records are read, as by a query.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - beginning: The first letters. Of several words, the last is completed; the last 10,000 signs count. An empty
    ///     beginning completes to all words; signs alone complete nothing.
    ///   - index: The name of a full-text index; nil for the first.
    ///   - limit: The maximum number of words.
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)``;
    ///   ``StoreError/TextError/textNotReady(type:index:done:total:)`` for gathered text;
    ///   ``StoreError/RecordError/indexDamaged(type:index:key:)``.
    /// - Complexity: O(*n*) for *n* words of the index with the beginning: two rows each. Most of these are rare words,
    ///   so a beginning of a single letter costs some hundred times as much as one of three.
    public final func words<Record: IndexKeyRecord>(
        of type: Record.Type, beginning: String, index: String? = nil, limit: Int = 10
    ) throws -> [TextWord] {
        try translatingErrors {
            guard let source = try textSource(of: type, index: index) else { return [] }
            guard let (letters, term) = source.lastWord(of: beginning) else { return [] }
            return try source.vocabulary(WantedWords(beginning: letters, term: term))
                .mostFrequent(limit, startingWith: letters, or: term)
        }
    }

    /// Returns a full-text index of a type; nil if the store has no table for the type.
    ///
    /// - Parameter index: The name of the index; nil for the first.
    final func textSource<Record: IndexKeyRecord>(
        of type: Record.Type, index: String?
    ) throws -> OpenTextSource? {
        try TextSource(TextQuery<Record>(.nothing), index: index).opened(in: self, RelevanceOrder())
    }
}
