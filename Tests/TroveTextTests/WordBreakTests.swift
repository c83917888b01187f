// Unicode's own test of word boundaries.

import Testing

@testable import TroveText

@Suite struct WordBreakTests {
    /// A row of WordBreakTest.txt: `÷ 0061 × 0308 ÷`, where ÷ is a boundary.
    private struct Row: CustomStringConvertible {
        let description: String
        var segments: [[Unicode.Scalar]] = []

        init(_ line: Substring) {
            description = String(line)
            for field in line.split(separator: " ") {
                if field == "÷" {
                    segments.append([])
                } else if let scalar = UInt32(field, radix: 16).flatMap(Unicode.Scalar.init) {
                    segments[segments.count - 1].append(scalar)
                }
            }
            segments.removeLast()
        }

        /// Whether punctuation occurs, which joins letters or digits by the standard, and never by the analyzer.
        var isTailored: Bool {
            segments.joined().contains { scalar in
                [.connectorPunctuation, .dashPunctuation, .finalPunctuation, .initialPunctuation, .otherPunctuation]
                    .contains(scalar.properties.generalCategory)
            }
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch ScalarProperties(of: scalar.value).scalarClass {
        case .letter, .katakana, .sign, .single, .pictograph, .regional: true
        default: false
        }
    }

    @Test func words_areUnicodesSegments() throws {
        let rows = try UnicodeTestFile.lines("WordBreakTest.txt").map(Row.init)
        let tested = rows.filter { !$0.isTailored }
        #expect(rows.count == 1823)
        #expect(tested.count == 475)
        for row in tested {
            let text = String(String.UnicodeScalarView(row.segments.joined()))
            let words = TextAnalyzer.standard.tokens(of: text).map { text.unicodeScalars[$0.range] }
            let expected = row.segments.filter { $0.contains(where: Self.isWord) }
            try #require(words.count == expected.count, "\(row)")
            for (word, segment) in zip(words, expected) {
                try #require(word.filter(Self.isWord) == segment.filter(Self.isWord), "\(row)")
            }
        }
    }
}
