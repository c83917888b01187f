// Completion and suggestions: what an index says of its words is what a count of all words says.

import Foundation
import Testing
import TroveTestSupport
import TroveText

@testable import Trove

@IndexKeyRecord("id")
private struct Jotting {
    #FullTextIndex<Jotting>(\.title, \.lines)
    #FullTextIndex<Jotting>(\.title, analyzer: .standard.without(.english))

    let id: Int
    var title: String
    var lines: [String] = []
    static let short = "fullText(title by standard/1+without-english)"
}

@IndexKeyRecord("id")
private struct CasedNote {
    #FullTextIndex<CasedNote>(\.title, analyzer: .standard.keepingCase())

    let id: Int
    var title: String
}

/// A record with a stored name of two words.
@IndexKeyRecord("id")
private struct Folio {
    #FullTextIndex<Folio>(\.author, \.title)

    let id: Int
    var author: String
    var title: String

    private enum CodingKeys: String, CodingKey { case id, author = "author_name", title }
}

@IndexKeyRecord("id")
private struct PlainNote {
    let id: Int
    var title: String
}

@IndexKeyRecord("id")
private struct TrigramNote {
    #FullTextIndex<TrigramNote>(\.title, analyzer: .trigrams)

    let id: Int
    var title: String
}

struct TextWordTests {
    private static let words = [
        "swift", "Swiss", "switch", "swim", "Über", "übrig", "the", "store", "stored", "stores", "東京都", "sw",
    ]

