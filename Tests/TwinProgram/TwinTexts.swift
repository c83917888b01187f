// Typed queries, and the words of texts.

import Trove
import TroveTestSupport
import TroveText

/// A record with texts, whose properties can be named in a typed query.
@IndexKeyRecord("id")
struct TwinNote {
    #FullTextIndex<TwinNote>(\.title, \.body)

    let id: Int
    var title: String
    var body: String
}

enum TwinTexts {
    static let topics = [
        TwinTopic(name: "typed", share: 30) { generator in
            let text = typed(using: &generator)
            let query = TextQuery<TwinNote>(
                text, joining: generator.next() & 1 == 0 ? .all : .any, lastIsPrefix: generator.next() & 1 == 0)
            return "\(text.debugDescription) is \(query)"
        },
        TwinTopic(name: "words", share: 15) { generator in
            let text = words(using: &generator)
            let analyzer = analyzers[Int(generator.next() % UInt64(analyzers.count))]
            let tokens = analyzer.tokens(of: text).map { token in
                let place = token.range
                let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
                let end = text.utf8.distance(from: text.startIndex, to: place.upperBound)
                return "\(token.term)@\(token.position)[\(start)..<\(end)]"
            }
            return "\(text.debugDescription) has \(tokens)"
        },
    ]

    private static let analyzers: [TextAnalyzer] = [
        .standard, .trigrams, .whole, .standard.keepingCase(), .standard.keepingMarks(),
        .standard.without(["the", "of", "一"]), .standard.replacing(["tv": ["television"], "a b": ["c"]]),
    ]

    private static let signs = [
        "\"", "“", "”", "(", ")", "~", "^", "*", "+", "-", "|", ":", " ", "  ", "\t", "\u{A0}", "~2", "^0.5", "^2",
        "~1",
        " AND ", " OR ", " NOT ", "title:", "body:", "other:", "~99999999", "^1e9", "^.", "\u{301}", "\u{200D}",
    ]
    private static let parts = [
        "once", "upon", "a", "time", "the", "store", "swift", "3½", "10²", "é", "e\u{301}", "日本", "한글", "👨‍👩‍👧", "x_y",
        "don't", "3.14", "ﬁne", "ß", "İ", "ζς", "\u{0}", "word", "u.s.a.", "東京タワー", "ไทย", "🇩🇪🇫🇷", "a1b2",
    ]

    /// Returns a typed text with many signs.
    static func typed(using generator: inout SeededGenerator) -> String {
        text(of: [signs, parts], using: &generator)
    }

    /// Returns a text of words, with few signs.
    static func words(using generator: inout SeededGenerator) -> String {
        text(of: [parts, parts, [" ", " ", ", ", "\n"], signs], using: &generator)
    }

    private static func text(of lists: [[String]], using generator: inout SeededGenerator) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &generator) {
            let list = lists[Int(generator.next() % UInt64(lists.count))]
            text += list[Int(generator.next() % UInt64(list.count))]
        }
        return text
    }
}
