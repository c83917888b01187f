// The choice of a snippet's window.
//
//     text      a b c d e f g h i j k l m n o p q r s t
//     found           x       y                 x
//     core            [       ]                              the first window with the most, from word to word
//     window      [           ]                              begins a sentence, or has the core in its middle

/// The best of all windows of a number of words.
///
/// 1. The window with the greatest sum of the weights of the different words and phrases in it: two words of the query
///    are better than one of them twice, and a rare word is better than a frequent one.
/// 2. Among these, the window with the most words and phrases.
/// 3. Among these, the first.
///
/// The window then moves back, as far as it keeps its words: to the nearest beginning of a sentence, or else until the
/// words are in its middle.
struct SnippetWindow: Hashable {
    /// The score by which windows are compared.
    struct Score: Hashable, Comparable {
        /// The sum of the weights, as whole numbers: sums do not depend on their order.
        var weight = 0
        var count = 0

        static func < (left: Score, right: Score) -> Bool {
            (left.weight, left.count) < (right.weight, right.count)
        }
    }

    /// The parts of the text (TextUnits.swift) in the window.
    private(set) var units: Range<Int>
    private(set) var score = Score()

    /// - Parameters:
    ///   - text: UTF-8.
    ///   - occurrences: The words and phrases in the text.
    ///   - weights: The weights of the words and phrases.
    ///   - words: The number of words of the window; at least 1.
    init(
        _ text: [UInt8], units: TextUnits, occurrences: [TextMarks.Occurrence], weights: [Double], words: Int
    ) {
        let size = min(max(1, words), units.count)
        let spans = Self.spans(of: occurrences, units, size)
        guard let core = Self.core(of: spans, weights: Self.wholeWeights(weights), size: size, best: &score) else {
            self.units = 0..<size
            return
        }
        // Bounds of the beginning, so that the window keeps its words.
        let (low, high) = (max(0, core.upperBound - size), min(core.lowerBound, units.count - size))
        let sentence = (low...high).reversed().first { Self.beginsSentence(text, units, $0) }
        let middle = max(low, min(high, core.lowerBound - (size - core.count) / 2))
        let start = sentence ?? middle
        self.units = start..<start + size
    }

    /// A word or a phrase in the parts of a text. Of one that is longer than a window, the beginning counts.
    private struct Span {
        let part: Int
        let first: Int
        let last: Int
    }

    /// Returns the words and phrases in the parts of a text, by their first parts.
    private static func spans(of occurrences: [TextMarks.Occurrence], _ units: TextUnits, _ size: Int) -> [Span] {
        var first = 0
        return occurrences.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { occurrence in
            first = units.unit(at: occurrence.range.lowerBound, from: first)
            let last = units.unit(at: max(0, occurrence.range.upperBound - 1), from: first)
            return Span(part: occurrence.part, first: first, last: min(last, first + size - 1))
        }
    }

    /// Returns the weights as whole numbers, at least 1.
    static func wholeWeights(_ weights: [Double]) -> [Int] {
        let greatest = weights.max() ?? 0
        return weights.map { greatest > 0 ? max(1, Int(($0 / greatest * 0x1p20).rounded())) : 1 }
    }

    /// Returns the parts from the first word of the best window to its last; nil if there are no words.
    ///
    /// A window that begins with a word has all that any window with this first word can have.
    private static func core(of spans: [Span], weights: [Int], size: Int, best: inout Score) -> Range<Int>? {
        let byLast = spans.indices.sorted { spans[$0].last < spans[$1].last }
        var counts = [Int](repeating: 0, count: weights.count)
        var score = Score()
        var (entered, left) = (0, 0)
        var start: Int?
        for span in spans {
            let end = span.first + size
            while entered < byLast.count, spans[byLast[entered]].last < end {
                let part = spans[byLast[entered]].part
                if counts[part] == 0 { score.weight += weights[part] }
                counts[part] += 1
                score.count += 1
                entered += 1
            }
            while spans[left].first < span.first {
                let part = spans[left].part
                counts[part] -= 1
                if counts[part] == 0 { score.weight -= weights[part] }
                score.count -= 1
                left += 1
            }
            if score > best { (start, best) = (span.first, score) }
        }
        guard let start else { return nil }
        let last = spans.lazy.filter { $0.first >= start && $0.last < start + size }.map(\.last).max()
        return start..<(last ?? start) + 1
    }

    /// Returns whether a part of a text begins a sentence.
    private static func beginsSentence(_ text: [UInt8], _ units: TextUnits, _ unit: Int) -> Bool {
        guard unit > 0 else { return true }
        let (start, end) = (units.ends[unit - 1], units.starts[unit])
        guard start < end else { return false }
        return SentenceEnd.isFound(in: text[start..<end])
    }
}

/// The ends of sentences, between two words.
private enum SentenceEnd {
    /// The full stops of scripts without spaces.
    private static let stops = [[0xE3, 0x80, 0x82], [0xEF, 0xBC, 0x81], [0xEF, 0xBC, 0x9F]] as [[UInt8]]

    /// Returns whether a sentence ends between two words: with `.`, `!`, `?` or `…` and a space, with `。`, `！` or
    /// `？`, or with the line.
    static func isFound(in gap: ArraySlice<UInt8>) -> Bool {
        var isAfterStop = false
        for (index, byte) in zip(gap.indices, gap) {
            switch byte {
            case 0x0A, 0x0D: return true
            case 0x20, 0x09: if isAfterStop { return true }
            case 0x2E, 0x21, 0x3F: isAfterStop = true
            // Closing quotes and brackets.
            case 0x22, 0x27, 0x29, 0x5D: break
            default:
                if stops.contains(where: { gap[index...].starts(with: $0) }) { return true }
                if gap[index...].starts(with: [0xE2, 0x80, 0xA6]) { isAfterStop = true }
            }
        }
        return false
    }
}
