// Highlights: the ranges of a hit are those that a look through the tokens of its texts finds.

import Foundation
import Testing
import TroveTestSupport
import TroveText

@testable import Trove

/// Leaves out a last s.
private struct Singulars: TextStemmer {
    let name = "singulars/1"
    func stem(_ word: String) -> String { word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word }
}

@IndexKeyRecord("id")
struct Vellum: Hashable {
    #FullTextIndex<Vellum>(\.title, \.body, \.notes, weights: [3, 1, 1])
    #FullTextIndex<Vellum>(\.title, \.body, \.notes, analyzer: .standard.keepingMarks().without(.english))
    #FullTextIndex<Vellum>(\.title, \.body, \.notes, analyzer: .trigrams)
    #FullTextIndex<Vellum>(\.title, \.body, \.notes, analyzer: .standard.stemmed(by: Singulars()))
    #FullTextIndex<Vellum>(\.title, \.body, \.notes, analyzer: .whole)

    let id: Int
    var title: String?
    var body: String
    var notes: [String] = []

    /// Returns whether an index keeps the order of words: one of trigrams does not.
    static func keepsOrder(of index: Int) -> Bool { analyzers[index].description != "trigrams/1" }

    static let analyzers: [TextAnalyzer] = [
        .standard, .standard.keepingMarks().without(.english), .trigrams, .standard.stemmed(by: Singulars()), .whole,
    ]

    /// The names of the indexes, in the order of the analyzers.
    static var indexNames: [String] { schema.indexes.map(\.text) }

    /// The texts by property.
    var texts: [[String]] { [title.map { [$0] } ?? [], [body], notes] }
    static let names = ["title", "body", "notes"]
}

/// Random texts in many scripts, and queries of their words.
struct ScrollSource {
    var random: SeededGenerator
    /// Whether queries ask for the order of words beyond phrases.
    var asksForOrder = true

    static let words = [
        "swift", "Swift", "stores", "store", "the", "of", "of the", "Straße", "STRASSE", "café", "cafe\u{301}", "naïve",
        "東京都", "東京", "京都", "東", "都", "ニュース", "すし", "ไทย", "हिन्दी", "한국어", "\u{1100}\u{1161}\u{11A8}", "👨‍👩‍👧",
        "👍🏽", "👍", "🇸🇪🇳🇴", "🇸🇪", "can't", "e-mail", "ﬁnd", "½", "İstanbul", "العربية", "x\u{200D}y", "a\u{308}\u{323}",
        "1,000", "<b>&", "ｓｗｉｆｔ", "#️⃣", "\r\n", "ss", "s", "\u{301}", "\u{600}a", "a\u{20DD}", "쮰\u{11A8}", "㍿", "㌀ル",
    ]
    private static let separators = [" ", " ", " ", ", ", "", "\n", ". ", "\r\n", "-", "\u{300}", "\u{200D}", "。"]

    private mutating func pick<T>(_ list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }

    private mutating func scalar() -> String {
        let value = UInt32.random(in: 0x20...0x3100, using: &random)
        return Unicode.Scalar(value).map { String($0) } ?? " "
    }

    mutating func text(_ count: ClosedRange<Int>) -> String {
        var result = ""
        for _ in 0..<Int.random(in: count, using: &random) {
            result += Int.random(in: 0..<12, using: &random) == 0 ? scalar() : pick(Self.words)
            result += pick(Self.separators)
        }
        return result
    }

    mutating func scroll(_ id: Int) -> Vellum {
        Vellum(
            id: id, title: Bool.random(using: &random) ? text(0...5) : nil, body: text(0...30),
            notes: (0..<Int.random(in: 0...3, using: &random)).map { _ in text(0...6) })
    }

    /// Words that stand in a text beside each other, or words of any texts.
    private mutating func queryText(_ count: ClosedRange<Int>, _ scrolls: [Vellum]) -> String {
        guard Bool.random(using: &random) else { return text(count) }
        let text = pick(scrolls).body
        let tokens = TextAnalyzer.standard.tokens(of: text)
        guard !tokens.isEmpty else { return "swift" }
        let first = Int.random(in: 0..<tokens.count, using: &random)
        let last = min(tokens.count - 1, first + Int.random(in: count, using: &random))
        return String(
            text[tokens[first].range.lowerBound..<max(tokens[first].range.upperBound, tokens[last].range.upperBound)])
    }

