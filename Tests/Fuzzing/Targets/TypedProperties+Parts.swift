// The properties of highlights, of replaced words and of parts of words, whatever the text.
//
// The marks of a hit are in its texts, and leave them unchanged. A string filter finds the same records with an index
// of trigrams as plain Swift does without it.

import Trove

extension TypedProperties {
    /// Checks what a text finds in the records with replaced words and trigrams.
    static func checkParts(of text: String, _ options: UInt8, in store: Store) throws {
        let query = TextQuery<PartedNote>(
            text, joining: options & 1 == 0 ? .all : .any, lastIsPrefix: options & 2 != 0)
        let hits = try PartedNote.matching(query).hits(in: store)
        try require(
            try PartedNote.matching(query).count(in: store) == hits.count, "\(text) counts other replaced words")
        for hit in hits {
            try checkMarks(hit.ranges(in: \.title), in: hit.record.title, hit.snippet(of: \.title, words: 2))
            try checkMarks(hit.ranges(in: \.text), in: hit.record.text, hit.snippet(of: \.text, words: 4))
        }
        let words = text.split(separator: " ").prefix(4).map { String($0) }
        for part in [text] + words {
            let found = try PartedNote.filter(.string(\.title, \.text, contains: part)).keys(in: store)
            let expected = notes.filter { contains($0.title, part) || contains($0.text, part) }.map(\.id)
            try require(found == expected, "\(part) is found in \(found), and contained in \(expected)")
        }
    }

    /// Checks the marks of the hits of records with several strings.
    static func checkMarks(of hits: [TextHit<LetteredNote>]) throws {
        for hit in hits {
            try checkMarks(hit.ranges(in: \.title), in: hit.record.title, hit.snippet(of: \.title, words: 2))
            let lines = hit.ranges(in: \.lines)
            try require(lines.count == hit.record.lines.count, "\(hit.record) has marks of other lines")
            let snippet = hit.snippet(of: \.lines, words: 3)
            for (ranges, line) in zip(lines, hit.record.lines) { try checkMarks(ranges, in: line, snippet) }
        }
    }

    private static func checkMarks(_ ranges: [Range<String.Index>], in text: String, _ snippet: Snippet) throws {
        try checkRanges(ranges, in: text)
        try checkRanges(snippet.ranges, in: snippet.text)
        let unmarked = snippet.marked("", "", ellipsis: "", escapesHTML: false)
        try require(unmarked == snippet.text, "marks change \(snippet.text)")
        try require(snippet.marked().utf8.count >= snippet.text.utf8.count, "marks shorten \(snippet.text)")
    }

    private static func checkRanges(_ ranges: [Range<String.Index>], in text: String) throws {
        try require(
            ranges.allSatisfy { !$0.isEmpty && $0.lowerBound >= text.startIndex && $0.upperBound <= text.endIndex },
            "marks beyond \(text)")
        try require(
            zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "marks of \(text) touch")
    }

    /// Returns whether a text contains a part, in lower case and scalar by scalar.
    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.lowercased().unicodeScalars), Array(part.lowercased().unicodeScalars))
        return part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
    }
}
