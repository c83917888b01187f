// The tokens of a text.

extension TextAnalyzer {
    /// Returns the tokens of a text, in order: to see what the analyzer does.
    ///
    /// ```swift
    /// TextAnalyzer.standard.tokens(of: "Ordered Stores").map(\.term)  // ordered, stores
    /// ```
    ///
    /// - Complexity: O(n) in the length of the text, for the built-in analyzers.
    public func tokens(of text: String) -> [TextToken] {
        var copy = text
        var result: [TextToken] = []
        // Ranges begin in order: each index is found from the last.
        var known = (offset: 0, index: text.startIndex)
        copy.withRawSpan { bytes in
            _ = visitTokens(in: bytes) { term, place in
                let start = text.utf8.index(known.index, offsetBy: place.range.lowerBound - known.offset)
                known = (place.range.lowerBound, start)
                let end = text.utf8.index(start, offsetBy: place.range.count)
                result.append(TextToken(term: String(utf8: term), range: start..<end, position: place.position))
            }
        }
        return result
    }

    /// Calls a closure with each token of a text, in order, without making strings: for indexes.
    ///
    /// - Parameters:
    ///   - text: UTF-8. Bytes that are not UTF-8 separate words.
    ///   - body: Receives the UTF-8 of the term, which is not empty and holds until the closure returns, and its place.
    /// - Returns: The number of positions, left out words included: the position of what follows the text.
    /// - Complexity: O(n) in the length of the text, for the built-in analyzers. Memory is bounded by the longest word.
    @discardableResult
    package func visitTokens(
        in text: RawSpan, _ body: (_ term: RawSpan, _ place: TokenPlace) throws -> Void
    ) rethrows -> Int {
        guard let reducer else {
            if stopTerms.isEmpty { return try visitUnreduced(text, folding, body) }
            return try visitUnreduced(text, folding) { term, place in
                if !stopTerms.contains(term) { try body(term, place) }
            }
        }
        return try reducer.withTable { table in
            // The positions that replacements of several words have added so far.
            var added = 0
            let count = try visitUnreduced(text, splitFolding) { word, place in
                let start = place.position + added
                let span = try table.visit(word, reduce: reducer.reduce) { term, offset in
                    var place = place
                    place.position = start + offset
                    try body(term, place)
                }
                added += span - 1
            }
            return count + added
        }
    }

    /// Appends the folded UTF-8 of a text, of which each three scalars in a row are a term of `trigrams`.
    package func appendFolded(_ text: RawSpan, to bytes: inout [UInt8]) {
        TrigramSplitter.appendFolded(text, folding, to: &bytes)
    }

    /// Returns the different terms at the beginning of a text, in order: their UTF-8.
    ///
    /// - Parameter limit: The maximum number of terms.
    package func differentTerms(of text: RawSpan, atMost limit: Int) -> [[UInt8]] {
        struct Enough: Error {}
        var terms: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        do {
            try visitTokens(in: text) { term, _ in
                var copy: [UInt8] = []
                copy.append(term)
                guard known.insert(copy).inserted else { return }
                terms.append(copy)
                if terms.count == limit { throw Enough() }
            }
        } catch {
            // The other terms do not count.
        }
        return terms
    }

    /// Whether several tokens of a text may have the same position.
    package var sharesPositions: Bool {
        if case .custom = method { return true }
        return !replacements.isEmpty
    }

    /// Whether a function of the application makes the tokens, or stems of them.
    package var isCustom: Bool {
        if case .custom = method { return true }
        return stemmer.map { !($0 is any SelfContainedStemmer) } ?? false
    }

    /// Visits the tokens before stop words are left out and words are reduced.
    func visitUnreduced(_ text: RawSpan, _ folding: Folding, _ body: TokenVisitor) rethrows -> Int {
        switch method {
        case .words:
            var splitter = WordSplitter(folding)
            try splitter.visit(text, body)
            return splitter.position
        case .trigrams:
            var splitter = TrigramSplitter(folding)
            try splitter.visit(text, body)
            return splitter.position
        case .whole:
            var count = 0
            var whole = WholeText(folding)
            try whole.visit(text) {
                count = 1
                try body($0, $1)
            }
            return count
        case .custom(_, _, let tokenize):
            var tokens = TextTokens(of: String(utf8: text))
            tokenize(tokens.text, &tokens)
            return try tokens.visit(body)
        }
    }
}

extension TextTokens {
    /// Visits the tokens, and returns the position after them.
    fileprivate func visit(_ body: TokenVisitor) rethrows -> Int {
        for token in tokens {
            let start = text.utf8.distance(from: text.startIndex, to: token.range.lowerBound)
            let end = text.utf8.distance(from: text.startIndex, to: token.range.upperBound)
            var term = token.term
            try term.withRawSpan { try body($0, TokenPlace(position: token.position, range: start..<end)) }
        }
        return position
    }
}
