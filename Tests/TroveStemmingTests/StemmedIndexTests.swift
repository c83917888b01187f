// Full-text indexes with stemmers and replacements: what they find, and from program to program.

import Testing
import TroveStemming
import TroveTestSupport

@testable import Trove

@Suite("Indexes with stems and replacements") struct StemmedIndexTests {
    // MARK: Stems

    private func essays() throws -> Store {
        let store = try Store.temporary(records: [Essay.self])
        try store.insert(contentsOf: [
            Essay(id: 1, tongue: .english, title: "Stores", body: "He stored the generous gifts of the cities."),
            Essay(
                id: 2, tongue: .english, title: "A store", body: "A generation of cities, storing gifts in the store."),
            Essay(id: 3, tongue: .german, title: "Häuser", body: "Die schönen Häuser der Stadt, gifts."),
            Essay(id: 4, tongue: .german, title: "Haus", body: "Ein schönes Haus."),
            Essay(id: 5, tongue: .french, title: "Écoles", body: "Les écoles fréquentées, gifts."),
        ])
        return store
    }

    private func index(_ language: String) throws -> String {
        try #require(Essay.schema.indexes.map(\.text).first { $0.contains(language) })
    }

    @Test func words_findTheirForms() throws {
        let store = try essays()
        let english = try index("english")
        func keys(_ typed: String, _ index: String) throws -> [Int] {
            try Essay.matching(typed, index: index).keys(in: store).sorted()
        }
        #expect(try keys("stores", english) == [1, 2] && keys("store", english) == [1, 2])
        #expect(try keys("city generations", english) == [2] && keys("generously", english) == [1])
        // Each language has its own records, though the word is in all.
        #expect(try keys("gift", english) == [1, 2])
        #expect(try keys("gifts", index("german")) == [3])
        #expect(try keys("hausern", index("german")) == [3, 4] && keys("schöne Häuser", index("german")) == [3, 4])
        #expect(try keys("ecole fréquenté", index("french")) == [5])
        #expect(try keys("stores", index("title")) == [1])
        #expect(try store.check() == [])
    }

    /// The index without a condition comes first where no index is named.
    @Test func withoutAName_theWholeIndexIsSearched() throws {
        let store = try essays()
        #expect(try Essay.matching("store").keys(in: store) == [2])
        #expect(try Essay.matching("title:stores").keys(in: store) == [1])
    }

    /// “sotre” is an edit from “store”, and its stem “sotr” two.
    @Test func misspelledWords_areComparedAsTheyAreTyped() throws {
        let store = try essays()
        let english = try index("english")
        #expect(try Essay.matching("sotre", index: english).count(in: store) == 0)
        #expect(try Essay.matching("sotre~", index: english).keys(in: store).sorted() == [1, 2])
        #expect(try Essay.matching("\"generous gift\" sotre~", index: english).keys(in: store) == [1])
        try store.read { context throws in
            let suggestions = try context.suggestions(for: "sotre gifst", of: Essay.self, index: english)
            #expect(suggestions.map(\.text) == ["store gifts"])
            #expect(suggestions.map { [$0.edits, $0.recordCount] } == [[2, 2]])
        }
    }

    /// The stem of “horse” is “hors”, and that of “hors” is “hor”: a suggested stem would find another word.
    @Test func suggestions_areWords_andNotStems() throws {
        let store = try Store.temporary(records: [Essay.self])
        let texts = ["A horse", "The horses run", "Hor and Set"]
        try store.insert(
            contentsOf: texts.enumerated().map { Essay(id: $0, tongue: .english, title: "", body: $1) })
        let english = try index("english")
        try store.read { context throws in
            let suggestions = try context.suggestions(for: "horsse", of: Essay.self, index: english)
            #expect(suggestions.map(\.text) == ["horse"])
            #expect(suggestions.map { [$0.edits, $0.recordCount] } == [[1, 2]])
        }
    }

    @Test func completions_haveTheStemOfTheTypedWord() throws {
        let store = try essays()
        let english = try index("english")
        try store.read { context throws in
            func words(_ beginning: String) throws -> [TextWord] {
                try context.words(of: Essay.self, beginning: beginning, index: english)
            }
            #expect(try words("stores") == [TextWord(word: "store", recordCount: 2)])
            #expect(try words("gifts of the Cities") == [TextWord(word: "citi", recordCount: 2)])
            #expect(try words("sto") == words("stores") && words("stori") == [])
        }
    }

