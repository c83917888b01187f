// From the clauses of a query to the scorers of an index: words become numbers, and numbers cursors. A query is
// compiled once for each run; each search of the run has scorers of its own, since these never move back.

import LMDB
import TroveCoding

/// A part of a query in an index.
struct CompiledText {
    /// A bound of the number of matches: the rarest of all parts, or the sum of any parts.
    let cost: UInt64
    /// Whether the bound is the number of matches.
    var isExact = false
    /// Returns a scorer before its first candidate.
    let scorer: () throws -> any TextScorer
}

/// The scorers of a query in a full-text index.
struct TextCompiler {
    /// The maximum number of words of a query, as the analyzer makes them.
    static let wordLimit = 128
    /// The maximum number of different beginnings and words with edits of a query. Each has sums of its own, with a
    /// byte for each record and field.
    static let sumLimit = 16

    /// A clause for an index.
    enum Compiled {
        /// A clause without words, such as signs alone: it is left out.
        case empty
        /// A clause that no record matches, such as an unknown word.
        case unmatched
        case part(CompiledText)
    }

    let reader: SearchedText
    let scoring: TextScoring
    let lengths: TextLengths
    /// The stored names of the index's properties.
    private let properties: [String]
    private let typeName: String
    let indexName: String
    /// Makes the words of a text.
    private let spellings: QuerySpelling.Splitter
    private var wordCount = 0
    /// The words met so far.
    var countedWords: [CountedWord] = []
    /// The texts of the records, if they have to be read for phrases.
    private let texts: RecordTexts?
    /// Whether words that no record has are kept, so that a text in memory may have them.
    var keepsUnknownWords = false
    /// Whether several words of a text may have the same position.
    var sharesPositions = true
    /// The beginnings met so far: a beginning may be in several phrases.
    private var beginnings: [Beginning: (numbers: Set<UInt64>, sums: SummedPostings)] = [:]
    /// The words with edits met so far.
    var fuzzyWords: [FuzzySearch: FuzzyPostings] = [:]

    private struct Beginning: Hashable {
        let bytes: [UInt8]
        let fields: [Int]
    }

    /// - Parameters:
    ///   - properties: The stored names of the index's properties, in order.
    ///   - texts: The texts of the records, if the index has trigrams without their order.
    ///   - spellings: Makes the words of a text, as for the texts of the index.
    init(
        _ reader: SearchedText, _ parameters: BM25, type: String, index: String, properties: [String],
        texts: RecordTexts? = nil, spellings: @escaping QuerySpelling.Splitter
    ) throws {
        self.texts = texts
        self.reader = reader
        self.properties = properties
        self.spellings = spellings
        (typeName, indexName) = (type, index)
        scoring = TextScoring(parameters, try reader.statistics())
        lengths = reader.lengths()
    }

    /// Returns the compiled query; nil if no record matches.
    mutating func compiled(_ clause: TextClause) throws -> CompiledText? {
        guard case .part(let part) = try compile(clause, Array(0..<reader.fields), boost: 1) else { return nil }
        return part
    }

