// The texts of a record that a search has found, for code that shows its words.

/// The texts of a found record with the words of the search. A text is split into words once.
package final class FoundTexts {
    /// Nil for a search without words.
    private let highlights: StoredHighlights?
    private var known: [String: [HighlightedText]] = [:]

    init(_ highlights: StoredHighlights?) { self.highlights = highlights }

    /// Returns a property with marks around the words of the search; nil for nil. The texts of an array are on lines of
    /// their own.
    package func marked(_ property: String, _ open: String, _ close: String) -> String? {
        let texts = texts(of: property)
        guard !texts.isEmpty else { return nil }
        return texts.map { $0.whole.marked(open, close, escapesHTML: false) }.joined(separator: "\n")
    }

    /// Returns the part of a property that shows best why the record was found; nil for nil.
    ///
    /// - Parameters:
    ///   - property: The property; nil for the first property of the search in which a word is found.
    ///   - words: The number of words; less than 1 counts as 1.
    package func snippet(of property: String?, words: Int) -> Snippet? {
        let chosen = property ?? highlights?.properties.first { texts(of: $0).contains(where: \.hasWords) }
        let texts = chosen.map { texts(of: $0) } ?? []
        return texts.isEmpty ? nil : HighlightedText.snippet(of: texts, words: words)
    }

    private func texts(of property: String) -> [HighlightedText] {
        if let texts = known[property] { return texts }
        let texts = highlights?.texts(of: property) ?? []
        known[property] = texts
        return texts
    }
}
