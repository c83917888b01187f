// Known-item search: the entry of a dictionary, found by some words of its definition.
//
// `scripts/quality` runs the test over the whole dictionary, and compares the figures with those of other engines. For
// every run there is an excerpt of it, with words in other forms.

import Foundation
import Testing
import Trove
import TroveStemming

@IndexKeyRecord("id")
private struct Gloss {
    #FullTextIndex<Gloss>(\.title, \.body)
    #FullTextIndex<Gloss>(\.title, \.body, analyzer: .english)

    let id: Int
    var title: String
    var body: String
}

/// A search for a known entry.
private struct KnownItem {
    var key: Int
    /// The words, in several variants.
    var words: [[String]]
}

@Suite struct QualityTests {
    private static let index = "fullText(title,body)"
    private static let stemmed = "fullText(title,body by standard/1+snowball-english)"

    private func store(_ file: URL) throws -> Store {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let store = try Store.temporary(records: [Gloss.self])
        try store.insert(
            contentsOf: lines.enumerated().map { number, line in
                let columns = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
                return Gloss(id: number + 1, title: String(columns[0]), body: String(columns.last ?? ""))
            })
        return store
    }

    /// Returns the parts of the searches whose entry comes first, and among the first ten.
    private func shares(
        _ items: [KnownItem], _ variant: Int = 0, in store: Store, _ index: String,
        _ query: ([String]) -> TextQuery<Gloss>
    ) throws -> [Double] {
        var (first, ten) = (0, 0)
        for item in items {
            let keys = try Gloss.matching(query(item.words[variant]), index: index).limit(10).keys(in: store)
            if keys.first == item.key { first += 1 }
            if keys.contains(item.key) { ten += 1 }
        }
        return [first, ten].map { Double($0) / Double(items.count) }
    }

    private func words(_ words: [String]) -> TextQuery<Gloss> { .any(words.map { .word($0) }) }

    /// Returns a query for any of some words, each with typing errors.
    private func fuzzyWords(_ words: [String]) -> TextQuery<Gloss> { .any(words.map { .fuzzy($0) }) }

    /// Returns a store of the excerpt.
    private func excerpt() throws -> Store {
        try store(
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "TroveTests/Samples/WordNet/texts.tsv"))
    }

    /// Returns searches for a fifth of the entries of a store, each by some changed words of its definition.
    private func items(in store: Store, _ changed: (String) -> String) throws -> [KnownItem] {
        try Gloss.query().resolve(in: store).compactMap { gloss -> KnownItem? in
            guard gloss.id.isMultiple(of: 5) else { return nil }
            let all: [Substring] = gloss.body.lowercased().split { !$0.isLetter }
            let words: [String] = all.filter { $0.count > 4 }.prefix(4).map { changed(String($0)) }
            return words.count < 3 ? nil : KnownItem(key: gloss.id, words: [words])
        }
    }

    /// A word in another form is found by its stem.
    @Test func stems_findOtherForms() throws {
        let store = try excerpt()
        let items = try items(in: store) { $0.hasSuffix("s") ? String($0.dropLast()) : $0 + "s" }
        #expect(items.count > 200)
        let plain = try shares(items, in: store, Self.index, words)
        let stemmed = try shares(items, in: store, Self.stemmed, words)
        #expect(stemmed[0] > 0.7 && stemmed[1] > 0.9, "\(stemmed)")
        #expect(plain[0] < stemmed[0] / 2 && plain[1] < stemmed[1] / 2, "\(plain)")
    }

    /// A word without its third letter is found by the words within an edit: almost always as the first entry.
    @Test func fuzzyWords_findMisspelledOnes() throws {
        let store = try excerpt()
        let items = try items(in: store) { "\($0.prefix(2))\($0.dropFirst(3))" }
        #expect(items.count > 200)
        let plain = try shares(items, in: store, Self.index, words)
        let fuzzy = try shares(items, in: store, Self.index, fuzzyWords)
        #expect(fuzzy[0] > 0.9 && fuzzy[1] > 0.95, "\(fuzzy)")
        #expect(plain[1] < 0.1, "\(plain)")
    }

    /// Writes the figures for `scripts/quality`: a line for each way of searching, its name, and two figures for each
    /// variant of the words.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TROVE_QUALITY"] != nil))
    func figures_ofADictionary() throws {
        let directory = URL(filePath: try #require(ProcessInfo.processInfo.environment["TROVE_QUALITY"]))
        let store = try store(directory.appending(path: "wordnet.tsv"))
        let lines = try String(contentsOf: directory.appending(path: "quality.tsv"), encoding: .utf8)
        let items = try lines.split(separator: "\n").map { line in
            let columns = line.split(separator: "\t")
            return KnownItem(
                key: try #require(Int(columns[0])),
                words: columns.dropFirst().map { $0.split(separator: " ").map(String.init) })
        }
        // Typed, each with a tilde.
        let fuzzy = { (words: [String]) -> TextQuery<Gloss> in
            TextQuery(words.map { $0 + "~" }.joined(separator: " "), joining: .any)
        }
        let ways: [(name: String, index: String, query: ([String]) -> TextQuery<Gloss>)] = [
            ("Trove, `.standard`", Self.index, words), ("Trove, `.standard`, fuzzy words", Self.index, fuzzy),
            ("Trove, `.english`", Self.stemmed, words), ("Trove, `.english`, fuzzy words", Self.stemmed, fuzzy),
        ]
        var rows: [String] = []
        for way in ways {
            let variants = try #require(items.first).words.indices
            let figures = try variants.flatMap { try shares(items, $0, in: store, way.index, way.query) }
            rows.append(([way.name] + figures.map { "\($0)" }).joined(separator: "\t"))
        }
        try (rows.joined(separator: "\n") + "\n")
            .write(to: directory.appending(path: "trove.tsv"), atomically: true, encoding: .utf8)
    }
}