    private mutating func compile(_ clause: TextClause, _ fields: [Int], boost: Double) throws -> Compiled {
        switch clause {
        case .nothing: return .empty
        case .everything:
            let count = scoring.documentCount
            return .part(CompiledText(cost: count, isExact: true) { [reader] in try reader.everything(count: count) })
        case .phrase(let text, let slop, let atStart):
            let slop = min(slop, PhraseMatcher.slopLimit)
            return try compile(text, slop > 0 ? .slop(slop) : .exact, atStart: atStart, fields, boost: boost)
        case .near(let text, let others):
            return try compile(text, .near(min(others, PhraseMatcher.slopLimit)), fields, boost: boost)
        case .prefix(let text): return try compile(text, .exact, endsWithPrefix: true, fields, boost: boost)
        case .fuzzy(let word, let edits, let anyFirstLetter):
            return try compile(word, .exact, fields, boost: boost) {
                $0.pattern(edits: edits, anyFirstLetter: anyFirstLetter)
            }
        case .all(let clauses): return try all(clauses, fields, boost: boost)
        case .any(let clauses): return try any(clauses, fields, boost: boost)
        case .excluding(let clause, let excluded):
            return try excluding(clause, excluded, fields, boost: boost)
        case .preferring(let clause, let preferred):
            let compiled = try compile(clause, fields, boost: boost)
            guard case .part(let part) = compiled, case .part(let other) = try compile(preferred, fields, boost: boost)
            else { return compiled }
            return .part(
                CompiledText(cost: part.cost, isExact: part.isExact) {
                    PreferringScorer(try part.scorer(), preferring: try other.scorer())
                })
        case .within(let names, let clause):
            let named = try names.map(field)
            let common = fields.filter { named.contains($0) }
            return common.isEmpty ? .unmatched : try compile(clause, common, boost: boost)
        case .boosted(let clause, let factor): return try compile(clause, fields, boost: boost * factor)
        }
    }

    private func field(_ name: String) throws -> Int {
        guard let field = properties.firstIndex(of: name) else {
            throw StoreError.text(.noFullTextIndex(type: typeName, properties: [name]))
        }
        return field
    }

    // MARK: Combinations

    private mutating func all(_ clauses: [TextClause], _ fields: [Int], boost: Double) throws -> Compiled {
        var parts: [CompiledText] = []
        for clause in clauses {
            switch try compile(clause, fields, boost: boost) {
            case .empty: break
            case .unmatched: return .unmatched
            case .part(let part): parts.append(part)
            }
        }
        guard let first = parts.first else { return .empty }
        if parts.count == 1 { return .part(first) }
        let cost = parts.reduce(first.cost) { min($0, $1.cost) }
        return .part(CompiledText(cost: cost) { [parts] in AllScorer(try parts.map { try $0.scorer() }) })
    }

    private mutating func any(_ clauses: [TextClause], _ fields: [Int], boost: Double) throws -> Compiled {
        Self.any(try clauses.map { try compile($0, fields, boost: boost) })
    }

    private static func any(_ clauses: [Compiled]) -> Compiled {
        var parts: [CompiledText] = []
        var isEmpty = true
        for clause in clauses {
            switch clause {
            case .empty: break
            case .unmatched: isEmpty = false
            case .part(let part): parts.append(part)
            }
        }
        guard let first = parts.first else { return isEmpty ? .empty : .unmatched }
        if parts.count == 1 { return .part(first) }
        let cost = parts.reduce(0) { $0 + $1.cost }
        return .part(CompiledText(cost: cost) { [parts] in AnyScorer(try parts.map { try $0.scorer() }) })
    }

    private mutating func excluding(
        _ clause: TextClause, _ excluded: TextClause, _ fields: [Int], boost: Double
    ) throws -> Compiled {
        // The words to find count first.
        let compiled = try compile(clause, fields, boost: boost)
        let other = try compile(excluded, fields, boost: boost)
        // Signs alone exclude nothing, and find nothing.
        if clause == .everything, case .empty = other { return .empty }
        guard case .part(let part) = compiled, case .part(let other) = other else { return compiled }
        return .part(
            CompiledText(cost: part.cost) {
                ExcludingScorer(try part.scorer(), excluding: try other.scorer())
            })
    }

    // MARK: Words

    /// A word of a phrase, its records, and its weight.
    struct Part {
        var word: PhraseWord
        var scored: ScoredWords.Word
        var count: UInt64 { scored.count }
        var scorer: (_ factor: Double) throws -> any PhrasePart
    }

