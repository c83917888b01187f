// The edges of full text: texts without words, signs of all scripts, long words, and each way in which a record enters
// or leaves an index.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Scroll: Hashable {
    #FullTextIndex<Scroll>(\.title, \.lines)
    #FullTextIndex<Scroll>(\.title, keepsOrder: false, where: { $0.isPublic })
    #FullTextIndex<Scroll>(\.title, analyzer: .standard.without(.english))
    #Unique<Scroll>(\.code, collisions: .upsert)

    let id: Int
    var title: String?
    var lines: [String] = []
    var isPublic: Bool = true
    var code: String?
}

@IndexKeyRecord("id")
private struct Parchment: Hashable {
    #FullTextIndex<Parchment>(\.text)
    #Unique<Parchment>(\.code, collisions: .ignore)
    #Unique<Parchment>(
        \.number,
        collisions: .custom { context, _, other in
            try context.delete(Parchment.self, key: other.id)
        })

    let id: Int
    var text: String
    var code: String?
    var number: Int?
}

@IndexKeyRecord("id")
private struct Wordless {
    let id: Int
    var text: String
}

@EntityModel
private struct Scriptorium {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.library) var volumes: [Volume]?
}

@EntityModel
private struct Volume {
    #FullTextIndex<Volume>(\.title)

    let id: Int
    var title: String
    @Relationship(inverse: \.volumes) var library: Scriptorium?
}

