// The limit of the beginnings and the words with edits of a query, each of which takes memory for all records.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Quatrain {
    #FullTextIndex<Quatrain>(\.text)

    let id: Int
    var text: String
}

@IndexKeyRecord("id")
private struct Replaced {
    #FullTextIndex<Replaced>(\.text, analyzer: .standard.replacing(["zither": ["lyre"]]))

    let id: Int
    var text: String
}

@Suite("The beginnings of a query") struct SumLimitTests {
    /// As many words as beginnings count. No two of them are within two edits.
    private static let words = "abcdefghijklmnopqrstuvwxyz".prefix(TextCompiler.sumLimit).map { letter in
        String(repeating: letter, count: 6)
    }

    private let beginnings: [TextQuery<Quatrain>] = Self.words.map { .prefix(String($0.prefix(3))) }
    private let fuzzyWords: [TextQuery<Quatrain>] = Self.words.map { .fuzzy($0 + "x") }

    /// Returns two stores with an index, and one before it is built. Record 0 has all of the words, record 1 all but
    /// the last, and record 2 another word.
    private func stores() throws -> [Store] {
        let stores = try [Store.temporary(records: [Quatrain.self]), Store.temporary(records: [Quatrain.self])]
        for store in stores {
            try store.insert(contentsOf: [
                Quatrain(id: 0, text: Self.words.joined(separator: " ")),
                Quatrain(id: 1, text: Self.words.dropLast().joined(separator: " ")), Quatrain(id: 2, text: "zither"),
            ])
        }
        let type = try #require(try stores[1].read { try $0.storedTypes() }.first)
        #expect(try !stores[1].markForRebuild(of: type).isEmpty)
        return stores
    }

    private func all(_ queries: [TextQuery<Quatrain>], _ others: TextQuery<Quatrain>...) -> TextQuery<Quatrain> {
        TextQuery.all(queries + others)
    }

    private func keys(_ query: TextQuery<Quatrain>, _ store: Store) throws -> [Int] {
        try Quatrain.matching(query).keys(in: store).sorted()
    }

    /// Such a beginning also is a whole word, which has a replacement.
    @Test func aFurtherBeginning_isLeftOut_inAllItsSpellings() throws {
        let store = try Store.temporary(records: [Replaced.self])
        try store.insert(Replaced(id: 0, text: Self.words.joined(separator: " ")))
        let beginnings: [TextQuery<Replaced>] = Self.words.map { .prefix(String($0.prefix(3))) }
        #expect(try Replaced.matching(.all(beginnings + [.prefix("zither")])).keys(in: store) == [0])
        #expect(try Replaced.matching(.all(beginnings.dropLast() + [.prefix("zither")])).keys(in: store) == [])
    }

    @Test func furtherBeginnings_areLeftOut() throws {
        let mixed = Array(fuzzyWords.prefix(8)) + Array(beginnings.suffix(8))
        for store in try stores() {
            #expect(try keys(all(beginnings), store) == [0])
            // No record has all of these.
            #expect(try keys(all(beginnings, .prefix("zit")), store) == [0])
            #expect(try keys(all(beginnings, .prefix("zit"), .prefix("nothing"), .fuzzy("zithr")), store) == [0])
            #expect(try keys(all(fuzzyWords, .fuzzy("zithr"), .prefix("zit")), store) == [0])
            #expect(try keys(all(mixed, .prefix("zit")), store) == [0])
            // Words as they are written still count.
            #expect(try keys(all(beginnings, .prefix("zit"), .word("zither")), store) == [])
            let any = TextQuery.any(beginnings)
            #expect(try keys(.any(any, .prefix("zit")), store) == [0, 1])
            #expect(try keys(.any(.prefix("zit"), any), store) == [0, 1, 2])
            #expect(try keys(all(beginnings).excluding(.prefix("aaa")), store) == [])
            #expect(try keys(all(beginnings).excluding(.prefix("aa")), store) == [0])
        }
    }

    @Test func equalBeginnings_countOnce() throws {
        let beginning = Array(repeating: beginnings[0], count: 20)
        let fuzzyWord = Array(repeating: fuzzyWords[0], count: 20)
        for store in try stores() {
            #expect(try keys(all(beginning + beginnings), store) == [0])
            #expect(try keys(all(beginning + Array(beginnings.dropLast())), store) == [0, 1])
            #expect(try keys(all(fuzzyWord + fuzzyWords), store) == [0])
            #expect(try keys(all(beginnings, .prefix("zit"), beginnings[0]), store) == [0])
        }
    }

    @Test func furtherBeginnings_areLeftOutOfPhrases() throws {
        let (first, second) = (Self.words[0], Self.words[1])
        let oneLess = Array(beginnings.dropLast())
        let twoLess = Array(beginnings.dropLast(2))
        for store in try stores() {
            // The words before the beginning still count.
            #expect(try keys(all(beginnings, .prefix("\(first) \(second) zit")), store) == [0])
            #expect(try keys(all(beginnings, .prefix("\(second) \(first) zit")), store) == [])
            // The beginning is one of the others.
            #expect(try keys(all(beginnings, .prefix("\(first) bbb")), store) == [0])
            #expect(try keys(all(beginnings, .prefix("\(second) aaa")), store) == [])
            #expect(try keys(all(beginnings, .fuzzy("zithr zithr")), store) == [0])
            #expect(try keys(all(twoLess, .fuzzy("\(first)x \(second)x")), store) == [0, 1])
            #expect(try keys(all(twoLess, .fuzzy("\(second)x \(first)x")), store) == [])
            // The second word is left out.
            #expect(try keys(all(oneLess, .fuzzy("\(second)x \(first)x")), store) == [0, 1])
        }
    }

    @Test func beginningsOfNoWord_count() throws {
        let names = (0..<20).map { "n\($0)*" }.joined(separator: " OR ")
        for store in try stores() {
            #expect(try keys(TextQuery("\(names) OR zit*"), store) == [])
            #expect(try keys(TextQuery("zit* OR \(names)"), store) == [2])
        }
    }
}
