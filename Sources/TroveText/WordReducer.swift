// The steps after a word is split off: stop words are left out, words become stems, and stems are replaced.
//
//     word with marks ─┬─ folded ─ a stop word: left out
//                      └─ stem ─ folded ─ replaced
//
// A stemmer needs the marks of its language: *é* and *ü* are letters of endings and vowels. So words are split with all
// of their marks where there is a stemmer, and its stems are folded. Each different word is reduced once, and kept.

import Synchronization

/// The reduction of the words of an analyzer, shared by its copies.
final class WordReducer: Sendable {
    /// The maximum number of idle tables.
    private static let tableLimit = 4

    private let stemmer: (any TextStemmer)?
    private let stopTerms: TermSet
    private let replacements: Replacements
    /// What is folded after a stemmer; nil for words of an application's function, and for words folded already.
    private let folding: Folding?
    /// Whether words were split off, rather than being whole texts.
    private let splitsWords: Bool
    /// The tables that no thread uses.
    private let tables = Mutex<[ReductionTable]>([])

    init(
        _ stemmer: (any TextStemmer)?, _ stopTerms: TermSet, _ replacements: Replacements, folding: Folding?,
        splitsWords: Bool
    ) {
        self.stemmer = stemmer
        self.stopTerms = stopTerms
        self.replacements = replacements
        self.folding = folding
        self.splitsWords = splitsWords
    }

    /// Calls a closure with a table that no other thread uses meanwhile. The closure may call functions of the
    /// application, and these the analyzer again.
    func withTable<R>(_ body: (inout ReductionTable) throws -> R) rethrows -> R {
        var table = tables.withLock { $0.popLast() } ?? ReductionTable()
        defer { tables.withLock { if $0.count < Self.tableLimit { $0.append(table) } } }
        return try body(&table)
    }

    /// Returns the folded form of a word, before it is reduced.
    func folded(_ word: RawSpan) -> [UInt8] {
        var result: [UInt8] = []
        guard let folding else {
            result.append(word)
            return result
        }
        var whole = WholeText(folding, isWord: splitsWords)
        whole.visit(word) { term, _ in result.append(term) }
        return result
    }

    /// Reduces a word.
    func reduce(_ word: RawSpan) -> WordReduction {
        var term = folded(word)
        if term.withRawSpan(of: 0..<term.count, { stopTerms.contains($0) }) { return .leftOut }
        if let stemmer {
            var stem = stemmer.stem(String(utf8: word))
            term = stem.withRawSpan { folded($0) }
        }
        return replacements[term] ?? WordReduction(to: term)
    }
}
