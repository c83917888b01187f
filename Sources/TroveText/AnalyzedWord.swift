// The words of a query's text: what the index may have in the place of each.

/// A word of a query's text.
package struct AnalyzedWord: Hashable, Sendable {
    /// A term of a spelling, and the number of positions from the word's own.
    package struct Term: Hashable, Sendable {
        package var bytes: [UInt8]
        package var offset: Int

        package init(bytes: [UInt8], offset: Int) {
            self.bytes = bytes
            self.offset = offset
        }
    }

    /// The folded word before it is reduced: the beginning of the words of an index, if it is the beginning of a word.
    package var folded: [UInt8]
    /// The offsets of its UTF-8 in the text.
    package var range: Range<Int>
    /// The number of words before it, left out words included.
    package var position: Int
    /// Whether the word is the last sign, alone, of a run in a script without spaces.
    package var isLastSign: Bool
    /// The terms that an index has for the word; without replacements one spelling of one term. None for a word that is
    /// left out.
    package var spellings: [[Term]]
    /// The number of positions of each spelling; at least 1.
    package var spans: [Int]

    /// The term that an index has for the word; nil if it has none or several.
    package var term: [UInt8]? { spellings.count == 1 && spellings[0].count == 1 ? spellings[0][0].bytes : nil }
}

extension TextAnalyzer {
    /// Returns the words of a query's text.
    ///
    /// - Parameter limit: The maximum number of words.
    package func queryWords(of text: String, limit: Int = .max) -> [AnalyzedWord] {
        struct Enough: Error {}
        var words: [AnalyzedWord] = []
        var copy = text
        do {
            try copy.withRawSpan { text in
                _ = try visitUnreduced(text, splitFolding) { word, place in
                    guard words.count < limit else { throw Enough() }
                    words.append(queryWord(word, place))
                }
            }
        } catch {
            // A text of millions of words is searched by its beginning.
        }
        return words
    }

    private func queryWord(_ word: RawSpan, _ place: TokenPlace) -> AnalyzedWord {
        let folded: [UInt8]
        let reduction: WordReduction
        if let reducer {
            folded = reducer.folded(word)
            reduction = reducer.reduce(word)
        } else {
            var bytes: [UInt8] = []
            bytes.append(word)
            folded = bytes
            reduction = stopTerms.contains(word) ? .leftOut : WordReduction(to: bytes)
        }
        return AnalyzedWord(
            folded: folded, range: place.range, position: place.position, isLastSign: place.isLastSign,
            spellings: reduction.spellings.map { spelling in
                spelling.terms.map { AnalyzedWord.Term(bytes: $0.bytes, offset: $0.offset) }
            }, spans: reduction.spellings.map(\.span))
    }
}