    /// Compiles a text: any of its spellings.
    private mutating func compile(
        _ text: String, _ arrangement: PhraseMatcher.Arrangement, atStart: Bool = false,
        endsWithPrefix: Bool = false, _ fields: [Int], boost: Double,
        pattern: (_ word: QueryWord) -> FuzzyPattern? = { _ in nil }
    ) throws -> Compiled {
        // All spellings of a text together count as the longest of them.
        let former = wordCount
        var longest = former
        var compiled: [Compiled] = []
        var isLeftOut = false
        for spelling in spellings(text, endsWithPrefix) {
            wordCount = former
            let clause = try compile(
                spelling.words, arrangement, atStart: atStart, endsWithPrefix: spelling.endsWithPrefix, fields,
                boost: boost, pattern: pattern)
            compiled.append(clause)
            longest = max(longest, wordCount)
            if spelling.endsWithPrefix, case .empty = clause { isLeftOut = true }
        }
        wordCount = longest
        // A beginning that is left out is left out in all its spellings: one of them is a whole word.
        return isLeftOut ? .empty : Self.any(compiled)
    }

    private mutating func compile(
        _ words: [QueryWord], _ arrangement: PhraseMatcher.Arrangement, atStart: Bool = false,
        endsWithPrefix: Bool = false, _ fields: [Int], boost: Double,
        pattern: (_ word: QueryWord) -> FuzzyPattern? = { _ in nil }
    ) throws -> Compiled {
        var words = QueryWord.withoutPairedSigns(words)
        let limit = max(0, Self.wordLimit - wordCount)
        // A single sign at the end may be the beginning of pairs.
        let endsWithPrefix = (endsWithPrefix || words.last?.isLastSign == true) && words.count <= limit
        words = Array(words.prefix(limit))
        wordCount += words.count
        guard !words.isEmpty else { return .empty }
        let scored = ScoredFields(fields, scoring.parameters)
        if words.count == 1, !atStart, !endsWithPrefix, let pattern = pattern(words[0]) {
            return try fuzzyWord(pattern, scored, boost: boost)
        }
        var parts: [Part] = []
        var kept: [QueryWord] = []
        for (index, word) in words.enumerated() {
            let part: Part?
            if endsWithPrefix, index == words.count - 1 {
                let beginning = Beginning(bytes: word.bytes, fields: fields)
                guard mayAddSums || beginnings[beginning] != nil else { continue }
                part = counted(try prefix(beginning, scored), word, .prefix)
            } else if let pattern = pattern(word) {
                let search = FuzzySearch(pattern: pattern, fields: fields, isTiered: false)
                guard mayAddSums || fuzzyWords[search] != nil else { continue }
                part = try fuzzyPart(search, scored)
            } else {
                part = try counted(self.word(word, scored), word, .word)
            }
            guard let part else { return .unmatched }
            parts.append(part)
            kept.append(word)
        }
        if parts.isEmpty { return .empty }
        return try compiled(parts, of: kept, arrangement: arrangement, atStart: atStart, in: scored, boost: boost)
    }

    /// Whether another beginning, or another word with edits, counts.
    var mayAddSums: Bool { beginnings.count + fuzzyWords.count < Self.sumLimit }

    /// Returns a word, or the phrase of several.
    ///
    /// - Parameter parts: The records of the words; not empty.
    private func compiled(
        _ parts: [Part], of words: [QueryWord], arrangement: PhraseMatcher.Arrangement, atStart: Bool,
        in scored: ScoredFields, boost: Double
    ) throws -> Compiled {
        let weight = parts.reduce(0) { $0 + scoring.inverseFrequency($1.count) }
        let first = parts[0]
        if parts.count == 1, !atStart {
            return .part(CompiledText(cost: first.count, isExact: true) { try first.scorer(boost * weight) })
        }
        let offsets = words.map { $0.position - words[0].position }
        let isPart = arrangement == .exact && !atStart && offsets == Array(words.indices)
        guard reader.keepsOrder || texts != nil && isPart else {
            throw StoreError.text(.noPhrases(type: typeName, index: indexName))
        }
        let matcher = PhraseMatcher(
            parts.map(\.word), offsets: offsets, arrangement, atStart: atStart, sharesPositions: sharesPositions)
        let phrase = ScoredWords(
            index: indexName, words: parts.map(\.scored), offsets: offsets, arrangement: arrangement,
            atStart: atStart, fields: scored, factor: boost * weight, scoring: scoring)
        let cost = parts.reduce(first.count) { min($0, $1.count) }
        return .part(
            CompiledText(cost: cost) { [parts, reader, lengths, texts] in
                let occurrences: any PhraseOccurrences =
                    if !reader.keepsOrder, let texts {
                        PartOccurrences(words.map(\.bytes), texts, fields: reader.fields)
                    } else {
                        DocumentOccurrences(matcher, reader)
                    }
                return PhraseScorer(
                    matcher, occurrences: occurrences, parts: try parts.map { try $0.scorer(0) }, words: phrase,
                    lengths: lengths)
            })
    }

