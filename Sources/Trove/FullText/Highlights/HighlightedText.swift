// Texts with the ranges of a query's words, as ranges of Swift strings.

/// A text with the places of a query's words.
struct HighlightedText {
    /// The text as it was given, whose indices are returned.
    private let original: String
    /// The text in contiguous UTF-8.
    private let text: String
    private let bytes: [UInt8]
    private let ranges: [Range<Int>]
    private let occurrences: [TextMarks.Occurrence]
    private let weights: [Double]

    /// Returns the texts of a property with the places of words.
    static func texts(_ texts: [String], _ words: [HighlightedWords]) -> [HighlightedText] {
        let bytes = texts.map { Array($0.utf8) }
        let marks = TextMarks(bytes, words)
        return texts.indices.map { index in
            HighlightedText(
                texts[index], bytes: bytes[index], ranges: marks.ranges[index].joined,
                occurrences: marks.occurrences[index], weights: marks.weights)
        }
    }

    private init(
        _ original: String, bytes: [UInt8], ranges: [Range<Int>], occurrences: [TextMarks.Occurrence],
        weights: [Double]
    ) {
        self.original = original
        var text = original
        text.makeContiguousUTF8()
        self.text = text
        self.bytes = bytes
        self.ranges = ranges
        self.occurrences = occurrences
        self.weights = weights
    }

    /// The ranges of the words in the text.
    var stringRanges: [Range<String.Index>] {
        var bounds = CharacterBounds(text, bytes)
        return Self.indices(of: ranges.map { bounds.widened($0) }.joined, in: original)
    }

    /// The whole text with the ranges of the words.
    var whole: Snippet { Snippet(text: original, ranges: stringRanges, isCutAtStart: false, isCutAtEnd: false) }

    /// Whether the text has any of the words.
    var hasWords: Bool { !ranges.isEmpty }

    /// Returns the part with the best window of all texts; an empty snippet if there is no text.
    static func snippet(of texts: [HighlightedText], words: Int) -> Snippet {
        var best: (snippet: Snippet, score: SnippetWindow.Score)?
        for text in texts {
            let next = text.snippet(words: words)
            if let known = best, known.score >= next.score { continue }
            best = next
        }
        return best?.snippet ?? Snippet(text: "", ranges: [], isCutAtStart: false, isCutAtEnd: false)
    }

    /// Returns the part of the text with the best window, and the score of the window.
    private func snippet(words: Int) -> (snippet: Snippet, score: SnippetWindow.Score) {
        let units = TextUnits(bytes)
        let window = SnippetWindow(bytes, units: units, occurrences: occurrences, weights: weights, words: words)
        let (first, end) = (window.units.lowerBound, window.units.upperBound)
        var bounds = CharacterBounds(text, bytes)
        let start = first == 0 ? 0 : bounds.lower(units.starts[first])
        // The bounds of characters are found in the order of the text.
        let last = end == units.count ? bytes.count : units.ends[end - 1]
        let marks = ranges.filter { $0.upperBound > start && $0.lowerBound < last }
            .map { bounds.widened(max($0.lowerBound, start)..<min($0.upperBound, last)) }
        let range = start..<max(start, bounds.upper(last))
        let part = String(decoding: bytes[range], as: UTF8.self)
        let snippet = Snippet(
            text: part,
            ranges: Self.indices(
                of: marks.map { $0.lowerBound - start..<$0.upperBound - start }.joined, in: part),
            isCutAtStart: range.lowerBound > 0, isCutAtEnd: range.upperBound < bytes.count)
        return (snippet, window.score)
    }

    /// Returns ranges of bytes as ranges of a string. They are in order: each index is found from the last.
    private static func indices(of ranges: [Range<Int>], in text: String) -> [Range<String.Index>] {
        var (offset, index) = (0, text.startIndex)
        func move(to target: Int) -> String.Index {
            index = text.utf8.index(index, offsetBy: target - offset)
            offset = target
            return index
        }
        return ranges.map { range in
            let start = move(to: range.lowerBound)
            return start..<move(to: range.upperBound)
        }
    }
}
