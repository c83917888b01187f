// Words within some edits of a word.
//
// A record has the score of those of its words with the fewest edits, e of at most m. They count as a single word, of
// which n(e) records have a word with at most e edits:
//
//     score = boost · idf(n(e)) · ((m − e) · (k1 + 1) + saturation) / (m + 1)
//
// A saturation is at most k1 + 1, and n(e) grows with e, so fewer edits always have the higher score. The records of
// each number of edits are without those of fewer edits: no record has two scores.

import LMDB
import TroveCoding

extension TextCompiler {
    /// The records with a word within some edits.
    private struct FuzzyPostings {
        /// The sums of the words of each number of edits, without the records of those with fewer edits.
        var tiers: [SummedPostings] = []
        var count: UInt64 = 0
        var found: [CountedWord.Found] = []
    }

    /// Returns the records of the words near a word.
    ///
    /// - Parameter tiers: The numbers of edits that have sums of their own.
    private func postings(
        _ words: [FuzzyWord], _ fields: ScoredFields, tiers: [ClosedRange<Int>]
    ) throws -> FuzzyPostings {
        var result = FuzzyPostings()
        for edits in tiers {
            var sums = SummedPostings(fields: fields.fields)
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
        return result
    }

    /// Returns the clause of a word within some edits.
    mutating func fuzzyWord(_ pattern: FuzzyPattern, _ fields: ScoredFields, boost: Double) throws -> Compiled {
        let most = pattern.edits
        let postings = try postings(reader.words(near: pattern), fields, tiers: (0...most).map { $0...$0 })
        note(pattern, postings)
        guard postings.count > 0 || keepsUnknownWords else { return .unmatched }
        var count: UInt64 = 0
        let tiers = postings.tiers.enumerated().map { edits, sums in
            count += sums.count
            let word = ScoredWords.Word(bytes: pattern.word, form: .near(pattern, edits: edits), count: count)
            let factor = boost * scoring.inverseFrequency(count) / Double(most + 1)
            let base = Double(most - edits) * (scoring.parameters.k1 + 1)
            return (sums, ScoredWords(indexName, word, fields, factor: factor, base: base, scoring))
        }
        return .part(
            CompiledText(cost: postings.count, isExact: true) { [lengths] in
                AnyScorer(
                    tiers.filter { $0.0.count > 0 }.map { SummedScorer($0, $1, lengths) },
                    as: .first(tiers.map { .words($1) }))
            })
    }

    /// Returns a word within some edits as a part of a phrase; nil if no record has such a word.
    mutating func fuzzyPart(_ pattern: FuzzyPattern, _ fields: ScoredFields) throws -> Part? {
        let words = try reader.words(near: pattern)
        let postings = try postings(words, fields, tiers: [0...pattern.edits])
        note(pattern, postings)
        guard let sums = postings.tiers.first, sums.count > 0 || keepsUnknownWords else { return nil }
        return part(Set(words.map(\.number)), sums, word(pattern, postings.count), fields)
    }

    private func word(_ pattern: FuzzyPattern, _ count: UInt64) -> ScoredWords.Word {
        ScoredWords.Word(bytes: pattern.word, form: .near(pattern, edits: nil), count: count)
    }

    private mutating func note(_ pattern: FuzzyPattern, _ postings: FuzzyPostings) {
        countedWords.append(CountedWord(word: word(pattern, postings.count), found: postings.found))
    }
}
