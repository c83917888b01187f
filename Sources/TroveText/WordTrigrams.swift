// The trigrams of words: what texts with parts of the words have.

/// The different trigrams of the words of a text, as the analyzer `trigrams` folds them.
///
/// A word is a run of letters, marks and digits.
package struct WordTrigrams: Sendable {
    /// The trigrams in the order of the words: their UTF-8.
    package let terms: [[UInt8]]
    private let set: TermSet

    /// - Parameters:
    ///   - words: The words.
    ///   - limit: The maximum number of trigrams.
    package init(_ words: String, atMost limit: Int) {
        var terms: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        for word in words.unicodeScalars.split(whereSeparator: { !Self.isPartOfWord($0) }) {
            guard terms.count < limit else { break }
            var word = String(word)
            let found = word.withRawSpan { TextAnalyzer.trigrams.differentTerms(of: $0, atMost: limit) }
            for term in found where terms.count < limit && known.insert(term).inserted { terms.append(term) }
        }
        self.terms = terms
        set = TermSet(terms)
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Returns whether a text has any of the trigrams.
    package func occur(in text: RawSpan) -> Bool {
        struct Found: Error {}
        if terms.isEmpty { return false }
        do {
            try TextAnalyzer.trigrams.visitTokens(in: text) { term, _ in
                if set.contains(term) { throw Found() }
            }
            return false
        } catch {
            return true
        }
    }
}
