// A slow and obvious highlighter: the tokens of all texts, looked through for every clause.

import LMDB
import TroveText

@testable import Trove

/// A look through the texts of a record for what a query has found.
struct SlowHighlighter {
    /// A token with its place.
    struct Token {
        var term: String
        /// The place of the text in the property, and the range in it.
        var text: Int
        var range: Range<String.Index>
        /// The range of the first sign of a pair; the range of other terms.
        var firstSign: Range<String.Index>
        var position: Int
        var isStart: Bool
    }

    /// A found word or phrase.
    struct Find: Hashable {
        var field: Int
        var text: Int
        var range: Range<String.Index>
        /// The ranges to mark.
        var marks: [Range<String.Index>]
        /// The clause with the fields that it is looked for in.
        var part: String
    }

    let analyzer: TextAnalyzer
    let names: [String]
    let texts: [[String]]
    let tokens: [[Token]]

    init(_ texts: [[String]], names: [String], _ analyzer: TextAnalyzer) {
        self.analyzer = analyzer
        self.names = names
        self.texts = texts
        tokens = texts.map { Self.tokens($0, analyzer) }
    }

    private static func tokens(_ texts: [String], _ analyzer: TextAnalyzer) -> [Token] {
        var result: [Token] = []
        var start = 0
        for (index, text) in texts.enumerated() {
            let tokens = analyzer.tokens(of: text)
            for (place, token) in tokens.enumerated() {
                let next = place + 1 < tokens.count ? tokens[place + 1].range.lowerBound : text.endIndex
                result.append(
                    Token(
                        term: token.term, text: index, range: token.range,
                        firstSign: token.range
                            .lowerBound..<min(max(next, token.range.lowerBound), token.range.upperBound),
                        position: start + token.position, isStart: place == 0))
            }
            start += positionCount(text, analyzer) + 100
        }
        return result
    }

    private static func positionCount(_ text: String, _ analyzer: TextAnalyzer) -> Int {
        ByteView.with(text) { $0.withSpan { analyzer.visitTokens(in: $0) { _, _ in } } }
    }

    // MARK: Clauses

    /// Returns what a clause finds; nil if it does not match.
    func finds(_ clause: TextClause) -> [Find]? { evaluate(clause, Array(names.indices)) ?? nil }

    /// Returns what a clause finds, nil inside if it does not match, and nil for a clause without words.
    private func evaluate(_ clause: TextClause, _ fields: [Int]) -> [Find]?? {
        switch clause {
        case .nothing: return .none
        case .everything: return []
        case .phrase(let text, let slop, let atStart):
            return words(text, slop > 0 ? .slop(slop) : .exact, atStart: atStart, fields)
        case .near(let text, let others): return words(text, .near(others), fields)
        case .prefix(let text): return words(text, .exact, isPrefix: true, fields)
        case .fuzzy(let word, _, _): return words(word, .exact, fields)
        case .all(let clauses):
            let parts = clauses.compactMap { evaluate($0, fields) }
            if parts.isEmpty { return .none }
            let found = parts.compactMap { $0 }
            return .some(found.count == parts.count ? found.flatMap { $0 } : nil)
        case .any(let clauses):
            let parts = clauses.compactMap { evaluate($0, fields) }
            if parts.isEmpty { return .none }
            let found = parts.compactMap { $0 }
            return .some(found.isEmpty ? nil : found.flatMap { $0 })
        case .excluding(let clause, let other):
            let others = evaluate(other, fields)
            if clause == .everything, others == nil { return .none }
            guard let found = evaluate(clause, fields) else { return .none }
            if case .some(.some) = others { return .some(nil) }
            return .some(found)
        case .preferring(let clause, let other):
            guard let found = evaluate(clause, fields) else { return .none }
            return .some(found.map { $0 + ((evaluate(other, fields) ?? nil) ?? []) })
        case .within(let list, let clause):
            let common = fields.filter { list.contains(names[$0]) }
            return common.isEmpty ? .some(nil) : evaluate(clause, common)
        case .boosted(let clause, _): return evaluate(clause, fields)
        }
    }

    // MARK: Words

    /// A word of the query.
    private struct Word: Hashable {
        var term: String
        var isPrefix = false
        /// Whether the word is a single sign of a script without spaces.
        var isSign = false

        func isFound(as token: Token) -> Bool {
            // Strings compare canonically: terms are bytes.
            let (term, found) = (Array(term.utf8), Array(token.term.utf8))
            return isPrefix ? found.starts(with: term) : found == term
        }

        func range(_ token: Token) -> Range<String.Index> {
            isSign && token.term.utf8.count > term.utf8.count && !token.firstSign.isEmpty
                ? token.firstSign : token.range
        }
    }

