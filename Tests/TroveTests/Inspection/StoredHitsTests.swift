// Searches without Swift types find what typed searches find.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("shelf", "number")
private struct Pamphlet {
    #FullTextIndex<Pamphlet>(\.title, \.pages)
    #FullTextIndex<Pamphlet>(\.title, analyzer: .trigrams)
    #FullTextIndex<Pamphlet>(\.pages, analyzer: .standard.keepingCase(), where: { $0.number > 10 })

    let shelf: String
    let number: Int
    var title: String?
    var pages: [String]
}

struct StoredHitsTests {
    private static let words = ["the", "cat", "Über", "fox", "東京都", "can't", "sat", "on", "mat", "Quick"]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &random))
            .map { _ in Self.words.randomElement(using: &random)! }.joined(separator: " ")
    }

    private func pamphlet(_ number: Int, _ random: inout SeededGenerator) -> Pamphlet {
        Pamphlet(
            shelf: "abc".randomElement(using: &random).map(String.init)!, number: number,
            title: Bool.random(using: &random) ? text(&random) : nil,
            pages: (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) })
    }

    private func type(_ context: ReadContext) throws -> StoredType {
        try #require(try context.storedTypes().first { $0.name.hasSuffix("Pamphlet") })
    }

    private func expectSameHits(_ context: ReadContext, _ note: String) throws {
        let type = try type(context)
        for typed in ["cat", "uber fox", "\"the cat\"", "sat OR mat -quick", "ca*", "title:cat", "-the", "東京", ""] {
            for index in [nil] + type.indexes.map(\.name) where index == nil || !typed.contains(":") {
                let hits = try Pamphlet.matching(typed, index: index).hits(in: context)
                let stored = try context.storedHits(of: type, matching: typed, index: index, limit: .max)
                let name = "\(typed) in \(index ?? "any index"): \(note)"
                #expect(stored.map(\.score) == hits.map(\.score), "\(name)")
                #expect(
                    stored.map { $0.record["number"] } == hits.map { .integer(Int128($0.record.number)) }, "\(name)")
                #expect(stored.map { $0.record["shelf"] } == hits.map { .string($0.record.shelf) }, "\(name)")
                let marked = try context.storedHits(of: type, matching: typed, index: index, limit: 9, snippetWords: 4)
                for (stored, hit) in zip(marked, hits) {
                    let snippets = Dictionary(uniqueKeysWithValues: stored.snippets.map { ($0.property, $0.snippet) })
                    let pages = hit.ranges(in: \.pages).contains { !$0.isEmpty }
                    #expect(
                        snippets["title"]
                            == (hit.ranges(in: \.title).isEmpty ? nil : hit.snippet(of: \.title, words: 4)),
                        "\(name)")
                    #expect(snippets["pages"] == (pages ? hit.snippet(of: \.pages, words: 4) : nil), "\(name)")
                    #expect(stored.parts.map(\.score) == hit.scoreParts.map(\.score), "\(name)")
                    #expect(stored.parts.map(\.word) == hit.scoreParts.map { "\($0.words)" }, "\(name)")
                }
                let few = try context.storedHits(of: type, matching: typed, index: index, limit: 3)
                #expect(few == Array(stored.prefix(3)), "\(name)")
            }
        }
    }

    @Test func searchesWithoutTypes_findTheHitsOfTypedSearches() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Pamphlet.self])
        try store.insert(contentsOf: (0..<60).map { pamphlet($0, &random) })
        try store.read { try expectSameHits($0, "TROVE_TEST_SEED=\(seed)") }
        try store.write { context in
            try context.insert(contentsOf: (60..<90).map { pamphlet($0, &random) })
            try Pamphlet.filter(\.number < 20).delete(in: context)
            // A write transaction finds its own changes.
            try expectSameHits(context, "in the write, TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test func aHit_isJSON() throws {
        let store = try Store.temporary(records: [Pamphlet.self])
        try store.insert(Pamphlet(shelf: "a\n\"", number: 7, title: "cat", pages: []))
        let hit = try #require(
            try store.read { try $0.storedHits(of: type($0), matching: "cat", limit: 1) }.first)
        #expect(
            hit.json
                == #"{"score":\#(hit.score),"key":"(shelf: \"a\\n\\\"\", number: 7)","record":\#(hit.record.json)}"#)
        #expect(hit.score > 0 && hit.snippets.isEmpty)
        let marked = try #require(
            try store.read { try $0.storedHits(of: type($0), matching: "cat", limit: 1, snippetWords: 0) }.first)
        #expect(marked.parts.map(\.counts) == [[StoredScorePart.Count(property: "title", count: 1)]])
        #expect(marked.parts.map(\.records) == [[1]] && marked.parts.map(\.score) == [hit.score])
        #expect(
            marked.json.hasSuffix(
                #","snippets":[{"property":"title","text":"cat","ranges":[[0,3]],"isCutAtStart":false,"isCutAtEnd":false}]}"#
            ))
    }

    @Test func aTypeWithoutRecords_hasNoHits() throws {
        let store = try Store.temporary(records: [Pamphlet.self])
        try store.insert(Pamphlet(shelf: "a", number: 7, title: "cat", pages: []))
        try Pamphlet.query().delete(in: store)
        let hits = try store.read { try $0.storedHits(of: type($0), matching: "cat", limit: 5) }
        #expect(hits == [])
    }

    /// The words of a write transaction are written late.
    @Test func aWriteTransaction_hasSoundIndexes() throws {
        let store = try Store.temporary(records: [Pamphlet.self])
        try store.insert(Pamphlet(shelf: "a", number: 7, title: "cat", pages: []))
        try store.write { context in
            let type = try type(context)
            try context.insert(Pamphlet(shelf: "a", number: 7, title: "owl", pages: ["the cat", "sat"]))
            let checks = try context.checkStoredIndexes(of: type)
            #expect(checks.differences.map(\.kind) == [])
            try context.insert(Pamphlet(shelf: "a", number: 8, title: "elk", pages: []))
            #expect(try self.type(context).indexes.map { $0.fullText?.words } == [5, 2, 0])
        }
    }
}
