// Windows of snippets: the best is that of a look at all of them.

import Testing
import TroveTestSupport

@testable import Trove

struct SnippetWindowTests {
    /// A text of words of one letter, some of which end a sentence.
    private func text(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).flatMap { _ in Array((Int.random(in: 0..<9, using: &random) == 0 ? "a. " : "a ").utf8) }
    }

    private func score(
        _ window: Range<Int>, _ spans: [(part: Int, range: ClosedRange<Int>)], _ weights: [Int]
    ) -> SnippetWindow.Score {
        let inside = spans.filter { window.contains($0.range.lowerBound) && window.contains($0.range.upperBound) }
        return SnippetWindow.Score(
            weight: Set(inside.map(\.part)).reduce(0) { $0 + weights[$1] }, count: inside.count)
    }

    @Test func theBestWindow_isThatOfALookAtAllWindows() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<400 {
            let count = Int.random(in: 1...60, using: &random)
            let text = text(count, &random)
            let units = TextUnits(text)
            #expect(units.count == count)
            let parts = Int.random(in: 1...4, using: &random)
            let weights = (0..<parts).map { _ in Double.random(in: 0...3, using: &random) }
            let occurrences = (0..<Int.random(in: 0...10, using: &random)).map { _ in
                let first = Int.random(in: 0..<count, using: &random)
                let last = min(count - 1, first + [0, 0, 0, 1, 3, 20].randomElement(using: &random)!)
                return TextMarks.Occurrence(
                    part: Int.random(in: 0..<parts, using: &random), range: units.starts[first]..<units.ends[last])
            }
            let words = Int.random(in: -1...30, using: &random)
            let found = SnippetWindow(text, units: units, occurrences: occurrences, weights: weights, words: words)
            let note = "round \(round), TROVE_TEST_SEED=\(seed): \(found), \(occurrences), \(weights)"

            let size = min(max(1, words), count)
            // Of a phrase that is longer than the window, the beginning counts.
            let spans = occurrences.map { occurrence in
                let first = units.starts.firstIndex(of: occurrence.range.lowerBound)!
                let last = units.ends.firstIndex { $0 >= occurrence.range.upperBound }!
                return (part: occurrence.part, range: first...min(last, first + size - 1))
            }
            let windows = (0...count - size).map { $0..<$0 + size }
            let whole = SnippetWindow.wholeWeights(weights)
            let best = windows.map { score($0, spans, whole) }.max()!
            #expect(found.units.count == size, "\(note)")
            #expect(windows.contains(found.units), "\(note)")
            #expect(found.score == best, "\(note)")
            #expect(score(found.units, spans, whole) == best, "\(note)")

            guard !spans.isEmpty else {
                #expect(found.units.lowerBound == 0, "\(note)")
                continue
            }
            // The first of the best windows has the same words.
            let earliest = windows.first { score($0, spans, whole) == best }!
            let inside = spans.filter {
                earliest.contains($0.range.lowerBound) && earliest.contains($0.range.upperBound)
            }
            let bounds = inside.map(\.range.lowerBound).min()!...inside.map(\.range.upperBound).max()!
            let candidates = windows.filter { $0.lowerBound <= bounds.lowerBound && $0.upperBound > bounds.upperBound }
            #expect(candidates.contains(found.units), "\(note): \(bounds)")
            let sentences = candidates.filter { window in
                window.lowerBound == 0 || text[units.starts[window.lowerBound] - 2] == 0x2E
            }
            if let nearest = sentences.last {
                #expect(found.units == nearest, "\(note): \(sentences)")
            } else {
                let before = bounds.lowerBound - found.units.lowerBound
                let after = found.units.upperBound - 1 - bounds.upperBound
                let isAtEnd = found.units == candidates.first || found.units == candidates.last
                #expect(abs(before - after) <= 1 || isAtEnd, "\(note): \(before) \(after)")
            }
        }
    }

    @Test func units_areWordsOfBoundedSize() {
        let long = String(repeating: "x", count: 1_000)
        for text in ["", " ", "\u{0}\u{1}", long, "a \(long) b", String(repeating: " ", count: 1_000) + "a", "東京都 a"] {
            let units = TextUnits(Array(text.utf8))
            #expect(units.starts.first == 0 && units.starts.count == units.ends.count)
            #expect(units.ends.last == text.utf8.count)
            for index in units.starts.indices.dropLast() {
                #expect(units.starts[index] < units.ends[index] && units.ends[index] <= units.starts[index + 1])
                #expect(units.starts[index + 1] - units.starts[index] <= TextUnits.sizeLimit)
            }
            for offset in 0..<text.utf8.count {
                #expect(units.unit(at: offset) == units.starts.lastIndex { $0 <= offset })
            }
        }
        #expect(TextUnits(Array("東京都 a".utf8)).count == 4)
        #expect(TextUnits(Array(" an Überblick, ½. ".utf8)).starts == [0, 4, 16])
    }
}
