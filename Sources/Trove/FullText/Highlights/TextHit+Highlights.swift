// The words of a query in the texts of a hit: ranges, and snippets.

import TroveText

extension TextHit {
    // MARK: Ranges

    /// Returns the ranges of a property that the query has found, to highlight them.
    ///
    /// ```swift
    /// var title = AttributedString(hit.record.title)
    /// for range in hit.ranges(in: \.title) {
    ///     if let range = Range(range, in: title) { title[range].inlinePresentationIntent = .stronglyEmphasized }
    /// }
    /// ```
    ///
    /// The words that count for the score are found, as the analyzer of the index makes words of the text:
    ///
    /// - A word is found as a whole, also if the query has a beginning or another form of it.
    /// - A phrase is found where all of its words are, and is one range.
    /// - In scripts without spaces, the signs are found that the query has.
    /// - Words of a part of the query that the record does not match are not found, nor words that the query excludes.
    ///
    /// The ranges are made from ``record`` at each call: nothing is stored for them.
    ///
    /// - Parameter property: A property of the index that the query has searched. Others have no ranges.
    /// - Returns: Ranges of the property's string, in order. They are not empty, do not touch, and begin and end
    ///   between two characters. A text has any number of them; only the first 4,194,304 found words are looked at.
    /// - Complexity: O(*n* + *m* log *m*) in the length of the text and the number of found words. A part of the query
    ///   below `OR` that is neither a word nor a phrase is looked for in all texts of the record.
    public func ranges(in property: KeyPath<Record, String>) -> [Range<String.Index>] {
        highlighted([record[keyPath: property]], property)[0].stringRanges
    }

    /// Returns the ranges of an optional property that the query has found; none for nil. See the function for strings.
    ///
    /// - Parameter property: A property of the index that the query has searched. Others have no ranges.
    public func ranges(in property: KeyPath<Record, String?>) -> [Range<String.Index>] {
        highlighted(record[keyPath: property].map { [$0] } ?? [], property).first?.stringRanges ?? []
    }

    /// Returns the ranges of each string of a property that the query has found. See the function for strings.
    ///
    /// - Parameter property: A property of the index that the query has searched. Others have no ranges.
    /// - Returns: An array for each string of the property.
    public func ranges(in property: KeyPath<Record, [String]>) -> [[Range<String.Index>]] {
        highlighted(record[keyPath: property], property).map(\.stringRanges)
    }

    /// Returns the ranges of any text that have the words of the query, whatever properties it names: for a text that
    /// is made from the record.
    ///
    /// A record does not have its gathered text: a part of a query of gathered text counts if the given text matches
    /// it.
    ///
    /// - Parameter text: A text.
    public func ranges(inText text: String) -> [Range<String.Index>] { highlighted(text)[0].stringRanges }

    // MARK: Snippets

    /// Returns the part of a property that shows best why the record was found.
    ///
    /// ```swift
    /// print(hit.snippet(of: \.body).marked())  // …in the <b>order</b> of keys, which a <b>store</b>…
    /// ```
    ///
    /// Of all parts with this number of words, the snippet has the greatest sum of the weights of the different words
    /// and phrases of the query in it; then the most of them; then it is the first. So a part with two words of the
    /// query goes before a part with one of them many times, and rare words before frequent ones. The snippet begins
    /// with a sentence if it can keep its words, or else has them in its middle. It is the beginning of a text in which
    /// nothing is found, and all of a text that is not longer.
    ///
    /// Words are split by `TextAnalyzer.standard`, whatever the index has: a sign of a script without
    /// spaces is a word. A word longer than 64 bytes, or as many bytes between two words, count as several words, so
    /// that a snippet has at most about 64 bytes a word. Only there is a snippet cut elsewhere than at a word's end.
    ///
    /// - Parameters:
    ///   - property: A property of the index that the query has searched. In others nothing is found.
    ///   - words: The number of words; less than 1 counts as 1.
    /// - Complexity: O(*n* + *m* log *m*) in the length of the text and the number of found words.
    public func snippet(of property: KeyPath<Record, String>, words: Int = 24) -> Snippet {
        HighlightedText.snippet(of: highlighted([record[keyPath: property]], property), words: words)
    }

    /// Returns the part of an optional property that shows best why the record was found; an empty snippet for nil. See
    /// the function for strings.
    ///
    /// - Parameters:
    ///   - property: A property of the index that the query has searched. In others nothing is found.
    ///   - words: The number of words; less than 1 counts as 1.
    public func snippet(of property: KeyPath<Record, String?>, words: Int = 24) -> Snippet {
        HighlightedText.snippet(of: highlighted(record[keyPath: property].map { [$0] } ?? [], property), words: words)
    }

    /// Returns the part of a string of a property that shows best why the record was found; an empty snippet for an
    /// empty array. See the function for a single string.
    ///
    /// - Parameters:
    ///   - property: A property of the index that the query has searched. In others nothing is found.
    ///   - words: The number of words; less than 1 counts as 1.
    public func snippet(of property: KeyPath<Record, [String]>, words: Int = 24) -> Snippet {
        HighlightedText.snippet(of: highlighted(record[keyPath: property], property), words: words)
    }

    /// Returns the part of any text that has the words of the query, whatever properties it names: for a text that is
    /// made from the record. See ``ranges(inText:)``.
    ///
    /// - Parameters:
    ///   - text: A text.
    ///   - words: The number of words; less than 1 counts as 1.
    public func snippet(ofText text: String, words: Int = 24) -> Snippet {
        HighlightedText.snippet(of: highlighted(text), words: words)
    }
}

extension TextHit {
    /// Returns the texts of a property with the places of the query's words.
    private func highlighted(_ texts: [String], _ property: PartialKeyPath<Record>) -> [HighlightedText] {
        guard let name = Record.schema.nameOfProperty(at: property) else { return HighlightedText.texts(texts, []) }
        return HighlightedText.texts(texts, highlightedWords { $0.properties.firstIndex(of: name) ?? -1 })
    }

    /// Returns a text with the places of the query's words.
    private func highlighted(_ text: String) -> [HighlightedText] {
        HighlightedText.texts([text], highlightedWords(gathered: text) { _ in nil })
    }

    /// Returns the words to look for, by index.
    ///
    /// - Parameters:
    ///   - gathered: The record's text in indexes of gathered text; nil if it is unknown.
    ///   - field: Returns the field of an index; nil for any.
    private func highlightedWords(
        gathered: String? = nil, _ field: (IndexDescriptor) -> Int?
    ) -> [HighlightedWords] {
        guard let clause else { return [] }
        var documents = RecordDocuments(record, gathered: gathered)
        // A record without a score may have been found by other conditions.
        let counted = clause.countedWords(isMatch: score > 0) { part in
            var parts: [ScorePart] = []
            return documents.score(part, &parts) != nil
        }
        return Dictionary(grouping: counted, by: \.index).sorted { $0.key < $1.key }.compactMap { index, words in
            guard let declared = Record.schema.indexes.first(where: { $0.kind == .fullText && $0.text == index }),
                let analyzer = declared.rule?.analyzer
            else { return nil }
            guard let field = field(declared) else { return HighlightedWords(analyzer, words) }
            return HighlightedWords(analyzer, words.filter { $0.fields.fields.contains(field) })
        }
    }
}
