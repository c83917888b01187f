// Corrections of typed texts: "did you mean".

import TroveCoding

/// A correction of a typed text that finds records.
public struct TextSuggestion: Hashable, Sendable {
    /// The typed text with the corrected words.
    public let text: String
    /// The places of the corrected words in the text, to mark them.
    public let ranges: [Range<String.Index>]
    /// The number of edits in all different words, from the typed words to the words of the index.
    public let edits: Int
    /// The number of records that the text finds, as ``TextQuery/init(_:joining:lastIsPrefix:)`` reads it.
    public let recordCount: Int
}

extension ReadContext {
    /// Returns corrections of a typed text, the best first: "did you mean".
    ///
    /// ```swift
    /// for suggestion in try store.read({ try $0.suggestions(for: "databse ordred", of: Article.self) }) {
    ///     print(suggestion.text, suggestion.recordCount)  // database ordered 12
    /// }
    /// ```
    ///
    /// A word that no record has is replaced by words within the edits of ``TextQuery/fuzzy(_:edits:anyFirstLetter:)``:
    /// by words with its first letter, or if there is none by any. A word that records have is also replaced by words
    /// that at least a hundred times as many records have. Words of fewer than 3 letters, beginnings such as `dat*`,
    /// names of properties and operators stay as they are, and so do all signs of the typed language. A corrected word
    /// is folded, as the index has it.
    ///
    /// If the analyzer makes stems or replaces words, a corrected word is a word of the texts: of the words with the
    /// stem in its first 16 records, the nearest to the typed word. It has its marks if the folded word has another
    /// stem. An index of gathered text does not have its texts: a stem is suggested if it is its own stem, and others
    /// are left out.
    ///
    /// The fewer edits, the better; among equals, the text that finds more records. A text that finds nothing is left
    /// out, so there are no suggestions for a text all of whose words are frequent. Until the index is built, all
    /// records are read, as by a query.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it. The first 128 words are corrected.
    ///   - type: The type of the records.
    ///   - index: The name of a full-text index; nil for the first.
    ///   - limit: The maximum number of suggestions, up to 20. Four times as many texts are tried.
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)``, and
    ///   ``StoreError/RecordError/indexDamaged(type:index:key:)``.
    /// - Complexity: A walk over the words of the index for each word, as a fuzzy query, and a search for each text.
    ///   With stems or replacements, also the texts of 16 records for each suggested word.
    public final func suggestions<Record: IndexKeyRecord>(
        for typed: String, of type: Record.Type, index: String? = nil, limit: Int = 3
    ) throws -> [TextSuggestion] {
        try translatingErrors {
            guard let source = try textSource(of: type, index: index) else { return [] }
            let corrections = try TextCorrections(
                typed, source.analyzer, names: Set(source.properties), source.vocabulary)
            return try corrections.best(limit) { text in
                try type.matching(text, index: index).count(in: self)
            }
        }
    }
}
