// Laws of the tokens of any text: tests with random texts.

import Foundation
import Testing
import TroveTestSupport

@testable import TroveText

@Suite struct TokenLawTests {
    private static let analyzers: [TextAnalyzer] = [
        .standard, .standard.keepingMarks(), .standard.keepingMarks(on: "åäöйё"), .standard.keepingCase(), .trigrams,
        .trigrams.keepingCase(), .whole, .standard.without(.english).without(["a", "東京"]),
    ]

    private static func scalars(_ terms: [String]) -> [[UInt32]] { terms.map { $0.unicodeScalars.map(\.value) } }

    @Test func asciiLoop_isTheTables() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for round in 0..<4_000 {
            let text = Array(random.asciiText().utf8)
            for keepsCase in [false, true] {
                let folding = Folding(keptMarks: round % 2 == 0 ? .none : .all, keepsCase: keepsCase)
                var fast: [VisitedToken] = []
                var slow: [VisitedToken] = []
                text.withRawSpan(of: 0..<text.count) { bytes in
                    var splitter = WordSplitter(folding)
                    splitter.visit(bytes) { fast.append(VisitedToken($0, $1)) }
                    splitter = WordSplitter(folding)
                    splitter.visitByTables(bytes) { slow.append(VisitedToken($0, $1)) }
                }
                try #require(fast == slow, "\(text), seed \(seed)")
            }
        }
    }

    @Test func ranges_lieInOrderInTheText() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<1_000 {
            let text = random.text()
            let boundaries = Set(text.unicodeScalars.indices.map { text.utf8.distance(from: text.startIndex, to: $0) })
            for analyzer in Self.analyzers {
                let tokens = analyzer.visited(Array(text.utf8))
                let comment: Comment = "\(analyzer): \(Self.scalars([text])), seed \(seed)"
                for token in tokens {
                    let range = token.place.range
                    try #require(!token.term.isEmpty && String(validating: token.term, as: UTF8.self) != nil, comment)
                    try #require(range.upperBound <= text.utf8.count && !range.isEmpty, comment)
                    try #require(boundaries.contains(range.lowerBound), comment)
                    try #require(boundaries.contains(range.upperBound) || range.upperBound == text.utf8.count, comment)
                }
                for (token, next) in zip(tokens, tokens.dropFirst()) {
                    try #require(token.place.range.lowerBound <= next.place.range.lowerBound, comment)
                    try #require(token.place.position < next.place.position, comment)
                }
            }
        }
    }

    @Test func tokens_areThoseOfTheVisitor() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<500 {
            let text = random.text()
            for analyzer in Self.analyzers {
                let tokens = analyzer.tokens(of: text).map { token in
                    [token.term, String(text[token.range]), String(token.position)]
                }
                let visited = analyzer.visited(Array(text.utf8)).map { token in
                    let source = Array(text.utf8)[token.place.range]
                    return [token.term[...], source].map { String(decoding: $0, as: UTF8.self) }
                        + [String(token.place.position)]
                }
                try #require(tokens == visited, "\(analyzer): \(Self.scalars([text])), seed \(seed)")
            }
        }
    }

    @Test func folding_isIdempotent() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<3_000 {
            let text = random.text()
            for analyzer in Self.analyzers.prefix(4) {
                // The mark of a long vowel belongs to the signs before it. Without them, it is a Katakana word.
                for term in analyzer.terms(text) where term.unicodeScalars.first != "\u{30FC}" {
                    // Jamo with a tatweel between them, which is left out, are not joined to a syllable.
                    let hasJamo = term.unicodeScalars.contains { (0x1100...0x11FF).contains($0.value) }
                    if hasJamo, text.unicodeScalars.contains("\u{640}") { continue }
                    // A pair of signs is a pair and the last sign.
                    let first = analyzer.terms(term).first ?? ""
                    try #require(
                        Self.scalars([first]) == Self.scalars([term]),
                        "\(analyzer): \(Self.scalars([text, term])), seed \(seed)")
                }
            }
        }
    }

    @Test func equivalentTexts_haveTheSameWords() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<2_000 {
            let text = random.text(where: \.isNormalizedByFoundation)
            for analyzer in Self.analyzers.prefix(4) {
                let expected = Self.scalars(analyzer.terms(text))
                let comment: Comment = "\(analyzer): \(Self.scalars([text])), seed \(seed)"
                for form in [text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping] {
                    try #require(Self.scalars(analyzer.terms(form)) == expected, comment)
                }
            }
        }
    }

    @Test func case_doesNotMatter() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<2_000 {
            let text = random.text(where: \.isKnown)
            for analyzer in [TextAnalyzer.standard, .trigrams, .whole] {
                let expected = Self.scalars(analyzer.terms(text))
                try #require(
                    Self.scalars(analyzer.terms(text.lowercased())) == expected,
                    "\(analyzer): \(Self.scalars([text])), seed \(seed)")
            }
        }
    }

    @Test func textsAfterEachOther_haveTheWordsOfBoth() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<1_000 {
            let (left, right) = (random.text(), random.text())
            let expected = TextAnalyzer.standard.terms(left) + TextAnalyzer.standard.terms(right)
            try #require(
                TextAnalyzer.standard.terms("\(left)\n\(right)") == expected,
                "\(Self.scalars([left, right])), seed \(seed)")
        }
    }

    @Test func anyBytes_areSplit() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                let byte = UInt8.random(in: .min ... .max, using: &generator)
                // Many lead and continuation bytes.
                return Bool.random(using: &generator) ? byte | 0x80 : byte
            }
            for analyzer in Self.analyzers {
                for token in analyzer.visited(bytes) {
                    try #require(token.place.range.upperBound <= bytes.count, "\(analyzer): \(bytes), seed \(seed)")
                }
            }
        }
    }
}
