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
        let shown = texts(of: property)
        guard !shown.isEmpty else { return nil }
        return shown.map { $0.whole.marked(open, close, escapesHTML: false) }.joined(separator: "\n")
    }

    /// Returns the part of a property that shows best why the record was found; nil for nil.
    ///
    /// - Parameters:
    ///   - property: The property; nil for the first property of the search in which a word is found.
    ///   - words: The number of words; less than 1 counts as 1.
    package func snippet(of property: String?, words: Int) -> Snippet? {
        let chosen = property ?? highlights?.properties.first { self.texts(of: $0).contains(where: { $0.hasWords }) }
        guard let chosen else { return nil }
        let shown = texts(of: chosen)
        return shown.isEmpty ? nil : HighlightedText.snippet(of: shown, words: words)
    }

    private func texts(of property: String) -> [HighlightedText] {
        if let split = known[property] { return split }
        let split = highlights?.texts(of: property) ?? []
        known[property] = split
        return split
    }
}
