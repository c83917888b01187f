// Words within some edits of a word.
//
// A record has the score of its words with the fewest edits, e of at most m. They count as a single word, of
// which n(e) records have a word with at most e edits:
//
//     score = boost · idf(n(e)) · ((m − e) · (k1 + 1) + saturation) / (m + 1)
//
// A saturation is at most k1 + 1, and n(e) grows with e, so fewer edits always have the higher score. The records of
// each number of edits are without the records of fewer edits: no record has two scores.

import LMDB
import TroveCoding

extension TextCompiler {
    /// A word that may have edits, in some fields.
    struct FuzzySearch: Hashable {
        let pattern: FuzzyPattern
        let fields: [Int]
        /// Whether each number of edits has sums of its own.
        let isTiered: Bool

        /// The numbers of edits that have sums.
        var tiers: [ClosedRange<Int>] { isTiered ? (0...pattern.edits).map { $0...$0 } : [0...pattern.edits] }
    }

    /// The records with a word within some edits.
    struct FuzzyPostings {
        /// The numbers of the words.
        var numbers: Set<UInt64> = []
        /// The sums of the words of each number of edits, without the records of words with fewer edits.
        var tiers: [SummedPostings] = []
        var count: UInt64 = 0
        var found: [CountedWord.Found] = []
    }

    /// Returns the records of the words near a word.
    private mutating func postings(_ search: FuzzySearch) throws -> FuzzyPostings {
        if let known = fuzzyWords[search] { return known }
        let words = try reader.words(near: search.pattern)
        var result = FuzzyPostings(numbers: Set(words.map(\.number)))
        for edits in search.tiers {
            var sums = SummedPostings(fields: search.fields)
            for word in words where edits.contains(word.edits) {
                guard let postings = try reader.postings(of: word.number) else { throw reader.damaged(word.word) }
                let count = try sums.add(postings, except: result.tiers)
                if count > 0 {
                    result.found.append(CountedWord.Found(word: word.word, edits: word.edits, count: count))
                }
            }
            result.count += sums.count
            result.tiers.append(sums)
        }
        fuzzyWords[search] = result
        return result
    }

    /// Returns the clause of a word within some edits. It is empty if further sums do not count.
    mutating func fuzzyWord(_ pattern: FuzzyPattern, _ fields: ScoredFields, boost: Double) throws -> Compiled {
        let most = pattern.edits
        let search = FuzzySearch(pattern: pattern, fields: fields.fields, isTiered: true)
        guard mayAddSums || fuzzyWords[search] != nil else { return .empty }
        let found = try postings(search)
        note(pattern, found)
        guard found.count > 0 || keepsUnknownWords else { return .unmatched }
        var count: UInt64 = 0
        let tiers = found.tiers.enumerated().map { edits, sums in
            count += sums.count
            let word = ScoredWords.Word(bytes: pattern.word, form: .near(pattern, edits: edits), count: count)
            let factor = boost * scoring.inverseFrequency(count) / Double(most + 1)
            let base = Double(most - edits) * (scoring.parameters.k1 + 1)
            let words = ScoredWords(
                index: indexName, word: word, fields: fields, factor: factor, base: base, scoring: scoring)
            return (sums, words)
        }
        return .part(
            CompiledText(cost: found.count, isExact: true) { [lengths] in
                AnyScorer(
                    tiers.filter { $0.0.count > 0 }.map { SummedScorer($0, $1, lengths) },
                    as: .first(tiers.map { .words($1) }))
            })
    }

    /// Returns a word within some edits as a part of a phrase; nil if no record has such a word.
    mutating func fuzzyPart(_ search: FuzzySearch, _ fields: ScoredFields) throws -> Part? {
        let found = try postings(search)
        note(search.pattern, found)
        guard let sums = found.tiers.first, sums.count > 0 || keepsUnknownWords else { return nil }
        return part(of: found.numbers, sums: sums, scored: word(search.pattern, found.count), in: fields)
    }

    private func word(_ pattern: FuzzyPattern, _ count: UInt64) -> ScoredWords.Word {
        ScoredWords.Word(bytes: pattern.word, form: .near(pattern, edits: nil), count: count)
    }

    private mutating func note(_ pattern: FuzzyPattern, _ postings: FuzzyPostings) {
        countedWords.append(CountedWord(word: word(pattern, postings.count), found: postings.found))
    }
}
