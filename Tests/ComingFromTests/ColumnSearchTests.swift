// Searches of AutoDB: columns of words, by the names of properties, and searches from asynchronous code.

import Testing
import Trove

@IndexKeyRecord("id")
struct Log: Hashable {
    #FullTextIndex<Log>(\.body)
    #FullTextIndex<Log>(\.title, \.body)
    #FullTextIndex<Log>(\.title, analyzer: .standard.keepingMarks(on: "åäö"))

    let id: Int
    var title = "Untitled"
    var body = "Once upon a time, by the sea."
}

@Suite("Coming from AutoDB: searches")
struct ColumnSearchTests {
    private static let body = "fullText(body)"
    private static let both = "fullText(title,body)"

    private func store() throws -> Store {
        let store = try Store.temporary(records: [Log.self])
        try store.insert(contentsOf: [
            Log(id: 1), Log(id: 2, title: "Sjö", body: "I love my boat, and my boat loves the sea."),
            Log(id: 3, title: "Sjo, créme", body: "My love: I sail."),
            Log(id: 4, title: "I love my sea", body: "Winds."),
        ])
        return store
    }

    @Test func aColumn_isSearchedForWords_andPhrases() async throws {
        let store = try store()
        // A search string of several words means all of them; a phrase stands in quotes.
        let words = try await store.read { try Log.matching("I love My", index: Self.body).resolve(in: $0) }
        #expect(Set(words.map(\.id)) == [2, 3])
        let phrase = try await store.read { try Log.matching("\"I love My\"", index: Self.body).resolve(in: $0) }
        #expect(phrase.map(\.id) == [2])
        let tales = try await store.read { try Log.matching("\"once upon a time\"").resolve(in: $0) }
        #expect(tales == [Log(id: 1)])
    }

    /// A callback that joins a title and a body is an index of two properties.
    @Test func joinedColumns_areOneIndex() throws {
        let store = try store()
        #expect(try Set(Log.matching("love sea", index: Self.both).keys(in: store)) == [2, 4])
        #expect(try Log.matching("\"I love my sea\"", index: Self.both).keys(in: store) == [4])
    }

    @Test func changes_areFoundAtOnce() throws {
        let store = try store()
        try store.write { context in
            try context.insert(Log(id: 3, body: "Fjords"))
            #expect(try Log.matching("fjords", index: Self.body).keys(in: context) == [3])
            try context.delete(Log.self, key: 2)
        }
        #expect(try Log.matching("love", index: Self.body).count(in: store) == 0)
    }

    /// The letters å, ä and ö stay, and other marks do not matter.
    @Test func nordicLetters_areKept() throws {
        let store = try store()
        let index = "fullText(title by standard/1+marks(äåö))"
        #expect(try Log.matching("sjö", index: index).keys(in: store) == [2])
        #expect(try Log.matching("sjo creme", index: index).keys(in: store) == [3])
    }
}
