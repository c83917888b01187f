// The replacements of words by others, as an analyzer needs them: as terms, and followed to their ends.

/// The replacements of terms.
struct Replacements: Sendable {
    private typealias Spelling = WordReduction.Spelling

    private var reductions: [[UInt8]: WordReduction] = [:]

    /// No replacements.
    init() {}

    /// - Parameters:
    ///   - words: The words with their replacements, as an application gives them.
    ///   - analyzer: The analyzer without replacements. It makes terms of both sides.
    init(_ words: [String: [String]], _ analyzer: TextAnalyzer) {
        // The terms with their own replacements.
        var entries: [[UInt8]: [Spelling]] = [:]
        // Several words may have the same term: the order of a dictionary must not matter.
        for (word, others) in words.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let term = Self.term(of: word, analyzer) else { continue }
            for other in others {
                let spelling = Self.spelling(of: other, analyzer)
                guard !spelling.terms.isEmpty else { continue }
                if entries[term]?.contains(spelling) != true { entries[term, default: []].append(spelling) }
            }
        }
        let ends = ReplacementEnds(of: entries)
        for term in entries.keys {
            let spellings = ends.spellings(of: term)
            if spellings != [Spelling(terms: [.init(bytes: term)])] { reductions[term] = WordReduction(spellings) }
        }
    }

    /// Whether there are no replacements.
    var isEmpty: Bool { reductions.isEmpty }

    /// The replacements of a term; nil if it stays.
    subscript(term: [UInt8]) -> WordReduction? { reductions.isEmpty ? nil : reductions[term] }

    /// Hashes all replacements, by their terms.
    func combine(into hash: inout TermHash) {
        for (term, reduction) in reductions.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            hash.combine(term)
            for spelling in reduction.spellings {
                hash.combine(spelling.span)
                for term in spelling.terms {
                    hash.combine(term.offset)
                    hash.combine(term.bytes)
                }
            }
        }
    }

    // MARK: Terms

    /// Returns the term of a single word; nil for other texts, and for a sign of a script without spaces.
    private static func term(of word: String, _ analyzer: TextAnalyzer) -> [UInt8]? {
        let words = analyzer.queryWords(of: word)
        guard let word = words.first, words.count == 1, !word.isLastSign else { return nil }
        return word.spellings.first?.first?.bytes
    }

    private static func spelling(of text: String, _ analyzer: TextAnalyzer) -> Spelling {
        var terms: [WordReduction.Term] = []
        var copy = text
        let span = copy.withRawSpan { text in
            analyzer.visitTokens(in: text) { term, place in
                var bytes: [UInt8] = []
                bytes.append(term)
                terms.append(WordReduction.Term(bytes: bytes, offset: place.position))
            }
        }
        return Spelling(terms: terms, span: max(1, span))
    }
}

extension TermHash {
    /// Hashes bytes and their end.
    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { combine(byte) }
        combine(0xFF)
    }
}
