// The words of a text that become a term: what a stem is a stem of.

extension TextAnalyzer {
    /// Whether words become stems or replacements.
    package var reducesWords: Bool { reducer != nil }

    /// Returns the words of a text that become a term, as a query has to spell them to have the same term.
    ///
    /// A word is folded if the folded word has the term, too. Otherwise it has its marks, as in `aimées`.
    ///
    /// - Parameters:
    ///   - term: A term of the analyzer.
    ///   - text: UTF-8.
    /// - Complexity: O(n) in the length of the text, for the built-in analyzers.
    package func words(withTerm term: [UInt8], in text: RawSpan) -> [[UInt8]] {
        guard let reducer else { return [] }
        var words: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        reducer.withTable { table in
            _ = visitUnreduced(text, splitFolding) { word, _ in
                var (count, isFound) = (0, false)
                _ = table.visit(word, reduce: reducer.reduce) { other, _ in
                    count += 1
                    isFound = other.equals(term[...])
                }
                // A word with several replacements finds more than the term.
                guard isFound, count == 1 else { return }
                var copy: [UInt8] = []
                copy.append(word)
                if known.insert(copy).inserted { words.append(copy) }
            }
        }
        return words.compactMap { word in
            let folded = word.withRawSpan(of: 0..<word.count) { reducer.folded($0) }
            return [folded, word].first { isWord($0, withTerm: term) }
        }
    }

    /// Returns whether a query for a text is a query for a term alone.
    ///
    /// - Parameter text: UTF-8.
    package func isWord(_ text: [UInt8], withTerm term: [UInt8]) -> Bool {
        let words = queryWords(of: String(decoding: text, as: UTF8.self), limit: 2)
        return words.count == 1 && words[0].term == term
    }
}
