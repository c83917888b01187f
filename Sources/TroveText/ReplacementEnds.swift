// The ends of chains of replacements: what a word becomes when its replacements are replaced too.
//
//     auto → car → vehicle     both auto and car become vehicle
//     big → large → big        both become big and large, since they lead back to themselves

/// What words become at the ends of their chains of replacements.
struct ReplacementEnds {
    typealias Spelling = WordReduction.Spelling

    /// The maximum number of spellings that a replacement of several words makes.
    private static let spellingLimit = 16

    /// The single words that each term with replacements leads to, the nearest first.
    private let reached: [[UInt8]: [[UInt8]]]
    /// The words at the ends of each term's replacements: those without replacements, and those that lead back to
    /// themselves.
    private var words: [[UInt8]: [[UInt8]]] = [:]
    /// The replacements of several words of each term that has any, with each word replaced by single words.
    private var phrases: [[UInt8]: [Spelling]] = [:]

    /// - Parameter entries: The terms with their own replacements.
    /// - Complexity: O(*n*²) in the number of terms and replacements.
    init(of entries: [[UInt8]: [Spelling]]) {
        var reached: [[UInt8]: [[UInt8]]] = [:]
        var circular: Set<[UInt8]> = []
        for term in entries.keys {
            let others = Self.reached(from: term, entries)
            reached[term] = others
            if others.contains(term) { circular.insert(term) }
        }
        self.reached = reached
        for (term, others) in reached {
            words[term] = others.filter { entries[$0] == nil || circular.contains($0) }
        }
        for (term, spellings) in entries {
            let replaced = spellings.filter { Self.word(of: $0) == nil }.flatMap { self.replaced($0) }
            if !replaced.isEmpty { phrases[term] = replaced }
        }
    }

    /// Returns what a term becomes: its words, and then its replacements of several words.
    func spellings(of term: [UInt8]) -> [Spelling] {
        var result = (words[term] ?? []).map { Spelling(terms: [.init(bytes: $0)]) }
        if phrases.isEmpty { return result }
        var known = Set(result)
        for term in [term] + (reached[term] ?? []) {
            for phrase in phrases[term] ?? [] where known.insert(phrase).inserted { result.append(phrase) }
        }
        return result
    }

    /// Returns the single words that a term leads to, the nearest first.
    private static func reached(from term: [UInt8], _ entries: [[UInt8]: [Spelling]]) -> [[UInt8]] {
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
            var words = self.words[term.bytes] ?? []
            if words.isEmpty { words = [term.bytes] }
            let longer = lists.flatMap { list in words.map { list + [.init(bytes: $0, offset: term.offset)] } }
            lists = Array(longer.prefix(Self.spellingLimit))
        }
        return lists.map { Spelling(terms: $0, span: spelling.span) }
    }
}
