// A record type as successive programs declare it: with other full-text indexes, another layout, another key.

import Trove

extension TextAnalyzer {
    fileprivate static let spaced = TextAnalyzer("program", version: 1) { text, tokens in
        for word in text.split(separator: " ") { tokens.append(String(word), at: word.startIndex..<word.endIndex) }
    }

    fileprivate static let joined = TextAnalyzer("program", version: 1) { text, tokens in
        tokens.append(text, at: text.startIndex..<text.endIndex)
    }
}

enum Saga {
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Plain: Hashable {
        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Titled: Hashable {
        #FullTextIndex<Titled>(\.title, \.text)

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// Other weights alone.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Weighted: Hashable {
        #FullTextIndex<Weighted>(\.title, \.text, weights: [5, 1])

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// Another analyzer.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Marked: Hashable {
        #FullTextIndex<Marked>(\.title, \.text, analyzer: .standard.keepingMarks())

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// Without the order of words.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Unordered: Hashable {
        #FullTextIndex<Unordered>(\.title, \.text, keepsOrder: false)

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// Two indexes, one of them partial.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Twofold: Hashable {
        #FullTextIndex<Twofold>(\.title, \.text)
        #FullTextIndex<Twofold>(\.title, where: { $0.year > 1000 })

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// A further property: another layout, with the same texts.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Longer: Hashable {
        #FullTextIndex<Longer>(\.title, \.text)

        let id: Int
        var title: String
        var text: String
        var year: Int
        var language: String = "is"
    }

    /// A migration by hand that changes some texts.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Revised: Hashable {
        #FullTextIndex<Revised>(\.title, \.text)

        let id: Int
        var title: String
        var text: String
        var year: Int
        var isRevised: Bool

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Revised {
            let id = try old.value("id", as: Int.self)
            let title = try old.value("title", as: String.self)
            return Revised(
                id: id, title: id % 3 == 0 ? title + " revised" : title, text: try old.value("text", as: String.self),
                year: try old.value("year", as: Int.self), isRevised: id % 3 == 0)
        }
    }

    /// A property of another type and another name.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Optional: Hashable {
        #FullTextIndex<Optional>(\.heading, \.text)

        let id: Int
        @Renamed("title") var heading: String?
        var text: String
        var year: Int
    }

    /// Another key.
    @IndexKeyRecord(keyPrefix: 6_500_001, "year", "id")
    struct Dated: Hashable {
        #FullTextIndex<Dated>(\.title, \.text)

        let year: Int
        let id: Int
        var title: String
        var text: String
    }

    /// An analyzer of the program.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Spaced: Hashable {
        #FullTextIndex<Spaced>(\.title, analyzer: .spaced)

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    /// The analyzer does something else, under the same name and version.
    @IndexKeyRecord(keyPrefix: 6_500_001, "id")
    struct Joined: Hashable {
        #FullTextIndex<Joined>(\.title, analyzer: .joined)

        let id: Int
        var title: String
        var text: String
        var year: Int
    }

    static let prefix: UInt32 = 6_500_001

    static let all = (0..<400).map { id in
        Plain(id: id, title: "Saga \(id)", text: "all of Ísland t\(id % 7) n\(id)", year: id % 5 * 500)
    }

    static let titled = all.map { Titled(id: $0.id, title: $0.title, text: $0.text, year: $0.year) }
}
