// Typing errors in an index with stems: words are compared with the stems of the index as they are typed, and as stems.

import Testing
import TroveTestSupport
import TroveText

@testable import Trove

/// Leaves out the endings of a few forms.
private struct Endings: TextStemmer {
    let name = "endings/1"

    func stem(_ word: String) -> String {
        for ending in ["ing", "ed", "es", "e", "s"] where word.count > ending.count + 1 && word.hasSuffix(ending) {
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

    @Test func suggestions_compareTheTypedWord() throws {
        let store = try store((0..<20).map { $0 % 2 == 0 ? "whiter sail" : "motorcars" })
        for isScanned in [false, true] {
            if isScanned { try makeUnready(store) }
            func suggestions(_ typed: String) throws -> [TextSuggestion] {
                try store.read { try $0.suggestions(for: typed, of: Almanac.self) }
            }
            #expect(try suggestions("Whites sial").map(\.text) == ["whiter sail"])
            #expect(try suggestions("whites").map { [$0.edits, $0.recordCount] } == [[1, 10]])
            #expect(try suggestions("saed") == [] && suggestions("sails") == [])
            #expect(try suggestions("motorcar") == [] && suggestions("automobilt").map(\.text) == ["automobil"])
        }
    }
}
