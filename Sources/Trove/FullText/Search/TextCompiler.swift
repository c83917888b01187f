// From the clauses of a query to the scorers of an index: words become numbers, and numbers cursors.

import LMDB
import TroveCoding

/// A word of a query's text, as the index's analyzer makes it.
struct QueryWord: Hashable, Sendable {
    /// The word's UTF-8.
    var bytes: [UInt8]
    var position: Int
    /// Whether the word is the last sign, alone, of a run in a script without spaces.
    var isLastSign = false
}

/// The scorers of a query in a full-text index.
struct TextCompiler {
    /// The maximum number of words of a query, as the analyzer makes them.
    static let wordLimit = 128

    /// A clause for an index.
    enum Compiled {
        /// A clause without words, such as signs alone: it is left out.
        case empty
        /// A clause that no record matches, such as an unknown word.
        case unmatched
        case scorer(any TextScorer)
    }

    private let reader: TextReader
    private let scoring: TextScoring
    private let lengths: TextLengths
    /// The stored names of the index's properties.
    private let properties: [String]
    private let typeName: String
    /// Makes the words of a text.
    private let words: (String) -> [QueryWord]
    private var wordCount = 0

    /// - Parameters:
    ///   - properties: The stored names of the index's properties, in order.
    ///   - words: Makes the words of a text, as for the texts of the index.
    init(
        _ reader: TextReader, _ parameters: BM25, type: String, properties: [String],
        words: @escaping (String) -> [QueryWord]
    ) throws {
        self.reader = reader
        self.properties = properties
        self.words = words
        typeName = type
        scoring = TextScoring(parameters, try reader.statistics())
        lengths = reader.lengths()
    }

    /// Returns the scorer of a query; nil if no record matches.
    mutating func scorer(of clause: TextClause) throws -> (any TextScorer)? {
        guard case .scorer(let scorer) = try compile(clause, Array(0..<reader.parts.fields), boost: 1) else {
            return nil
        }
        return scorer
    }

    private mutating func compile(_ clause: TextClause, _ fields: [Int], boost: Double) throws -> Compiled {
        switch clause {
        case .nothing: return .empty
        case .everything: return .scorer(try EverythingScorer(reader, count: scoring.documentCount))
        case .phrase(let text, let slop, let atStart):
            let slop = min(slop, PhraseMatcher.slopLimit)
            return try compile(
                words(text), slop > 0 ? .slop(slop) : .exact, atStart: atStart, fields, boost: boost)
        case .near(let text, let others):
            return try compile(words(text), .near(min(others, PhraseMatcher.slopLimit)), fields, boost: boost)
        case .prefix(let text): return try compile(words(text), .exact, endsWithPrefix: true, fields, boost: boost)
        case .fuzzy(let word, _, _): return try compile(words(word), .exact, fields, boost: boost)
        case .all(let clauses): return try all(clauses, fields, boost: boost)
        case .any(let clauses): return try any(clauses, fields, boost: boost)
        case .excluding(let clause, let excluded):
            return try excluding(clause, excluded, fields, boost: boost)
        case .preferring(let clause, let preferred):
            let compiled = try compile(clause, fields, boost: boost)
            guard case .scorer(let part) = compiled,
                case .scorer(let other) = try compile(preferred, fields, boost: boost)
            else { return compiled }
            return .scorer(PreferringScorer(part, preferring: other))
        case .within(let names, let clause):
            let named = try names.map(field)
            let common = fields.filter { named.contains($0) }
            return common.isEmpty ? .unmatched : try compile(clause, common, boost: boost)
        case .boosted(let clause, let factor): return try compile(clause, fields, boost: boost * factor)
        }
    }

    private func field(_ name: String) throws -> Int {
        guard let field = properties.firstIndex(of: name) else {
            throw StoreError.noFullTextIndex(type: typeName, properties: [name])
        }
        return field
    }

    // MARK: Combinations

    private mutating func all(_ clauses: [TextClause], _ fields: [Int], boost: Double) throws -> Compiled {
        var parts: [any TextScorer] = []
        for clause in clauses {
            switch try compile(clause, fields, boost: boost) {
            case .empty: break
            case .unmatched: return .unmatched
            case .scorer(let part): parts.append(part)
            }
        }
        guard let first = parts.first else { return .empty }
        return .scorer(parts.count == 1 ? first : AllScorer(parts))
    }