    mutating func clause(_ depth: Int, _ scrolls: [Vellum]) -> TextClause {
        func clauses() -> [TextClause] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in clause(depth - 1, scrolls) }
        }
        switch Int.random(in: 0..<(depth == 0 ? 9 : 16), using: &random) {
        case 0...3: return .phrase(queryText(1...1, scrolls))
        case 4: return .phrase(queryText(1...3, scrolls))
        case 5...7 where !asksForOrder: return .phrase(queryText(1...3, scrolls))
        case 5: return .phrase(queryText(1...3, scrolls), slop: Int.random(in: 0...3, using: &random))
        case 6: return .phrase(queryText(1...2, scrolls), atStart: true)
        case 7: return .near(queryText(1...3, scrolls), within: Int.random(in: 0...4, using: &random))
        case 8: return .prefix(String(queryText(1...2, scrolls).prefix(Int.random(in: 1...5, using: &random))))
        case 9, 10: return .all(clauses())
        case 11, 12: return .any(clauses())
        case 13: return .excluding(clause(depth - 1, scrolls), clause(depth - 1, scrolls))
        case 14: return .preferring(clause(depth - 1, scrolls), clause(depth - 1, scrolls))
        default:
            let names = Vellum.names.filter { _ in Bool.random(using: &random) }
            return .within(names, clause(depth - 1, scrolls))
        }
    }
}

struct HighlightTests {
    /// The hits of an index, or of the scan of the records that replaces an index until it is built.
    @Test(arguments: [true, false]) func anyQuery_marksWhatALookThroughTheTokensFinds(isBuilt: Bool) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var source = ScrollSource(random: start)
        let store = try Store.temporary(records: [Vellum.self])
        let scrolls = (0..<10).map { source.scroll($0) }
        try store.insert(contentsOf: scrolls)
        if !isBuilt {
            let type = try #require(try store.read { try $0.storedTypes() }.first)
            for index in type.indexes { #expect(try store.markForRebuild(index.name, of: type) == [index.name]) }
        }
        let slow = Vellum.analyzers.map { analyzer in
            scrolls.map { SlowHighlighter($0.texts, names: Vellum.names, analyzer) }
        }
        var markCount = 0
        for round in 0..<(isBuilt ? 75 : 20) {
            let index = round % Vellum.analyzers.count
            source.asksForOrder = Vellum.keepsOrder(of: index)
            let clause = source.clause(2, scrolls)
            let query = Vellum.matching(TextQuery(clause), index: Vellum.indexNames[index])
            let hits = try (round % 2 == 0 ? query : query.sorted(by: \.id)).hits(in: store)
            let note = "round \(round), \(Vellum.indexNames[index]), TROVE_TEST_SEED=\(seed): \(clause)"
            let finds = slow[index].map { $0.finds(clause) }
            #expect(Set(hits.map(\.record.id)) == Set(finds.indices.filter { finds[$0] != nil }), "\(note)")
            for hit in hits {
                let texts = hit.record.texts
                let title = hit.record.title == nil ? [] : [hit.ranges(in: \.title)]
                let ranges = [title, [hit.ranges(in: \.body)], hit.ranges(in: \.notes)]
                for (field, text) in texts.indices.flatMap({ field in texts[field].indices.map { (field, $0) } }) {
                    let found = finds[hit.record.id] ?? []
                    let marks = found.filter { ($0.field, $0.text) == (field, text) }.flatMap(\.marks)
                    let expected = SlowHighlighter.joined(marks, in: texts[field][text])
                    markCount += expected.count
                    #expect(ranges[field][text] == expected, "\(note): \(field) of \(hit.record)")
                }
            }
        }
        #expect(markCount > (isBuilt ? 20 : 0))
    }
}