    private func words(
        _ text: String, _ arrangement: PhraseMatcher.Arrangement, atStart: Bool = false, isPrefix: Bool = false,
        _ fields: [Int]
    ) -> [Find]?? {
        // How a query's words are read is tested elsewhere (SignRunTests, TextSearchTests).
        let readings = QuerySpelling.spellings(of: text, endsWithPrefix: isPrefix, analyzer).compactMap { spelling in
            words(
                QueryWord.withoutPairedSigns(spelling.words), arrangement, atStart: atStart,
                isPrefix: spelling.endsWithPrefix, fields)
        }
        if readings.isEmpty { return .none }
        let found = readings.compactMap { $0 }
        return .some(found.isEmpty ? nil : found.flatMap { $0 })
    }

    private func words(
        _ queried: [QueryWord], _ arrangement: PhraseMatcher.Arrangement, atStart: Bool, isPrefix: Bool, _ fields: [Int]
    ) -> [Find]?? {
        var words = queried.map { word in
            (word: Word(term: String(decoding: word.bytes, as: UTF8.self)), position: word.position)
        }
        let isSign = queried.last?.isLastSign == true
        let isPrefix = isPrefix || isSign
        guard let first = words.first else { return .none }
        words[words.count - 1].word.isPrefix = isPrefix
        words[words.count - 1].word.isSign = isSign
        let offsets = words.map { $0.position - first.position }
        let note = "\(words.map(\.word)) \(offsets) \(arrangement) \(atStart)"
        var found: [Find] = []
        for field in fields {
            for chosen in find(words.map(\.word), offsets, arrangement, atStart: atStart, in: tokens[field]) {
                for text in Set(chosen.map { tokens[field][$0.token].text }) {
                    var ranges: [Range<String.Index>] = []
                    for (word, place) in chosen where tokens[field][place].text == text {
                        ranges.append(words[word].word.range(tokens[field][place]))
                    }
                    let starts: [String.Index] = ranges.map(\.lowerBound)
                    let ends: [String.Index] = ranges.map(\.upperBound)
                    let range = starts.min()!..<ends.max()!
                    let isWhole = words.count > 1 && arrangement == .exact
                    found.append(
                        Find(field: field, text: text, range: range, marks: isWhole ? [range] : ranges, part: note))
                }
            }
        }
        return .some(found.isEmpty ? nil : found)
    }

    private func find(
        _ words: [Word], _ offsets: [Int], _ arrangement: PhraseMatcher.Arrangement, atStart: Bool, in tokens: [Token]
    ) -> [[(word: Int, token: Int)]] {
        tokens.indices.compactMap { start in
            if case .near(let others) = arrangement, words.count > 1 {
                guard words.contains(where: { $0.isFound(as: tokens[start]) }) else { return nil }
                return near(words, from: start, span: words.count + others, tokens)
            }
            guard words[0].isFound(as: tokens[start]), !atStart || tokens[start].isStart else { return nil }
            let slop = if case .slop(let slop) = arrangement { slop } else { 0 }
            return follow(words, offsets, from: start, slop: slop, tokens)
        }
    }

    /// Returns the words that follow a token, each as near as possible.
    private func follow(
        _ words: [Word], _ offsets: [Int], from start: Int, slop: Int, _ tokens: [Token]
    ) -> [(word: Int, token: Int)]? {
        var found = [(word: 0, token: start)]
        for word in words.indices.dropFirst() {
            let least = tokens[found[word - 1].token].position + offsets[word] - offsets[word - 1]
            guard
                let next = tokens.indices.first(where: {
                    tokens[$0].position >= least && words[word].isFound(as: tokens[$0])
                }),
                tokens[next].position - tokens[start].position - offsets[word] <= slop
            else { return nil }
            found.append((word, next))
        }
        return found
    }

    /// Returns the first words in a window; those that are found at the same places need a place each.
    private func near(_ words: [Word], from start: Int, span: Int, _ tokens: [Token]) -> [(word: Int, token: Int)]? {
        let places = words.map { word in tokens.indices.filter { word.isFound(as: tokens[$0]) } }
        let end = tokens[start].position + span
        var found: [(word: Int, token: Int)] = []
        for (index, list) in places.enumerated() {
            let needed = places.count { $0 == list }
            let window = list.filter { $0 >= start && tokens[$0].position < end }
            guard window.count >= needed else { return nil }
            found += window.prefix(needed).map { (index, $0) }
        }
        return found
    }

    // MARK: Ranges

    /// Returns ranges that are moved apart to characters and joined.
    static func joined(_ ranges: [Range<String.Index>], in text: String) -> [Range<String.Index>] {
        let bounds = Array(text.indices) + [text.endIndex]
        let wide = ranges.filter { !$0.isEmpty }.map { range in
            bounds.last { $0 <= range.lowerBound }!..<bounds.first { $0 >= range.upperBound }!
        }
        var result: [Range<String.Index>] = []
        for range in wide.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
