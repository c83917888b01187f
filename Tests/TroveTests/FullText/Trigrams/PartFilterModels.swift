// Records with texts of many scripts, with and without indexes of trigrams, and random filters on parts of the texts.

import TroveTestSupport
import TroveText

@testable import Trove

/// A record with texts.
protocol PartedRecord: IndexKeyRecord where IndexKey == Int {
    var values: Parted { get }
    init(_ values: Parted)

    static var titlePath: KeyPath<Self, String> { get }
    static var notePath: KeyPath<Self, String?> { get }
    static var bodyPath: KeyPath<Self, String> { get }
    static var yearPath: KeyPath<Self, Int> { get }
}

/// The values of a record with texts.
struct Parted: Hashable, Sendable {
    var id: Int
    var title: String
    var note: String?
    var body: String
    var year: Int
}

@IndexKeyRecord("id")
struct PartedLeaf: PartedRecord {
    #FullTextIndex<PartedLeaf>(\.title, \.body, analyzer: .trigrams)
    #FullTextIndex<PartedLeaf>(\.note, analyzer: .trigrams.keepingCase(), keepsOrder: false)
    #FullTextIndex<PartedLeaf>(\.note, analyzer: .trigrams, keepsOrder: false, where: { $0.year > 5 })
    #Index<PartedLeaf>(\.year)

    let id: Int
    var title: String
    var note: String?
    var body: String
    var year: Int

    init(_ values: Parted) {
        (id, title, note, body, year) = (values.id, values.title, values.note, values.body, values.year)
    }
    var values: Parted { Parted(id: id, title: title, note: note, body: body, year: year) }
    static var titlePath: KeyPath<Self, String> { \.title }
    static var notePath: KeyPath<Self, String?> { \.note }
    static var bodyPath: KeyPath<Self, String> { \.body }
    static var yearPath: KeyPath<Self, Int> { \.year }
}

@IndexKeyRecord("id")
struct PlainLeaf: PartedRecord {
    let id: Int
    var title: String
    var note: String?
    var body: String
    var year: Int

    init(_ values: Parted) {
        (id, title, note, body, year) = (values.id, values.title, values.note, values.body, values.year)
    }
    var values: Parted { Parted(id: id, title: title, note: note, body: body, year: year) }
    static var titlePath: KeyPath<Self, String> { \.title }
    static var notePath: KeyPath<Self, String?> { \.note }
    static var bodyPath: KeyPath<Self, String> { \.body }
    static var yearPath: KeyPath<Self, Int> { \.year }
}

extension Parted {
    /// Pieces whose case, composition or script is special.
    private static let pieces = [
        "a", "b", "n", "A", "B", "N", "an", "ban", "ana", "ANA", " ", "\n", "\0", "-", "1", "ß", "ẞ", "ss", "SS", "Σ",
        "σ",
        "ς", "İ", "I", "ı", "i", "i\u{307}", "ﬁ", "fi", "\u{212A}", "k", "é", "e\u{301}", "É", "ſ", "s", "Ꭰ",
        "\u{AB70}", "ǅ",
        "ǆ", "東", "京", "👩🏽‍💻", "\u{378}", "\u{A7CB}", "\u{264}", "\u{10D50}", "\u{10D70}", "\u{FB03}", "ŉ", "ΐ",
        "\u{1F52}",
    ]

    static func text(_ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        let isPlain = Bool.random(using: &random)
        return (0..<Int.random(in: length, using: &random)).map { _ in
            (isPlain ? pieces.prefix(12).randomElement(using: &random) : pieces.randomElement(using: &random))!
        }.joined()
    }

    static func sample(_ id: Int, _ random: inout SeededGenerator) -> Parted {
        Parted(
            id: id, title: text(0...8, &random), note: Bool.random(using: &random) ? text(0...10, &random) : nil,
            body: text(0...30, &random), year: Int.random(in: 0...9, using: &random))
    }
}