    private func notes(_ count: Int, _ random: inout SeededGenerator) -> [Jotting] {
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let skewed = Double.random(in: 0..<1, using: &random)
                return Self.words[Int(Double(Self.words.count) * skewed * skewed)]
            }.joined(separator: " ")
        }
        return (0..<count).map { Jotting(id: $0, title: text(), lines: [text(), text()]) }
    }

    /// Returns the words of notes with a beginning, counted one by one.
    private func counted(_ notes: [Jotting], _ beginning: String) -> [TextWord] {
        var counts: [String: Int] = [:]
        for note in notes {
            let terms = ([note.title] + note.lines).flatMap { TextAnalyzer.standard.tokens(of: $0).map(\.term) }
            for term in Set(terms) where term.hasPrefix(beginning) { counts[term, default: 0] += 1 }
        }
        return counts.map { TextWord(word: $0.key, recordCount: $0.value) }.sorted { first, second in
            first.recordCount != second.recordCount
                ? first.recordCount > second.recordCount
                : first.word.utf8.lexicographicallyPrecedes(second.word.utf8)
        }
    }

    private func expectWords(of notes: [Jotting], in context: ReadContext, _ note: Comment) throws {
        for (typed, folded) in [("", ""), ("s", "s"), ("Sw", "sw"), ("swi", "swi"), ("ü", "u"), ("东", "东"), ("x", "x")]
        {
            let expected = counted(notes, folded)
            for limit in [1, 3, 100, .max] {
                let words = try context.words(of: Jotting.self, beginning: typed, limit: limit)
                #expect(words == Array(expected.prefix(limit)), "\(typed) \(limit): \(note)")
            }
        }
        #expect(try context.words(of: Jotting.self, beginning: "the sto", limit: 9) == counted(notes, "sto"), note)
        #expect(try context.words(of: Jotting.self, beginning: "東", limit: 9) == counted(notes, "東"), note)
        #expect(try context.words(of: Jotting.self, beginning: "東京都", limit: 9) == counted(notes, "京都"), note)
        #expect(try context.words(of: Jotting.self, beginning: "swift 東", limit: 9) == counted(notes, "東"), note)
    }

    private func makeUnready(_ store: Store) throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        for index in type.indexes.map(\.name) { #expect(try store.markForRebuild(index, of: type) == [index]) }
    }

    @Test func words_areThoseOfTheRecords_alsoUnflushedAndWithoutTheIndex() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Jotting.self])
        var notes = notes(120, &random)
        try store.insert(contentsOf: notes)
        try store.read { try expectWords(of: notes, in: $0, "stored, seed \(seed)") }
        try store.write { context throws in
            let more = Jotting(id: 1_000, title: "swizzle swift swab")
            try context.insert(more)
            notes.append(more)
            try context.delete(Jotting.self, key: 3)
            notes.removeAll { $0.id == 3 }
            try expectWords(of: notes, in: context, "writing, seed \(seed)")
        }
        try makeUnready(store)
        try store.read { try expectWords(of: notes, in: $0, "scanned, seed \(seed)") }
    }

    @Test func beginnings_areFoldedAsWords() throws {
        let store = try Store.temporary(records: [Jotting.self])
        #expect(try store.read { try $0.words(of: Jotting.self, beginning: "a") } == [])
        try store.insert(Jotting(id: 1, title: "The swift", lines: [String(repeating: "a", count: 400)]))
        try store.read { context throws in
            func words(_ beginning: String, limit: Int = 9, index: String? = nil) throws -> [String] {
                try context.words(of: Jotting.self, beginning: beginning, index: index, limit: limit).map(\.word)
            }
            #expect(try words("T") == ["the"])
            #expect(try words("T", index: Jotting.short) == [])
            #expect(try words("the", index: Jotting.short) == [])
            #expect(try words("", index: Jotting.short) == ["swift"])
            #expect(try words("!?") == [])
            #expect(try words("", limit: 0) == [])
            #expect(try words("", limit: -1) == [])
            #expect(try words("aaa") == [String(repeating: "a", count: 400)])
            #expect(throws: StoreError.self) { try words("a", index: "other") }
        }
    }

    // MARK: Suggestions

    private func library() throws -> Store {
        let store = try Store.temporary(records: [Jotting.self])
        try store.insert(
            contentsOf: (0..<250).map { id in
                Jotting(
                    id: id, title: id < 200 ? "the database" : "the databases",
                    lines: id % 3 == 0 ? ["ordered"] : ["swift"])
            } + [Jotting(id: 900, title: "teh swfit store"), Jotting(id: 901, title: "wolves")])
        return store
    }

    private func suggestions(
        _ typed: String, in store: Store, limit: Int = 3
    ) throws -> [TextSuggestion] {
        try store.read { try $0.suggestions(for: typed, of: Jotting.self, limit: limit) }
    }

    @Test func unknownWords_areReplacedByTheNearestThatFindRecords() throws {
        let store = try library()
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            let first = try suggestions("databse ordred", in: store)
            #expect(first.map(\.text) == ["database ordered"], "one edit is allowed in a word of 7 letters")
            #expect(first.first.map { [$0.edits, $0.recordCount] } == [2, 67])
            #expect(
                first.first.map { suggestion in suggestion.ranges.map { String(suggestion.text[$0]) } } == [
                    "database", "ordered",
                ])
            let several = try suggestions("databasse", in: store)
            #expect(several.map(\.text) == ["database", "databases"])
            #expect(several.map(\.recordCount) == [200, 50])
            #expect(try suggestions("databasse", in: store, limit: 1) == Array(several.prefix(1)))
            // Records with both words do not exist.
            #expect(try suggestions("wolvs ordered", in: store) == [])
            // Words by which the first letters differ come only if there are no others.
            #expect(try suggestions("wsift", in: store).map(\.text) == ["swift"])
        }
    }

    @Test func theTypedLanguage_stays() throws {
        let store = try library()
        func texts(_ typed: String) throws -> [String] { try suggestions(typed, in: store).map(\.text) }
        #expect(try texts("title:Databse^2 -wolves") == ["title:database^2 -wolves"])
        #expect(try texts("(orderd OR wolves) \"the databse\"") == ["(ordered OR wolves) \"the database\""])
        #expect(try texts("databse NOT wolves") == ["database NOT wolves"])
        #expect(try texts("databx* orderd") == [])
        #expect(try texts("datab* orderd") == ["datab* ordered"])
        #expect(try texts("wolvez wolvez").first == "wolves wolves")
        #expect(try texts("wlves über").isEmpty)
        for nothing in ["", "!?", "database", "zz", "the", "xyzzy xyzzy", "title:", "-"] {
            #expect(try texts(nothing) == [], "\(nothing)")
        }
        #expect(try suggestions("databse", in: store, limit: 0) == [])
        #expect(try suggestions("databse", in: store, limit: .max).count == 1)
    }

    /// Numbers of boosts and edits, and parts of names, were corrected to words of the index.
    @Test func numbersAndNames_areNoWords() throws {
        let store = try Store.temporary(records: [Folio.self])
        try store.insert(Folio(id: 1, author: "Tolkien", title: "A database of authors, names and 1001 nights"))
        func texts(_ typed: String) throws -> [String] {
            try store.read { try $0.suggestions(for: typed, of: Folio.self).map(\.text) }
        }
        #expect(try texts("databse^1000") == ["database^1000"])
        #expect(try texts("databse~1000") == ["database~1000"])
        #expect(try texts("\"databse nights\"~1000") == ["\"database nights\"~1000"])
        #expect(try texts("(databse names)^1000") == ["(database names)^1000"])
        #expect(try texts("author_name:tolkin") == ["author_name:tolkien"])
        #expect(try texts("title:databse author_name:(tolkin)") == ["title:database author_name:(tolkien)"])
        // Between quotes, and without a sign before them, they are words.
        #expect(try texts("databse 1000") == ["database 1001"])
        #expect(try texts("\"author name\"") == ["\"authors names\""])
    }

    @Test func rareWords_areReplacedByMuchMoreFrequentOnes() throws {
        let store = try library()
        // “teh” is in a record, “the” in 250; “swfit” is in one, “swift” in 166.
        #expect(try suggestions("teh", in: store).map(\.text) == ["the"])
        // Both are in one record, the corrected words are in many: a single correction finds nothing.
        #expect(try suggestions("teh swfit", in: store).map(\.text) == ["the swift"])
        // A fourth of the records is not rare.
        #expect(try suggestions("databases", in: store) == [])
    }

    /// A suggestion with the operator would find the records with either word.
    @Test func wordsThatAreOperators_areQuoted() throws {
        let store = try Store.temporary(records: [CasedNote.self])
        let titles = ["rivers in OR state", "rivers", "state"]
        try store.insert(contentsOf: titles.enumerated().map { CasedNote(id: $0, title: $1) })
        try store.read { context throws in
            let suggestions = try context.suggestions(for: "rivers ORX state", of: CasedNote.self)
            let suggestion = try #require(suggestions.first)
            #expect(suggestion.text == "rivers \"OR\" state" && suggestion.recordCount == 1)
            #expect(suggestion.ranges.map { suggestion.text[$0] } == ["OR"])
            let quoted = try context.suggestions(for: "\"in ORX state\"", of: CasedNote.self)
            #expect(quoted.map(\.text) == ["\"in OR state\""])
        }
    }

    @Test func typesWithoutWords_haveNoSuggestions() throws {
        let store = try Store.temporary(records: [TrigramNote.self, PlainNote.self])
        try store.insert(TrigramNote(id: 1, title: "database"))
        try store.insert(PlainNote(id: 1, title: "database"))
        try store.read { context throws in
            #expect(try context.suggestions(for: "databse", of: TrigramNote.self) == [])
            #expect(throws: StoreError.self) { try context.suggestions(for: "databse", of: PlainNote.self) }
            #expect(throws: StoreError.self) { try context.words(of: PlainNote.self, beginning: "a") }
        }
    }

    @Test func storedTypes_haveTheSameSuggestions() throws {
        let store = try library()
        try store.read { context throws in
            let type = try #require(try context.storedTypes().first)
            for typed in ["databse ordred", "databasse", "title:databse", "teh", "wolvs", "zz"] {
                let expected = try context.suggestions(for: typed, of: Jotting.self)
                #expect(try context.storedSuggestions(for: typed, of: type) == expected, "\(typed)")
            }
        }
    }
}