    private mutating func any(_ clauses: [TextClause], _ fields: [Int], boost: Double) throws -> Compiled {
        var parts: [any TextScorer] = []
        var isEmpty = true
        for clause in clauses {
            switch try compile(clause, fields, boost: boost) {
            case .empty: break
            case .unmatched: isEmpty = false
            case .scorer(let part): parts.append(part)
            }
        }
        guard let first = parts.first else { return isEmpty ? .empty : .unmatched }
        return .scorer(parts.count == 1 ? first : AnyScorer(parts))
    }

    private mutating func excluding(
        _ clause: TextClause, _ excluded: TextClause, _ fields: [Int], boost: Double
    ) throws -> Compiled {
        // The words to find count first.
        let compiled = try compile(clause, fields, boost: boost)
        let other = try compile(excluded, fields, boost: boost)
        // Signs alone exclude nothing, and find nothing.
        if clause == .everything, case .empty = other { return .empty }
        guard case .scorer(let part) = compiled, case .scorer(let other) = other else { return compiled }
        return .scorer(ExcludingScorer(part, excluding: other))
    }

    // MARK: Words

    /// A word of a phrase, its records, and its weight.
    private struct Part {
        var word: PhraseWord
        var count: UInt64
        var scorer: (_ factor: Double) throws -> any PhrasePart
    }

    private mutating func compile(
        _ words: [QueryWord], _ arrangement: PhraseMatcher.Arrangement, atStart: Bool = false,
        endsWithPrefix: Bool = false, _ fields: [Int], boost: Double
    ) throws -> Compiled {
        var words = words
        var endsWithPrefix = endsWithPrefix
        // A run of several signs is found by its pairs; a single sign is the beginning of pairs.
        if words.count > 1 {
            words.removeAll(where: \.isLastSign)
        } else if words.first?.isLastSign == true {
            endsWithPrefix = true
        }
        words = Array(words.prefix(max(0, Self.wordLimit - wordCount)))
        wordCount += words.count
        guard !words.isEmpty else { return .empty }
        let scored = ScoredFields(fields, scoring.parameters)
        var parts: [Part] = []
        for (index, word) in words.enumerated() {
            let isPrefix = endsWithPrefix && index == words.count - 1
            guard let part = isPrefix ? try prefix(word, scored) : try self.word(word, scored) else {
                return .unmatched
            }
            parts.append(part)
        }
        let weight = parts.reduce(0) { $0 + scoring.inverseFrequency($1.count) }
        if parts.count == 1, !atStart { return .scorer(try parts[0].scorer(boost * weight)) }
        guard reader.parts.keepsOrder else {
            throw StoreError.notStored(type: typeName, property: "the order of words")
        }
        let offsets = words.map { $0.position - words[0].position }
        let matcher = PhraseMatcher(parts.map(\.word), offsets: offsets, arrangement, atStart: atStart)
        return .scorer(
            PhraseScorer(
                matcher, try parts.map { try $0.scorer(0) }, scored, factor: boost * weight, scoring, reader,
                lengths))
    }

    private func word(_ word: QueryWord, _ fields: ScoredFields) throws -> Part? {
        guard let number = try ByteView.with(word.bytes, { try reader.number(of: $0) }),
            let counts = try reader.counts(of: number)
        else { return nil }
        let count = try self.count(of: number, counts, fields.fields)
        guard count > 0 else { return nil }
        return Part(word: .word(number), count: count) { [reader, scoring, lengths] factor in
            guard let cursor = try reader.postings(of: number) else { throw reader.parts.tails.damaged(word.bytes) }
            return WordScorer(
                cursor, fields, of: reader.parts.fields, factor: factor, scoring, lengths)
        }
    }

    /// Returns the number of records with a word in any of some fields.
    private func count(of number: UInt64, _ counts: DocumentCounts, _ fields: [Int]) throws -> UInt64 {
        if fields.count == reader.parts.fields { return counts.all }
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

    private func prefix(_ word: QueryWord, _ fields: ScoredFields) throws -> Part? {
        var numbers: Set<UInt64> = []
        try reader.forEachWord(startingWith: word.bytes) { _, number in
            numbers.insert(number)
            return true
        }
        let sums = SummedPostings(fields: fields.fields)
        for number in numbers.sorted() {
            if let postings = try reader.postings(of: number) { try sums.add(postings) }
        }
        sums.finish()
        guard sums.count > 0 else { return nil }
        return Part(word: .anyOf(numbers), count: sums.count) { [scoring, lengths] factor in
            PrefixScorer(sums, fields, factor: factor, scoring, lengths)
        }
    }
}
