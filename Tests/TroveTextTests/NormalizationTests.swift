// Unicode's own test of normalization, and Foundation's normalization of random texts.

import Foundation
import Testing
import TroveTestSupport

@testable import TroveText

@Suite struct NormalizationTests {
    /// Everything that folding does but for case and marks: compatibility composition, without invisible scalars.
    private static let composing = TextAnalyzer.whole.keepingMarks().keepingCase()

    /// Returns what `composing` makes of text in NFKC: it leaves out invisible scalars, and has ASCII digits.
    private static func reduced(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let scalarClass = ScalarProperties(of: scalar.value).scalarClass
            if scalarClass == .format || scalarClass == .ignoredMark { continue }
            if scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue {
                result.append(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func columns(_ line: Substring) -> [String] {
        var columns: [String] = []
        for field in line.split(separator: ";", omittingEmptySubsequences: false) {
            columns.append(field.isEmpty ? columns[columns.count - 1] : UnicodeTestFile.text(field))
        }
        return columns
    }

    private static func scalars(_ text: String?) -> [UInt32] { (text ?? "").unicodeScalars.map(\.value) }

    @Test func normalForms_areUnicodes() throws {
        let lines = try UnicodeTestFile.lines("NormalizationTest.txt")
        #expect(lines.count > 7_000)
        for line in lines {
            let columns = Self.columns(line)
            try #require(columns.count == 5)
            let expected = Self.scalars(Self.reduced(columns[3]))
            // Canonically equivalent strings are equal in Swift: their scalars are compared.
            for column in columns {
                try #require(Self.scalars(Self.composing.terms(column).first) == expected, "\(line)")
            }
        }
    }

    @Test func normalForms_haveTheSameWords() throws {
        for line in try UnicodeTestFile.lines("NormalizationTest.txt") {
            let columns = Self.columns(line)
            // Some marks alone are words with letters around them only.
            let words = columns.map { TextAnalyzer.standard.terms("a\($0)b").map(Self.scalars) }
            #expect(Set(words).count == 1, "\(line)")
        }
    }

    @Test func hangulSyllables_compose() {
        for (index, syllable) in (0xAC00...0xD7A3 as ClosedRange<UInt32>).enumerated() {
            let tail = UInt32(index % 28)
            let jamo =
                [0x1100 + UInt32(index / 588), 0x1161 + UInt32(index / 28 % 21)] + (tail > 0 ? [0x11A7 + tail] : [])
            var text = String.UnicodeScalarView()
            text.append(contentsOf: jamo.compactMap(Unicode.Scalar.init))
            #expect(Self.scalars(Self.composing.terms(String(text)).first) == [syllable])
        }
    }

    @Test func randomTexts_composeAsFoundationComposes() throws {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<2_000 {
            // Foundation on Linux composes tags with marks as if they were ASCII letters.
            let text = random.text { $0.isKnown && !(0xE0000...0xE0FFF).contains($0.value) }
            let expected = Self.reduced(text.precomposedStringWithCompatibilityMapping)
            // What is left out may have blocked a composition.
            let composed = Self.scalars(expected.precomposedStringWithCompatibilityMapping)
            let found = Self.scalars(Self.composing.terms(text).first)
            try #require(
                found == Self.scalars(expected) || found == composed,
                "\(Self.scalars(text)), not \(composed), seed \(seed)")
        }
    }

    @Test func longClusters_areSorted() {
        let marks = String(repeating: "\u{301}\u{323}\u{345}", count: 20_000)
        let expected =
            "ა" + String(repeating: "\u{323}", count: 20_000) + String(repeating: "\u{301}", count: 20_000)
            + String(repeating: "\u{345}", count: 20_000)
        #expect(Self.scalars(TextAnalyzer.standard.terms("ა" + marks).first) == Self.scalars(expected))
    }
}