    @Test func phrases_holdOverStopWords_andStems() throws {
        let store = try essays()
        let english = try index("english")
        func keys(_ query: TextQuery<Essay>) throws -> [Int] {
            try Essay.matching(query, index: english).keys(in: store).sorted()
        }
        #expect(try keys("\"generous gift of a city\"") == [1], "any stop words stand in the gap")
        #expect(try keys("\"generous gift city\"") == [])
        #expect(try keys("\"store gifts\"") == [2] && keys(.phrase("gifts stores", slop: 2)) == [2])
        #expect(try keys(.near("store city", within: 1)) == [2] && keys(.near("generous storing", within: 9)) == [1])
        #expect(try keys("\"storing the\"") == [1, 2])
    }

    /// A beginning is compared with stems, and a word that is complete is found as a word.
    @Test func beginnings_areThoseOfStems_orWholeWords() throws {
        let store = try essays()
        let english = try index("english")
        func count(_ typed: String) throws -> Int { try Essay.matching(typed, index: english).count(in: store) }
        #expect(try count("sto*") == 2 && count("stor*") == 2 && count("stores*") == 2 && count("stori*") == 0)
        #expect(try count("cities*") == 2 && count("gener*") == 2 && count("generati*") == 0)
        #expect(try count("the*") == 0 && count("gifts the*") == 2, "a stop word is left out as a beginning, too")
        #expect(try count("\"generous gif*\"") == 1 && count("\"generous gifts*\"") == 1)
        #expect(
            try Essay.matching(TextQuery("gifts of the cities", lastIsPrefix: true), index: english).count(in: store)
                == 2)
        let hit = try #require(try Essay.matching("cities*", index: english).hits(in: store).first)
        #expect(hit.explanation.contains("citi"))
    }

    /// Until an index is built, the same records are found by a scan, with the same scores.
    @Test func scans_findTheSame() throws {
        let file = try MigratedNovels()
        let typed = ["store", "\"stored gifts\"", "gift*", "gifts*", "storing OR city", "-city"]
        var hits: [[Int: Double]] = []
        do {
            let built = try file.open(Novel.English.self)
            for text in typed { hits.append(Self.scores(try Novel.English.matching(text).hits(in: built))) }
        }
        #expect(hits.map(\.count) == [2, 1, 2, 2, 2, 2])
        let scanned = try file.open(Novel.Changed.self, migrations: .lazily)
        #expect(try Novel.Changed.matching("store").explain(in: scanned).contains("not built"))
        for (text, expected) in zip(typed, hits) {
            #expect(Self.scores(try Novel.Changed.matching(text).hits(in: scanned)) == expected, "\(text)")
        }
    }

    private static func scores<Record: IndexKeyRecord>(_ hits: [TextHit<Record>]) -> [Int: Double]
    where Record.IndexKey == Int {
        Dictionary(uniqueKeysWithValues: hits.map { ($0.record.indexKey, $0.score) })
    }

    // MARK: Programs

    /// The library has changed its algorithm, and not its name.
    @Test func anotherAlgorithm_makesTheIndexAgain() throws {
        let file = try MigratedNovels()
        do {
            let store = try file.open(Novel.English.self)
            #expect(try Novel.English.matching("consoling").count(in: store) == 1)
            #expect(try store.check() == [])
        }
        do {
            let store = try file.open(Novel.Changed.self)
            #expect(try Novel.Changed.matching("consoling").count(in: store) == 0)
            #expect(try Novel.Changed.matching("consolingly").count(in: store) == 1)
            #expect(try Novel.Changed.matching("stores").count(in: store) == 2)
            #expect(try store.check() == [])
            #expect(try store.read { try $0.storedTypes()[0].indexes.count } == 1)
        }
        // And again, in the program with the former algorithm.
        let store = try file.open(Novel.English.self)
        #expect(try Novel.English.matching("consoling").count(in: store) == 1)
        #expect(try store.check() == [])
    }

    @Test func aProgramWithoutStemmers_hasAnotherIndex() throws {
        let file = try MigratedNovels()
        try file.migrate(Novel.English.self)
        let store = try file.open(Novel.Standard.self)
        #expect(try Novel.Standard.matching("stores").count(in: store) == 0)
        #expect(try Novel.Standard.matching("stored").count(in: store) == 1)
        #expect(try store.check() == [])
    }

    @Test func searchesWithoutTypes_takeTheAnalyzersOfLanguages() throws {
        let file = try MigratedNovels()
        try file.migrate(Novel.English.self)
        let store = try file.open()
        let hits = try store.read { context in
            try context.storedHits(
                of: context.storedTypes()[0], matching: "store", limit: 9, analyzers: TextAnalyzer.languages)
        }
        #expect(hits.count == 2)
        do {
            _ = try store.read { try $0.storedHits(of: $0.storedTypes()[0], matching: "store", limit: 9) }
            Issue.record("the stemmer is not among the built-in analyzers")
        } catch StoreError.text(.unknownAnalyzer(_, _, let analyzer)) {
            #expect(analyzer == "standard/1+snowball-english")
        }
        #expect(try store.check() == [])
    }

    // MARK: Replacements

    private func vehicles() throws -> Store {
        let store = try Store.temporary(records: [Vehicle.self])
        let texts = [
            "An auto in NYC today", "Cars in New York City today", "The automobile and the metropolis today",
            "New York and a city", "A dog barks", "An animal barks",
        ]
        try store.insert(contentsOf: texts.enumerated().map { Vehicle(id: $0.offset + 1, text: $0.element) })
        return store
    }

    @Test func replacements_findEachOther() throws {
        let store = try vehicles()
        func keys(_ query: TextQuery<Vehicle>) throws -> [Int] { try Vehicle.matching(query).keys(in: store).sorted() }
        for word in ["auto", "autos", "car", "cars", "automobiles"] {
            #expect(try keys(.word(word)) == [1, 2, 3], "\(word)")
        }
        #expect(try keys("nyc") == [1, 2, 3])
        #expect(try keys("\"new york city\"") == [1, 2] && keys("metropolis") == [1, 3])
        #expect(try keys("new city") == [1, 2, 4])
        #expect(try keys("dog") == [5, 6] && keys("animals") == [5, 6])
        // The record with the word itself has both of its replacements.
        #expect(try Vehicle.matching("dog").keys(in: store) == [5, 6])
        #expect(try store.check() == [])
    }

    @Test func phrases_goThroughReplacements() throws {
        let store = try vehicles()
        func keys(_ query: TextQuery<Vehicle>) throws -> [Int] { try Vehicle.matching(query).keys(in: store).sorted() }
        #expect(try keys("\"car in nyc\"") == [1, 2] && keys("\"auto in new york city today\"") == [1, 2])
        #expect(try keys("\"nyc today\"") == [1, 2, 3] && keys("\"york city today\"") == [1, 2])
        #expect(try keys("\"dog barks\"") == [5, 6] && keys("\"animal barks\"") == [5, 6])
        #expect(try keys("\"a dog barks\"") == [5] && keys("\"an animal barks\"") == [6])
        #expect(try keys(.near("today auto", within: 3)) == [3])
        #expect(try keys(.phrase("dog", atStart: true)) == [] && keys(.phrase("the car", atStart: true)) == [3])
        #expect(try keys("auto*") == [1, 2, 3] && keys("aut*") == [] && keys("\"in ny*\"") == [])
        #expect(try keys("\"in nyc*\"") == [1, 2])
    }

    /// All spellings of a phrase together have more words than a query: the phrase counts as its own words.
    @Test func phrasesOfManySpellings_stayWhole_andLeaveRoomForOtherWords() throws {
        let store = try vehicles()
        try store.insert(contentsOf: [
            Vehicle(id: 7, text: "dog dog"),
            Vehicle(id: 8, text: Array(repeating: "dog", count: 7).joined(separator: " ")),
        ])
        let phrase = TextQuery<Vehicle>.phrase(Array(repeating: "dog", count: 7).joined(separator: " "))
        #expect(try Vehicle.matching(phrase).keys(in: store) == [8])
        #expect(try Vehicle.matching(.all(phrase, .word("tree"))).keys(in: store) == [])
    }

    /// The words of a text are marked that its index has in other words.
    @Test func highlights_markWhatIsReplaced() throws {
        let store = try vehicles()
        func marked(_ query: TextQuery<Vehicle>) throws -> [String] {
            try Vehicle.matching(query).hits(in: store).sorted { $0.record.id < $1.record.id }
                .map { $0.snippet(of: \.text).marked("[", "]") }
        }
        #expect(
            try marked("automobiles") == [
                "An [auto] in NYC today", "[Cars] in New York City today", "The [automobile] and the metropolis today",
            ])
        #expect(try marked("\"new york city\"") == ["An auto in [NYC] today", "Cars in [New York City] today"])
        #expect(try marked("\"in nyc today\"") == ["An auto [in NYC today]", "Cars [in New York City today]"])
        #expect(try marked("york auto") == ["An [auto] in [NYC] today", "[Cars] in New [York] City today"])
        #expect(try marked("dog") == ["A [dog] barks", "An [animal] barks"])
        #expect(try marked("auto*").first == "An [auto] in NYC today")
        #expect(
            try marked(.near("today metropolis", within: 3)) == [
                "An auto in [NYC] [today]", "The automobile and the [metropolis] [today]",
            ])
    }

    /// Each replacement counts as a word of the text's length, and a rebuilt index is the same.
    @Test func lengths_countReplacements() throws {
        let store = try vehicles()
        let before = try Vehicle.matching("barks").hits(in: store).map(\.score)
        #expect(before.count == 2 && before[0] > before[1], "a, dog, animal, barks; an, animal, barks")
        try store.write { context in
            try context.insert(Vehicle(id: 6, text: "A dog, a dog in NYC"))
            #expect(try Vehicle.matching("\"dog in new york city\"").keys(in: context) == [6])
            try context.insert(Vehicle(id: 6, text: "An animal barks"))
        }
        #expect(try Vehicle.matching("barks").hits(in: store).map(\.score) == before)
        try store.rebuild()
        #expect(try Vehicle.matching("barks").hits(in: store).map(\.score) == before)
        #expect(try store.check() == [])
    }

    /// Random texts and phrases, against a search of the texts whose words are replaced by hand.
    @Test func randomPhrases_areThoseOfReplacedTexts() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Vehicle.self])
        let words = ["dog", "animal", "car", "auto", "nyc", "metropolis", "new", "york", "city", "tree"]
        func text(_ count: Int) -> [String] { (0..<count).map { _ in words.randomElement(using: &random) ?? "" } }
        let texts = (0..<120).map { _ in text(Int.random(in: 1...6, using: &random)) }
        try store.insert(
            contentsOf: texts.enumerated().map { Vehicle(id: $0.offset, text: $0.element.joined(separator: " ")) })
        let analyzer = TextAnalyzer.english.replacing([
            "autos": ["car"], "automobile": ["auto"], "nyc": ["New York City", "metropolis"], "dog": ["dog", "animal"],
        ])
        for _ in 0..<200 {
            let phrase = text(Int.random(in: 1...3, using: &random))
            // The first spelling of a text of the phrase's words alone: the terms at each of its positions.
            let expected = texts.indices.filter { Self.has(texts[$0], phrase, analyzer) }
            let found = try Vehicle.matching(.phrase(phrase.joined(separator: " "))).keys(in: store).sorted()
            #expect(found == expected, "\(phrase), TROVE_TEST_SEED=\(seed)")
        }
    }

    /// Whether some choice of replacements of a phrase's words is in the terms of a text, position by position.
    private static func has(_ text: [String], _ phrase: [String], _ analyzer: TextAnalyzer) -> Bool {
        var terms: [Int: Set<String>] = [:]
        for token in analyzer.tokens(of: text.joined(separator: " ")) {
            terms[token.position, default: []].insert(token.term)
        }
        let choices: [String: [[String]]] = [
            "dog": [["dog"], ["anim"]], "animal": [["anim"]], "auto": [["car"]],
            "nyc": [["new", "york", "citi"], ["metropoli"]], "metropolis": [["metropoli"]], "city": [["citi"]],
        ]
        func matches(_ phrase: ArraySlice<String>, at position: Int) -> Bool {
            guard let word = phrase.first else { return true }
            return (choices[word] ?? [[word]]).contains { choice in
                choice.indices.allSatisfy { terms[position + $0]?.contains(choice[$0]) == true }
                    && matches(phrase.dropFirst(), at: position + choice.count)
            }
        }
        return terms.keys.contains { matches(phrase[...], at: $0) }
    }
}

/// A file with novels, opened by several programs in turn.
private struct MigratedNovels {
    static let texts = [
        "He stored gifts, consolingly", "She is storing a gift for the cities", "Nothing of the kind",
    ]
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let store = try open()
        try store.insert(
            contentsOf: Self.texts.enumerated().map { Novel.English(id: $0.offset + 1, text: $0.element) })
    }

    func open(_ types: any IndexKeyRecord.Type..., migrations: MigrationPolicy = .onOpen) throws -> Store {
        try Store(
            path: directory.path("novels.trove"), records: types, migrations: migrations,
            options: StoreOptions(durability: .noSync))
    }

    func migrate(_ type: any IndexKeyRecord.Type) throws { _ = try open(type) }
}
