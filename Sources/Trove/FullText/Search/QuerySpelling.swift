// The words of a query's text, as the index's analyzer makes them.

import TroveText

/// A word of a query's text.
struct QueryWord: Hashable, Sendable {
    /// The word's UTF-8.
    var bytes: [UInt8]
    var position: Int
    /// The word before it was reduced, if it became a single other word.
    var unreduced: [UInt8]?
    /// Whether the word is the last sign, alone, of a run in a script without spaces.
    var isLastSign = false

    /// Returns the word with the words within some edits of it; nil if it is only found as it is.
    func pattern(edits: Int?, anyFirstLetter: Bool) -> FuzzyPattern? {
        FuzzyPattern(bytes, unreduced: unreduced, edits: edits, anyFirstLetter: anyFirstLetter)
    }

    /// Returns words without the last signs of runs of several signs, whose pairs find them. The single sign of a run,
    /// as in 3月, is kept.
    static func withoutPairedSigns(_ words: [QueryWord]) -> [QueryWord] {
        words.indices.filter { index in
            guard words[index].isLastSign, index > 0 else { return true }
            let former = words[index - 1]
            return former.isLastSign || former.position != words[index].position - 1
                || former.bytes.suffix(words[index].bytes.count) != words[index].bytes[...]
        }.map { words[$0] }
    }
}

/// A reading of a query's text: words at their positions. A text has several readings if its words have several
/// replacements, or if it ends with a beginning that is also a word which the analyzer reduces.
struct QuerySpelling: Hashable, Sendable {
    /// Returns the spellings of a text, at least one.
    typealias Splitter = (_ text: String, _ endsWithPrefix: Bool) -> [QuerySpelling]

    /// The maximum number of words to make of a text, of which ``TextCompiler/wordLimit`` count: signs alone are left
    /// out later.
    static let wordLimit = 8 * TextCompiler.wordLimit
    /// The maximum number of spellings of a text.
    static let limit = 64

    var words: [QueryWord] = []
    /// Whether the last word is a beginning of words.
    var endsWithPrefix = false
    /// The positions that replacements of several words have added.
    private var added = 0

    init(_ words: [QueryWord] = [], endsWithPrefix: Bool = false) {
        self.words = words
        self.endsWithPrefix = endsWithPrefix
    }

    /// Returns the spellings of a text in an index.
    ///
    /// A beginning is compared with the words of the index as it is typed. It also finds the word itself, which the
    /// index has as its stem or its replacements.
    static func spellings(of text: String, endsWithPrefix: Bool, _ analyzer: TextAnalyzer) -> [QuerySpelling] {
        let words = analyzer.queryWords(of: text, limit: wordLimit)
        var spellings = [QuerySpelling()]
        for (index, word) in words.enumerated() where !word.spellings.isEmpty {
            let isBeginning = endsWithPrefix && index == words.count - 1
            if !isBeginning, word.spellings.count == 1 {
                for place in spellings.indices { spellings[place].append(word.spellings[0], of: word, word.spans[0]) }
                continue
            }
            spellings = Array(spellings.lazy.flatMap { $0.followed(by: word, isBeginning: isBeginning) }.prefix(limit))
        }
        return spellings
    }

    private func followed(by word: AnalyzedWord, isBeginning: Bool) -> [QuerySpelling] {
        let whole = [AnalyzedWord.Term(bytes: word.folded, offset: 0)]
        var result: [QuerySpelling] = []
        if !isBeginning || word.spellings != [whole] {
            result = zip(word.spellings, word.spans).map { appending($0, of: word, $1) }
        }
        if isBeginning {
            var spelling = appending(whole, of: word, 1)
            spelling.endsWithPrefix = true
            result.append(spelling)
        }
        return result
    }

    private func appending(_ terms: [AnalyzedWord.Term], of word: AnalyzedWord, _ span: Int) -> QuerySpelling {
        var result = self
        result.append(terms, of: word, span)
        return result
    }

    private mutating func append(_ terms: [AnalyzedWord.Term], of word: AnalyzedWord, _ span: Int) {
        for term in terms {
            words.append(
                QueryWord(
                    bytes: term.bytes, position: word.position + added + term.offset,
                    unreduced: word.term == nil || word.folded == term.bytes ? nil : word.folded,
                    isLastSign: word.isLastSign))
        }
        added += span - 1
    }
}
