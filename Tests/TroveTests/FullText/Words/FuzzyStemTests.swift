// Typing errors in an index with stems: words are compared with the stems of the index as they are typed, and as stems.

import Testing
import TroveTestSupport
import TroveText

@testable import Trove

/// Leaves out the endings of a few forms, one of which has a mark.
private struct Endings: TextStemmer {
    let name = "endings/1"
    private static let endings = ["ées", "ing", "ed", "es", "e", "s"]

    func stem(_ word: String) -> String {
        for ending in Self.endings where word.count > ending.count + 1 && word.hasSuffix(ending) {
            return String(word.dropLast(ending.count))
        }
        return word
    }
}

@IndexKeyRecord("id")
private struct Almanac: Hashable {
    #FullTextIndex<Almanac>(\.title, analyzer: Almanac.analyzer)

    let id: Int
    var title: String
    static let analyzer = TextAnalyzer.standard.stemmed(by: Endings()).replacing(["motorcar": ["automobil"]])
}

/// A record with gathered text, whose words become stems.
@IndexKeyRecord("id")
private struct Forecast {
    #FullTextIndex<Forecast>(
        "Weather", analyzer: Almanac.analyzer,
        gathering: { keys, context in
            var texts: [Int: String] = [:]
            for forecast in try context.get(Forecast.self, keys: keys) { texts[forecast.id] = forecast.text }
            return texts
        })

    let id: Int
    var text: String
}

@Suite("Typing errors in an index with stems") struct FuzzyStemTests {
    private func store(_ titles: [String]) throws -> Store {
        let store = try Store.temporary(records: [Almanac.self])
        try store.insert(contentsOf: titles.enumerated().map { Almanac(id: $0, title: $1) })
        return store
    }

    private func makeUnready(_ store: Store) throws {
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        for index in type.indexes.map(\.name) { #expect(try store.markForRebuild(index, of: type) == [index]) }
    }

    /// Returns the edits of a stem that a typed word finds.
    private func edits(of stem: String, from typed: String, edits: Int?, anyFirstLetter: Bool) -> Int? {
        let term = Endings().stem(typed)
        if stem == term { return 0 }
        let byTerm = SlowEdits.edits(of: stem, from: term, edits: edits, anyFirstLetter: anyFirstLetter)
        // Only the term finds the word itself.
        let byWord = SlowEdits.edits(of: stem, from: typed, edits: edits, anyFirstLetter: anyFirstLetter)
        return [byTerm, byWord.map { max($0, 1) }].compactMap { $0 }.min()
    }

    /// “whites” is an edit from “whiter”, and its stem “whit” two.
    @Test func misspelledWords_areComparedAsTheyAreTyped() throws {
        let store = try store(["the whiter sail", "stored", "a motorcar", "she said"])
        func keys(_ query: TextQuery<Almanac>) throws -> [Int] { try Almanac.matching(query).keys(in: store).sorted() }
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            #expect(try keys("whites~") == [0] && keys("whites") == [])
            #expect(try keys("whitse~") == [], "“whitse” and “whits” are two edits from “whiter”")
            #expect(try keys(.fuzzy("the whites sali")) == [0])
            #expect(try keys("stroed~") == [1] && keys("storing~") == [1], "their stems are “stro” and “stor”")
            #expect(try keys("saed~") == [3], "the stem “sa” is too short for edits")
            #expect(try keys("motorcras~") == [] && keys("motorcars~") == [2])
        }
    }