    private mutating func counted(_ part: Part?, _ word: QueryWord, _ form: ScoredWords.Word.Form) -> Part? {
        let scored = part?.scored ?? ScoredWords.Word(bytes: word.bytes, form: form, count: 0)
        countedWords.append(CountedWord(word: scored))
        return part
    }

    private func word(_ word: QueryWord, _ fields: ScoredFields) throws -> Part? {
        guard let number = try ByteView.with(word.bytes, { try reader.number(of: $0) }),
            let counts = try reader.counts(of: number)
        else { return unknown(word, fields) }
        let count = try self.count(of: number, counts, fields.fields)
        guard count > 0 else { return unknown(word, fields) }
        let scored = ScoredWords.Word(bytes: word.bytes, count: count)
        return Part(word: .word(number), scored: scored) { [reader, scoring, lengths, indexName] factor in
            guard let cursor = try reader.postings(of: number) else { throw reader.damaged(word.bytes) }
            let words = ScoredWords(index: indexName, word: scored, fields: fields, factor: factor, scoring: scoring)
            return WordScorer(cursor, words, of: reader.fields, lengths)
        }
    }

    private func unknown(_ word: QueryWord, _ fields: ScoredFields) -> Part? {
        let scored = ScoredWords.Word(bytes: word.bytes, count: 0)
        guard keepsUnknownWords else { return nil }
        return part(of: [], sums: SummedPostings(fields: fields.fields), scored: scored, in: fields)
    }

    /// Returns the number of records with a word in any of some fields.
    private func count(of number: UInt64, _ counts: DocumentCounts, _ fields: [Int]) throws -> UInt64 {
        if fields.count == reader.fields { return counts.all }
        if fields.count == 1 { return counts.byField[fields[0]] }
        guard let postings = try reader.postings(of: number) else { return 0 }
        var count: UInt64 = 0
        while try postings.next() != endOfPostings {
            for field in fields where try postings.frequency(of: field) > 0 {
                count += 1
                break
            }
        }
        return count
    }

    private mutating func prefix(_ beginning: Beginning, _ fields: ScoredFields) throws -> Part? {
        let (numbers, sums) = try postings(beginning)
        guard sums.count > 0 || keepsUnknownWords else { return nil }
        let scored = ScoredWords.Word(bytes: beginning.bytes, form: .prefix, count: sums.count)
        return part(of: numbers, sums: sums, scored: scored, in: fields)
    }

    private mutating func postings(_ beginning: Beginning) throws -> (numbers: Set<UInt64>, sums: SummedPostings) {
        if let known = beginnings[beginning] { return known }
        var numbers: Set<UInt64> = []
        try reader.forEachWord(startingWith: beginning.bytes) { numbers.insert($0) }
        var sums = SummedPostings(fields: beginning.fields)
        for number in numbers.sorted() {
            if let postings = try reader.postings(of: number) { try sums.add(postings) }
        }
        beginnings[beginning] = (numbers, sums)
        return (numbers, sums)
    }

    func part(
        of numbers: Set<UInt64>, sums: SummedPostings, scored: ScoredWords.Word, in fields: ScoredFields
    ) -> Part {
        Part(word: .anyOf(numbers), scored: scored) { [scoring, lengths, indexName] factor in
            let words = ScoredWords(index: indexName, word: scored, fields: fields, factor: factor, scoring: scoring)
            return SummedScorer(sums, words, lengths)
        }
    }
}