/// A filter on parts of texts.
indirect enum PartFilter: Sendable {
    enum Place: CaseIterable { case contains, hasPrefix, hasSuffix }

    /// The properties are title, note and body.
    case part(Place, String, caseSensitive: Bool, negated: Bool, [Int])
    case words(String, [Int])
    case year(Int)
    case yearAbove(Int)
    case not(PartFilter)
    case and(PartFilter, PartFilter)
    case or(PartFilter, PartFilter)

    static func random(_ all: [Parted], depth: Int = 2, _ random: inout SeededGenerator) -> PartFilter {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 7), using: &random) {
        case 0...4:
            return .part(
                Place.allCases.randomElement(using: &random)!, pattern(all, &random),
                caseSensitive: Bool.random(using: &random), negated: Int.random(in: 0..<6, using: &random) == 0,
                properties(&random))
        case 5: return .words(pattern(all, &random), properties(&random))
        case 6: return Bool.random(using: &random) ? .year(.random(in: 0...9, using: &random)) : .yearAbove(5)
        case 7: return .not(Self.random(all, depth: depth - 1, &random))
        case 8, 9: return .or(Self.random(all, depth: depth - 1, &random), Self.random(all, depth: depth - 1, &random))
        default: return .and(Self.random(all, depth: depth - 1, &random), Self.random(all, depth: depth - 1, &random))
        }
    }

    private static func properties(_ random: inout SeededGenerator) -> [Int] {
        [[0], [1], [2], [0, 2], [0, 2], [0, 1, 2], [2, 1]].randomElement(using: &random)!
    }

    /// Returns a part of a record's text, mostly.
    private static func pattern(_ all: [Parted], _ random: inout SeededGenerator) -> String {
        guard Int.random(in: 0..<5, using: &random) > 0, let values = all.randomElement(using: &random) else {
            return Parted.text(0...4, &random)
        }
        let text = [values.title, values.note ?? "", values.body].randomElement(using: &random)!.unicodeScalars
        let start = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, start + Int.random(in: 1...8, using: &random))
        let part = String(String.UnicodeScalarView(text.dropFirst(start).prefix(end - start)))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return part.uppercased()
        case 1: return part.lowercased()
        default: return part
        }
    }

    /// Whether all conditions are on parts of texts.
    var isOfParts: Bool {
        switch self {
        case .part: true
        case .words, .year, .yearAbove: false
        case .not(let part): part.isOfParts
        case .and(let left, let right), .or(let left, let right): left.isOfParts && right.isOfParts
        }
    }

    // MARK: As a filter

    func filter<Record: PartedRecord>(_ type: Record.Type = Record.self) -> Filter<Record> {
        switch self {
        case .part(let place, let part, let isSensitive, let isNegated, let properties):
            Self.filter(place, part, isSensitive, isNegated, properties)
        case .words(let words, [0]): .string(Record.titlePath, matches: words)
        case .words(let words, [1]): .string(Record.notePath, matches: words)
        case .words(let words, [2]): .string(Record.bodyPath, matches: words)
        case .words(let words, [0, 2]): .string(Record.titlePath, Record.bodyPath, matches: words)
        case .words(let words, [2, 1]): .string(Record.bodyPath, Record.notePath, matches: words)
        case .words(let words, _): .string(Record.titlePath, Record.notePath, Record.bodyPath, matches: words)
        case .year(let year): Record.yearPath == year
        case .yearAbove(let year): Record.yearPath > year
        case .not(let part): .not(part.filter())
        case .and(let left, let right): left.filter() && right.filter()
        case .or(let left, let right): left.filter() || right.filter()
        }
    }

    private static func filter<Record: PartedRecord>(
        _ place: Place, _ part: String, _ isSensitive: Bool, _ isNegated: Bool, _ properties: [Int]
    ) -> Filter<Record> {
        let (title, note, body) = (Record.titlePath, Record.notePath, Record.bodyPath)
        switch (place, isNegated, properties) {
        case (.contains, false, [0, 2]): return .string(title, body, contains: part, caseSensitive: isSensitive)
        case (.contains, true, [0, 2]): return .string(title, body, notContains: part, caseSensitive: isSensitive)
        case (.hasPrefix, false, [0, 2]): return .string(title, body, hasPrefix: part, caseSensitive: isSensitive)
        case (.hasPrefix, true, [0, 2]): return .string(title, body, notHasPrefix: part, caseSensitive: isSensitive)
        case (.hasSuffix, false, [0, 2]): return .string(title, body, hasSuffix: part, caseSensitive: isSensitive)
        case (.hasSuffix, true, [0, 2]): return .string(title, body, notHasSuffix: part, caseSensitive: isSensitive)
        case (.contains, false, [0, 1, 2]):
            return .string(title, note, body, contains: part, caseSensitive: isSensitive)
        default: break
        }
        let all = properties.map { property -> Filter<Record> in
            switch (property, place) {
            case (0, .contains): .string(title, contains: part, caseSensitive: isSensitive)
            case (0, .hasPrefix): .string(title, hasPrefix: part, caseSensitive: isSensitive)
            case (0, .hasSuffix): .string(title, hasSuffix: part, caseSensitive: isSensitive)
            case (1, .contains): .string(note, contains: part, caseSensitive: isSensitive)
            case (1, .hasPrefix): .string(note, hasPrefix: part, caseSensitive: isSensitive)
            case (1, .hasSuffix): .string(note, hasSuffix: part, caseSensitive: isSensitive)
            case (_, .contains): .string(body, contains: part, caseSensitive: isSensitive)
            case (_, .hasPrefix): .string(body, hasPrefix: part, caseSensitive: isSensitive)
            case (_, .hasSuffix): .string(body, hasSuffix: part, caseSensitive: isSensitive)
            }
        }
        let any = all.dropFirst().reduce(all[0]) { $0.or($1) }
        return isNegated ? .not(any) : any
    }

    // MARK: In plain Swift

    func matches(_ values: Parted) -> Bool {
        let texts = [values.title, values.note, values.body]
        switch self {
        case .part(let place, let part, let isSensitive, let isNegated, let properties):
            return isNegated
                != properties.contains { property in
                    guard let text = texts[property] else { return false }
                    return Self.has(
                        Array((isSensitive ? text : text.lowercased()).unicodeScalars), place,
                        Array((isSensitive ? part : part.lowercased()).unicodeScalars))
                }
        case .words(let words, let properties):
            let wanted = Set(Self.words(of: words).flatMap(Self.trigrams))
            return properties.contains { texts[$0].map { !wanted.isDisjoint(with: Self.trigrams($0)) } ?? false }
        case .year(let year): return values.year == year
        case .yearAbove(let year): return values.year > year
        case .not(let part): return !part.matches(values)
        case .and(let left, let right): return left.matches(values) && right.matches(values)
        case .or(let left, let right): return left.matches(values) || right.matches(values)
        }
    }

    private static func has(_ text: [Unicode.Scalar], _ place: Place, _ part: [Unicode.Scalar]) -> Bool {
        switch place {
        case .contains: part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
        case .hasPrefix: text.starts(with: part)
        case .hasSuffix: text.reversed().starts(with: part.reversed())
        }
    }

    private static func words(of text: String) -> [String] {
        text.unicodeScalars.split { scalar in
            let properties = scalar.properties
            let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
            return !properties.isAlphabetic && properties.numericType == nil && !isMark
        }.map(String.init)
    }

    private static func trigrams(_ text: String) -> [[Unicode.Scalar]] {
        TextAnalyzer.trigrams.tokens(of: text).map { Array($0.term.unicodeScalars) }
    }
}