    @Test func randomWords_findWhatAComparisonWithAllStemsFinds() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let letters = Array("abcd")
        let endings = ["", "s", "es", "e", "ing", "ed"]
        func word() -> String {
            String((0..<Int.random(in: 1...7, using: &random)).map { _ in letters.randomElement(using: &random)! })
                + endings.randomElement(using: &random)!
        }
        let titles = (0..<300).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in word() }.joined(separator: " ")
        }
        let stems = titles.map { Set($0.split(separator: " ").map { Endings().stem(String($0)) }) }
        let store = try store(titles)
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            for round in 0..<(isScanned ? 20 : 80) {
                let known = titles.randomElement(using: &random)!.split(separator: " ")[0]
                let typed = SlowEdits.edited(String(known), edits: round % 3, of: letters, &random)
                guard !typed.isEmpty else { continue }
                let most = [nil, 1, 2][round % 3]
                let anyFirstLetter = Bool.random(using: &random)
                let note: Comment = "\(typed) \(String(describing: most)) \(anyFirstLetter), seed \(seed)"
                var expected: [Int: Int] = [:]
                for (id, stems) in stems.enumerated() {
                    let found = stems.compactMap {
                        edits(of: $0, from: typed, edits: most, anyFirstLetter: anyFirstLetter)
                    }
                    expected[id] = found.min()
                }
                let query = TextQuery<Almanac>.fuzzy(typed, edits: most, anyFirstLetter: anyFirstLetter)
                let hits = try Almanac.matching(query).hits(in: store)
                #expect(Set(hits.map(\.record.id)) == Set(expected.keys), note)
                // Fewer edits come first.
                let order = hits.compactMap { expected[$0.record.id] }
                #expect(order == order.sorted(), note)
                for hit in hits.prefix(5) {
                    let sum = hit.scoreParts.reduce(0) { $0 + $1.score }
                    #expect(abs(sum - hit.score) < 1e-12, note)
                    let marked = Set(hit.ranges(in: \.title).map { String(hit.record.title[$0]) })
                    let found = hit.record.title.split(separator: " ").map(String.init).filter {
                        edits(of: Endings().stem($0), from: typed, edits: most, anyFirstLetter: anyFirstLetter) != nil
                    }
                    #expect(marked.isSubset(of: found) && !marked.isEmpty, note)
                }
            }
        }
    }

    // MARK: Suggestions

    private func suggestions(_ typed: String, in store: Store) throws -> [TextSuggestion] {
        try store.read { try $0.suggestions(for: typed, of: Almanac.self) }
    }

    @Test func suggestions_compareTheTypedWord() throws {
        let store = try store((0..<20).map { $0 % 2 == 0 ? "whiter sail" : "motorcars" })
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            func texts(_ typed: String) throws -> [String] { try suggestions(typed, in: store).map(\.text) }
            #expect(try texts("Whites sial") == ["whiter sail"])
            #expect(try suggestions("whites", in: store).map { [$0.edits, $0.recordCount] } == [[1, 10]])
            #expect(try texts("saed") == [] && texts("sails") == [])
            // The word of the texts, rather than its replacement.
            #expect(try texts("motorcar") == [] && texts("automobilt") == ["motorcars"])
        }
    }

    /// The stem of “sadness” is “sadnes”, and that of “sadnes” is “sadn”: as a query, a stem finds other words.
    @Test func suggestions_areWordsOfTheTexts() throws {
        let store = try store(["The sadness", "sadning", "gares", "gare", "Elles sont aimées", "les aimees"])
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            let suggestion = try #require(try suggestions("the sadnass", in: store).first)
            #expect(suggestion.text == "the sadness" && suggestion.recordCount == 1 && suggestion.edits == 1)
            #expect(suggestion.ranges.map { suggestion.text[$0] } == ["sadness"])
            // Of “gares” and “gare”, the second is nearer.
            #expect(try suggestions("garr", in: store).map(\.text) == ["gare"])
            // Without its marks, the word has the stem “aime” of another record.
            let marked = try suggestions("amiées", in: store)
            #expect(marked.map(\.text) == ["aimées"] && marked.map(\.recordCount) == [1])
            for typed in ["the sadnass", "garr", "amiées"] {
                for suggestion in try suggestions(typed, in: store) {
                    let count = try Almanac.matching(suggestion.text).count(in: store)
                    #expect(count == suggestion.recordCount, "\(suggestion)")
                }
            }
        }
    }

    /// An index of gathered text has stems alone: those that are their own stems are suggested.
    @Test func suggestionsOfGatheredText_areStemsOfThemselves() throws {
        let store = try Store.temporary(records: [Forecast.self])
        try store.insert(contentsOf: [Forecast(id: 1, text: "sailing"), Forecast(id: 2, text: "sadness")])
        try store.read { context throws in
            #expect(try context.suggestions(for: "sial", of: Forecast.self).map(\.text) == ["sail"])
            #expect(try context.suggestions(for: "sadnass", of: Forecast.self) == [])
        }
    }

    // MARK: Completion

    @Test func completions_haveTheTermOfTheTypedWord() throws {
        let store = try store(["stored", "storehouse", "a motorcar", "us", "usingly"])
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            func words(_ beginning: String) throws -> [String] {
                try store.read { try $0.words(of: Almanac.self, beginning: beginning).map(\.word) }
            }
            #expect(try words("sto") == ["stor", "storehous"] && words("stor") == ["stor", "storehous"])
            #expect(try words("stores") == ["stor"] && words("the Storing") == ["stor"])
            #expect(try words("motorcars") == ["automobil"] && words("motorc") == [])
            // The stem “us” is before the words that begin with what is typed.
            #expect(try words("using") == ["us", "usingly"])
        }
    }
}