@Suite("Edges of full text") struct TextEdgeTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Scroll.self, Parchment.self]) }

    private func keys(_ typed: String, index: String? = nil) throws -> [Int] {
        try Scroll.matching(typed, index: index).keys(in: store).sorted()
    }

    // MARK: Texts and queries without words

    @Test func textsWithoutWords_count_andAreNotFound() throws {
        try store.insert(Scroll(id: 1, title: "word"))
        let before = try #require(try Scroll.matching("word").hits(in: store).first).score
        try store.insert(contentsOf: [
            Scroll(id: 2), Scroll(id: 3, title: ""), Scroll(id: 4, title: "… — !?", lines: ["", "\0", "()"]),
        ])
        #expect(try keys("word") == [1])
        // There are more records: the word is rarer.
        #expect(try #require(try Scroll.matching("word").hits(in: store).first).score > before)
        #expect(try keys("-word") == [2, 3, 4])
        #expect(try store.check() == [])
        try Scroll.query().delete(in: store)
        #expect(try keys("-word") == [])
        #expect(try store.check() == [])
    }

    @Test func queriesWithoutWords_findNothing() throws {
        try store.insert(contentsOf: [Scroll(id: 1, title: "the cat"), Scroll(id: 2, title: "")])
        for typed in ["", " ", "\0", "*", "()", "\"\"", "…", "-…", "(( |", "title:", "~2"] {
            #expect(try keys(typed) == [], "\(typed)")
            #expect(try Scroll.matching(typed).hits(in: store).isEmpty, "\(typed)")
        }
        // An unknown word: nothing where all are needed, and ignored where any will do.
        #expect(try keys("cat dog") == [])
        #expect(try keys("cat OR dog") == [1])
        #expect(try Scroll.matching(TextQuery("dog cat", joining: .any)).count(in: store) == 1)
        #expect(try keys("dog*") == [])
        // Stop words alone; beside others they are left out.
        let index = "fullText(title by standard/1 without english)"
        let name = Scroll.schema.indexes.first { $0.text.contains("without") }?.text ?? index
        #expect(try keys("the", index: name) == [])
        #expect(try keys("the cat", index: name) == [1])
    }

    // MARK: Signs

    /// Each line is a text and queries, each of which finds it.
    @Test(arguments: [
        ("a\0b\u{1}c\u{7F}d\u{9F}e\u{E000}f\u{10FFFD}g", ["a", "c", "e", "f", "g", "\"a b\""]),
        ("Straße STRASSE", ["strasse", "straße", "\"strasse strasse\""]),
        ("İstanbul IĞDIR ığdır", ["istanbul", "igdir", "IĞDIR", "ıgdır"]),
        ("Ὀδυσσεύς ΣΊΣΥΦΟΣ", ["οδυσσευς", "ΟΔΥΣΣΕΥΣ", "σισυφος"]),
        ("Ёлка и й", ["елка", "ёлка"]),
        ("ﬁancé ﷺ ㌀", ["fiance", "fiancé", "FIANCÉ"]),
        ("שָׁלוֹם", ["שלום"]),
        ("مُحَمَّد\u{640}\u{640} كتاب", ["محمد", "كتاب"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("தமிழ் மொழி", ["தமிழ்", "\"தமிழ் மொழி\""]),
        ("東京都庁", ["東京", "京都", "都庁", "東京都庁", "\"東京 都庁\"", "東"]),
        ("ภาษาไทย", ["ภา", "ไทย", "ภาษาไทย"]),
        ("カタカナ ｶﾀｶﾅ", ["カタカナ", "ｶﾀｶﾅ"]),
        ("한국어 조선", ["한국어", "조선"]),
        ("ខ្មែរ ລາວ မြန်မာ", ["ខ្មែរ", "ລາວ", "မြန်မာ"]),
        ("ქართული Ⴀ Հայերեն", ["ქართული", "հայերեն"]),
        ("አማርኛ ᏣᎳᎩ", ["አማርኛ", "ᏣᎳᎩ", "ꮳꮃꭹ"]),
        ("👍🏽 👩‍👩‍👧 🇸🇪 1️⃣ ❤️", ["👍", "👍🏿", "👩‍👩‍👧", "🇸🇪", "❤", "1"]),
        (
            "well-known can't example.com a@b.org /usr/bin 1.2.3",
            [
                "well", "known", "well-known", "can't", "example.com", "com", "a@b.org", "/usr/bin", "1.2.3",
                "\"1 2 3\"",
            ]
        ),
        ("1,000 007 ½ ٣ Ⅻ", ["1,000", "\"1 000\"", "007", "3", "xii", "\"1 2\""]),
        ("a\u{200F}b c\u{AD}d e\u{200C}f g\u{200D}h", ["ab", "cd"]),
        ("\u{378}\u{10FFFF}", []),
        ("e\u{301}a\u{323}\u{302}", ["ea", "é\u{1EAD}"]),
    ])
    func textsOfAllScripts_areFound(_ text: String, _ queries: [String]) throws {
        try store.insert(contentsOf: [Scroll(id: 1, title: text), Scroll(id: 2, title: "other", lines: ["x", text])])
        for query in queries { #expect(try keys(query) == [1, 2], "\(query) in \(text)") }
        #expect(try store.check() == [])
        try Scroll.query().delete(in: store)
        #expect(try store.check() == [])
        #expect(try store.indexes(Scroll.keyPrefix).map { $0.fullText?.words } == [0, 0, 0, nil])
    }

    /// Any text whatever is indexed, and found by each of its words.
    @Test func randomTexts_areFoundByTheirWords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        for round in 0..<30 {
            let scrolls = (0..<20).map { id -> Scroll in
                var text = String.UnicodeScalarView()
                while text.count < 40 {
                    let limit: UInt32 = [0x80, 0x800, 0x3100, 0x10000, 0x11_0000].randomElement(using: &random) ?? 0x80
                    if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { text.append(scalar) }
                    if Int.random(in: 0..<6, using: &random) == 0 { text.append(" ") }
                }
                return Scroll(id: id, title: String(text))
            }
            try store.insert(contentsOf: scrolls)
            for scroll in scrolls {
                let words = TextAnalyzer.standard.tokens(of: scroll.title ?? "").map(\.term)
                for word in words.prefix(4) {
                    let found = try Scroll.matching(.prefix(word)).keys(in: store)
                    #expect(found.contains(scroll.id), "\(word), round \(round), seed \(seed)")
                }
            }
            #expect(try store.check() == [], "seed \(seed)")
        }
    }

    // MARK: Long words

    @Test func aLongWord_isFoundWhole_andByItsBeginning() throws {
        let word = String(repeating: "AbC1", count: 5_000)
        try store.insert(contentsOf: [
            Scroll(id: 1, title: word), Scroll(id: 2, title: word + "x"), Scroll(id: 3, title: "é" + word),
        ])
        #expect(try keys(word) == [1])
        #expect(try keys(word.lowercased()) == [1])
        #expect(try keys(word + "X") == [2])
        #expect(try keys("e" + word) == [3])
        #expect(try keys(word + "y") == [])
        #expect(try keys(String(word.prefix(238)) + "*") == [1, 2])
        #expect(try keys(word + "*") == [1, 2] && keys(word + "x*") == [2])
        #expect(try keys("abc*") == [1, 2])
        #expect(try keys("\"\(word) x\"") == [])
        #expect(try store.check() == [])
        try store.insert(Scroll(id: 2, title: "short"))
        #expect(try keys(word + "X") == [] && keys("short") == [2])
        #expect(try store.check() == [])
    }

    // MARK: Entering and leaving

    @Test func aRecordSavedTwice_hasOneState() throws {
        try store.write { context in
            try context.insert(Scroll(id: 1, title: "first"))
            try context.insert(Scroll(id: 1, title: "second"))
            #expect(try Scroll.matching("first").count(in: context) == 0)
            try context.insert(Scroll(id: 1, title: "third third"))
        }
        #expect(try keys("first") == [] && keys("second") == [] && keys("third") == [1])
        try store.write { context in
            try context.delete(Scroll.self, key: 1)
            try context.insert(Scroll(id: 1, title: "again"))
            try context.delete(Scroll.self, key: 1)
            try context.insert(Scroll(id: 1, title: "at last"))
        }
        #expect(try keys("third") == [] && keys("again") == [] && keys("last") == [1])
        #expect(try store.check() == [])
        // A deleted record's number is not given again.
        let numbers = try store.read { context in
            try #require(context.catalogSnapshot.indexParts(Scroll.keyPrefix)[RecordNumberParts.name(Scroll.keyPrefix)])
        }
        let number = try #require(try store.entries(in: numbers).first).value.suffix(RowNumber.size)
        #expect(Array(number) == [0, 0, 0, 0, 3])
    }

    @Test func aRecordThatLeavesTheCondition_isGone() throws {
        let index = try #require(Scroll.schema.indexes.first { $0.isPartial }).text
        try store.insert(Scroll(id: 1, title: "open word"))
        #expect(try keys("word", index: index) == [1])
        try store.insert(Scroll(id: 1, title: "open word", isPublic: false))
        #expect(try keys("word", index: index) == [] && keys("word") == [1])
        try Scroll.query().update(in: store) { $0.isPublic = true }
        #expect(try keys("word", index: index) == [1])
        try store.insert(Scroll(id: 1, title: nil, isPublic: true))
        #expect(try keys("word", index: index) == [] && keys("word") == [])
        #expect(try store.check() == [])
    }

    @Test func collisions_leaveNoWords() throws {
        try store.insert(Scroll(id: 1, title: "mine", code: "x"))
        try store.insert(Scroll(id: 2, title: "yours", code: "x"))
        #expect(try keys("mine") == [] && keys("yours") == [2])
        try store.insert(contentsOf: (3..<9).map { Scroll(id: $0, title: "ours \($0)", code: "y") })
        #expect(try keys("ours") == [8])

        try store.insert(Parchment(id: 1, text: "kept", code: "x"))
        #expect(try store.insert(Parchment(id: 2, text: "ignored", code: "x")) == false)
        #expect(try store.insert(Parchment(id: 1, text: "other"), onConflict: .ignore) == false)
        #expect(try Parchment.matching("kept OR ignored OR other").keys(in: store) == [1])
        try store.insert(Parchment(id: 3, text: "loser", number: 5))
        try store.insert(Parchment(id: 4, text: "winner", number: 5))
        #expect(try Parchment.matching("loser OR winner").keys(in: store) == [4])
        #expect(try store.check() == [])
    }

    @Test func everyWayToDelete_removesTheWords() throws {
        try store.insert(contentsOf: (0..<400).map { Scroll(id: $0, title: "all \($0 % 7)", lines: ["n\($0)"]) })
        try Scroll.filter(\.id >= 100 && \.id < 200).delete(in: store)
        #expect(try keys("all").count == 300)
        try Scroll.matching("3").delete(in: store)
        #expect(try keys("3") == [] && keys("n3") == [])
        try Scroll.filter(\.id > 300).limit(10).delete(in: store)
        try Scroll.filter(.matches("5 -n5")).update(in: store) { $0.title = "changed" }
        #expect(try keys("5") == [5])
        #expect(try keys("changed") == Scroll.filter(\.title == "changed").keys(in: store))
        #expect(try store.check() == [])
        try Scroll.query().delete(in: store)
        #expect(try keys("all OR changed") == [] && keys("-x") == [])
        #expect(try store.check() == [])

        let store = try Store.temporary(records: [Scriptorium.self])
        for id in 0..<3 {
            let volumes = (0..<50).map { Volume(id: id * 50 + $0, title: "volume \(id) v\($0)") }
            try Scriptorium(id: id, volumes: .relation(volumes)).save(to: store)
        }
        try store.delete(Scriptorium.self, key: 1)
        #expect(try Volume.matching("volume 1").count(in: store) == 0)
        #expect(try Volume.matching("volume").count(in: store) == 100)
        #expect(try store.check() == [])
    }

    // MARK: What words are

    @Test func stopWords_areNotTheStartOfAText() throws {
        let index = try #require(Scroll.schema.indexes.first { $0.text.contains("without-english") }).text
        for (id, title) in ["store", "the store", "Of the store, a", "big store", "a big store"].enumerated() {
            try store.insert(Scroll(id: id, title: title))
        }
        let start: TextQuery<Scroll> = .phrase("store", atStart: true)
        #expect(try Scroll.matching(start, index: index).keys(in: store).sorted() == [0, 1, 2])
        #expect(try Scroll.matching(start).keys(in: store) == [0])
    }

    @Test func compatibleDigits_joinTheNumberBefore() throws {
        try store.insert(contentsOf: [Scroll(id: 1, title: "½ inch"), Scroll(id: 2, title: "3½ inches, 10² times")])
        #expect(try keys("1") == [1] && keys("2") == [1, 2] && keys("½") == [1])
        #expect(try keys("3½") == [2] && keys("31") == [2] && keys("10²") == [2] && keys("102") == [2])
        #expect(try keys("3") == [] && keys("10") == [])
    }

    @Test func exclusionsAlone_findAllOtherRecords() throws {
        try store.insert(contentsOf: [Scroll(id: 1, title: "help"), Scroll(id: 2, title: "page 5"), Scroll(id: 3)])
        #expect(try keys("-help") == [2, 3] && keys("NOT help") == [2, 3] && keys("-help -5") == [3])
        #expect(try keys("\"-help\"") == [1] && keys("--help") == [1])
        #expect(try Scroll.matching(.plain("-5")).keys(in: store) == [2])
    }

    // MARK: Errors

    @Test func whatAnIndexDoesNotHave_isATypedError() throws {
        let store = try Store.temporary(records: [Wordless.self, Scroll.self])
        try store.insert(Wordless(id: 1, text: "word"))
        #expect(
            storeError { try Wordless.matching("word").count(in: store) }
                == .text(.noFullTextIndex(type: "Wordless", properties: [])))
        try store.insert(Scroll(id: 1, title: "two words"))
        let unordered = try #require(Scroll.schema.indexes.first { $0.isPartial }).text
        guard
            case .text(.noPhrases)? = storeError({
                try Scroll.matching("\"two words\"", index: unordered).count(in: store)
            })
        else {
            Issue.record("a phrase without the order of words")
            return
        }
        #expect(try Scroll.matching("words two", index: unordered).count(in: store) == 1)
        #expect(
            storeError { try Scroll.matching(.word("a").within(\.lines), index: unordered).count(in: store) }
                == .text(.notInTextIndex(type: "Scroll", properties: ["lines"], searched: [unordered])))
    }

    /// Also in a store without a record of the type, which has no table of the index yet.
    @Test(arguments: [true, false])
    func anotherIndex_isRefused_withTheNamesOfTheIndexes(isEmpty: Bool) throws {
        let store = try Store.temporary(records: [Scroll.self, Wordless.self])
        if !isEmpty { try store.insert(Scroll(id: 1, title: "a")) }
        let indexes = Scroll.schema.indexes.filter { $0.kind == .fullText }.map(\.text)
        let expected = StoreError.schema(.noSuchIndex(type: "Scroll", index: "none", indexes: indexes))
        #expect(indexes.count > 1 && indexes.allSatisfy { expected.description.contains($0) })
        #expect(storeError { try Scroll.matching("a", index: "none").count(in: store) } == expected)
        #expect(storeError { try Scroll.matching("a", index: "none").limit(3).hits(in: store) } == expected)
        #expect(storeError { try Scroll.filter(!.matches("a", index: "none")).keys(in: store) } == expected)
        #expect(
            storeError { try store.read { try $0.words(of: Scroll.self, beginning: "a", index: "none") } } == expected)
        #expect(
            storeError { try Wordless.matching("word").count(in: store) }
                == .text(.noFullTextIndex(type: "Wordless", properties: [])))
    }

    @Test func afterTheLastNumber_savesAreRefused_andARebuildNumbersAnew() throws {
        try store.insert(contentsOf: (0..<5).map { Scroll(id: $0, title: "all") })
        let prefix = Scroll.keyPrefix
        let name = RecordNumberParts.name(prefix).part(1)
        let keys = try #require(try store.read { $0.catalogSnapshot.indexParts(prefix)[name] })
        try store.write { context in
            let table = RowTable(keys, name, type: "", index: "", verifiesChecksums: true)
            var row: [UInt8] = []
            StoredRow.begin(&row)
            RowNumber.append(RowNumber.limit - 2, to: &row)
            try table.put(TextCheck.key(0), &row, context.keyspace)
            context.noteChange()
        }
        try store.insert(Scroll(id: 10, title: "all"))
        #expect(try self.keys("all").count == 6)
        #expect(try store.check() == [])
        guard case .text(.idsExhausted)? = storeError({ try store.insert(Scroll(id: 12, title: "all")) }) else {
            Issue.record("no number is left")
            return
        }
        #expect(try store.get(Scroll.self, key: 12) == nil)
        #expect(try store.check() == [])
        try store.rebuild()
        try store.insert(Scroll(id: 12, title: "all"))
        #expect(try self.keys("all").count == 7)
        #expect(try store.check() == [])
    }

    @Test func aRecordWithoutUTF8_isCorruptedBeforeItHasWords() throws {
        try store.insert(Scroll(id: 1, title: "word"))
        let type = try store.storedType(Scroll.keyPrefix)
        var row = try #require(try store.rawRecords(Scroll.keyPrefix).first)
        let place = try #require(row.value.firstIndex(of: UInt8(ascii: "w")))
        row.value[place] = 0xFF
        StoredValue.seal(&row.value, try #require(type.versions.last), key: row.key, seed: type.checksumSeed)
        try store.put(row, into: type.records)
        #expect(try store.check().map(\.kind) == [.unreadableRecord])
        guard case .record(.unreadable)? = storeError({ try store.rebuild() }) else {
            Issue.record("no error")
            return
        }
    }
}
