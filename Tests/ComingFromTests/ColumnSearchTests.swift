// Searches of AutoDB: columns of words, by the names of properties, and searches from asynchronous code.

import Testing
import Trove
import TroveSpellings

@IndexKeyRecord("id")
struct Voyage: Hashable {
    #FullTextIndex<Voyage>(\.body)
    #FullTextIndex<Voyage>(\.title, \.body)
    #FullTextIndex<Voyage>(\.title, analyzer: .standard.keepingMarks(on: "åäö"))

    let id: Int
    var title: String = "Untitled"
    var body: String = "Once upon a time, by the sea."
}

@Suite("Coming from AutoDB: searches")
struct ColumnSearchTests {
    private static let body = "fullText(body)"
    private static let both = "fullText(title,body)"

    private func store() throws -> Store {
        let store = try Store.temporary(records: [Voyage.self])
        try store.insert(contentsOf: [
            Voyage(id: 1), Voyage(id: 2, title: "Sjö", body: "I love my boat, and my boat loves the sea."),
            Voyage(id: 3, title: "Sjo, créme", body: "My love: I sail."),
            Voyage(id: 4, title: "I love my sea", body: "Winds."),
        ])
        return store
    }

    @Test func aColumn_isSearchedForWords_andPhrases() async throws {
        let store = try store()
        // A search string of several words means all of them; a phrase is in quotes.
        let words = try await store.read { try Voyage.matching("I love My", index: Self.body).resolve(in: $0) }
        #expect(Set(words.map(\.id)) == [2, 3])
        let phrase = try await store.read { try Voyage.matching("\"I love My\"", index: Self.body).resolve(in: $0) }
        #expect(phrase.map(\.id) == [2])
        let tales = try await store.read { try Voyage.matching("\"once upon a time\"").resolve(in: $0) }
        #expect(tales == [Voyage(id: 1)])
    }

    /// A callback that joins a title and a body is an index of two properties.
    @Test func joinedColumns_areOneIndex() throws {
        let store = try store()
        #expect(try Set(Voyage.matching("love sea", index: Self.both).keys(in: store)) == [2, 4])
        #expect(try Voyage.matching("\"I love my sea\"", index: Self.both).keys(in: store) == [4])
    }

    @Test func changes_areFoundAtOnce() throws {
        let store = try store()
        try store.write { context in
            try context.insert(Voyage(id: 3, body: "Fjords"))
            #expect(try Voyage.matching("fjords", index: Self.body).keys(in: context) == [3])
            try context.delete(Voyage.self, key: 2)
        }
        #expect(try Voyage.matching("love", index: Self.body).count(in: store) == 0)
    }

    /// The letters å, ä and ö stay, and other marks do not matter.
    @Test func nordicLetters_areKept() throws {
        let store = try store()
        let index = "fullText(title by standard/1+marks(äåö))"
        #expect(try Voyage.matching("sjö", index: index).keys(in: store) == [2])
        #expect(try Voyage.matching("sjo creme", index: index).keys(in: store) == [3])
    }
}
