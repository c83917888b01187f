// The replacements of words by others, as an analyzer needs them: as terms, and followed to their ends.

/// The replacements of terms.
struct Replacements: Sendable {
    /// The maximum number of spellings that the words of a replacement make.
    private static let spellingLimit = 16

    private typealias Spelling = WordReduction.Spelling

    private var reductions: [[UInt8]: WordReduction] = [:]
    /// The terms with their own replacements.
    private var entries: [[UInt8]: [Spelling]] = [:]

    /// No replacements.
    init() {}

    /// - Parameters:
    ///   - words: The words with their replacements, as an application gives them.
    ///   - analyzer: The analyzer without replacements. It makes terms of both sides.
    init(_ words: [String: [String]], _ analyzer: TextAnalyzer) {
        // Several words may have the same term: the order of a dictionary must not matter.
        for (word, others) in words.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let term = Self.term(of: word, analyzer) else { continue }
            for other in others {
                let spelling = Self.spelling(of: other, analyzer)
                guard !spelling.terms.isEmpty else { continue }
                if entries[term]?.contains(spelling) != true { entries[term, default: []].append(spelling) }
            }
        }
        for term in entries.keys {
            let spellings = spellings(of: term)
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

    // MARK: Ends

    /// Returns what a term becomes when its replacements are replaced too, to their ends.
    private func spellings(of term: [UInt8]) -> [Spelling] {
        let reached = reached(from: term)
        var result = words(at: term).map { Spelling(terms: [.init(bytes: $0)]) }
        for spelling in ([term] + reached).flatMap({ entries[$0] ?? [] }) where Self.word(of: spelling) == nil {
            for spelling in replaced(spelling) where !result.contains(spelling) { result.append(spelling) }
        }
        return result
    }

    /// Returns the words at the ends of a term's replacements: those without replacements, and those that lead back to
    /// themselves.
    private func words(at term: [UInt8]) -> [[UInt8]] {
        reached(from: term).filter { entries[$0] == nil || reached(from: $0).contains($0) }
    }

    /// Returns the single words that a term leads to, the nearest first.
    private func reached(from term: [UInt8]) -> [[UInt8]] {
        var known: Set<[UInt8]> = []
        var result: [[UInt8]] = []
        var next = [term]
        while !next.isEmpty {
            next = next.flatMap { (entries[$0] ?? []).compactMap(Self.word) }.filter { known.insert($0).inserted }
            result += next
        }
        return result
    }

    /// Returns the word of a spelling of a single word.
    private static func word(of spelling: Spelling) -> [UInt8]? {
        spelling.terms.count == 1 && spelling.span == 1 ? spelling.terms[0].bytes : nil
    }

    /// Returns a spelling of several words with each word replaced by single words.
    private func replaced(_ spelling: Spelling) -> [Spelling] {
        var lists: [[WordReduction.Term]] = [[]]
        for term in spelling.terms {
            var words = self.words(at: term.bytes)
            if words.isEmpty { words = [term.bytes] }
            let longer = lists.flatMap { list in words.map { list + [.init(bytes: $0, offset: term.offset)] } }
            lists = Array(longer.prefix(Self.spellingLimit))
        }
        return lists.map { Spelling(terms: $0, span: spelling.span) }
    }
}

extension TermHash {
    /// Hashes bytes and their end.
    mutating func combine(_ bytes: [UInt8]) {
        for byte in bytes { combine(byte) }
        combine(0xFF)
    }
}
