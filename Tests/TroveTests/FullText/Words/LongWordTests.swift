// Words that are longer than the keys of an index: they are found by beginnings of any length.

import Testing

@testable import Trove

@IndexKeyRecord("id")
private struct Inscription {
    #FullTextIndex<Inscription>(\.text)

    let id: Int
    var text: String
}

@Suite("Long words") struct LongWordTests {
    /// The key of a word of more than 255 bytes has its first 238 bytes alone, cut at a scalar.
    @Test(arguments: ["a", "ж", "ა", "𐍈"])
    func everyBeginning_findsAllWordsWithIt(_ letter: String) throws {
        let lengths = [
            1, 30, 58, 59, 60, 78, 79, 80, 84, 85, 117, 119, 120, 127, 128, 200, 238, 239, 254, 255, 256, 300,
        ]
        let store = try Store.temporary(records: [Inscription.self])
        let words = lengths.map { String(repeating: letter, count: $0) + "b" }
        try store.insert(contentsOf: words.enumerated().map { Inscription(id: $0, text: $1) })
        func expectAll() throws {
            for length in lengths.flatMap({ [$0, $0 + 1] }) {
                let beginning = String(repeating: letter, count: length)
                let expected = lengths.indices.filter { lengths[$0] >= length }
                #expect(try Inscription.matching(.prefix(beginning)).keys(in: store).sorted() == expected, "\(length)")
            }
            for (id, word) in words.enumerated() {
                #expect(try Inscription.matching(TextQuery(word, lastIsPrefix: true)).keys(in: store) == [id])
                let hit = try #require(try Inscription.matching(TextQuery(word + "*")).hits(in: store).first)
                #expect(hit.record.id == id && hit.ranges(in: \.text).count == 1)
                let completed = try store.read { try $0.words(of: Inscription.self, beginning: word, limit: 3) }
                #expect(completed.map(\.word) == [word])
            }
        }
        try expectAll()
        // A scan of all records finds the same.
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("Inscription") })
        #expect(try store.markForRebuild("fullText(text)", of: type) == ["fullText(text)"])
        try expectAll()
    }
}
