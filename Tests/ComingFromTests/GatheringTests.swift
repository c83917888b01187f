// Searches of text that a callback returns: the full-text columns of AutoDB.

import Testing
import Trove
import TroveSpellings

/// A column with a callback that joins properties, searched by a phrase.
@IndexKeyRecord("id")
struct Story: Hashable {
    #FullTextIndex<Story>(
        "Everything",
        gathering: { keys, store in
            var texts: [UInt64: String] = [:]
            for story in try await store.get(Story.self, keys: keys) {
                texts[story.id] = story.title + " " + story.body
            }
            return texts
        })
    // A column of the name of a property needs no callback.
    #FullTextIndex<Story>(\.body)

    let id: UInt64
    var title: String = "Untitled"
    var body: String = "Long ago, in a harbor..."
}

/// The same, within the transaction of a save.
@IndexKeyRecord("id")
struct Fable: Hashable {
    #FullTextIndex<Fable>(
        "Everything",
        gathering: { keys, context in
            var texts: [UInt64: String] = [:]
            for fable in try context.get(Fable.self, keys: keys) {
                let moral = try context.get(Moral.self, key: fable.moral)
                texts[fable.id] = [fable.title, fable.body, moral?.text ?? ""].joined(separator: " ")
            }
            return texts
        })

    let id: UInt64
    var title: String
    var body: String
    var moral: Int
}

@IndexKeyRecord("id")
struct Moral: Hashable {
    let id: Int
    var text: String
}

@Suite("Coming from AutoDB: full-text columns with a callback")
struct GatheringTests {
    private func stories() throws -> Store {
        try Store.temporary(records: [Story.self], options: StoreOptions(gathersTexts: false))
    }

    @Test func aPhrase_isFoundInTheTextOfTheCallback() async throws {
        let store = try stories()
        try await store.insert(contentsOf: [
            Story(id: 1, title: "Why I love", body: "My little red boat."),
            Story(id: 2, title: "I love", body: "boats, and My sister."),
            Story(id: 3),
        ])
        try await store.gatherTexts(of: Story.self)
        // FTSColumn<Table>.search("I love My", column: "Index"): there, the text of a phrase; here, in quotes
        #expect(try await Story.matching("\"I love My\"", index: "Everything").keys(in: store) == [1])
        #expect(try await Story.matching("I love My", index: "Everything").keys(in: store).sorted() == [1, 2])
        #expect(try await Story.matching("long ago", index: "Everything").resolve(in: store) == [Story(id: 3)])
        // the column of a property
        #expect(try await Story.matching("long ago").keys(in: store) == [3])
        #expect(try await Story.matching("love").keys(in: store) == [])
    }

    @Test func theStore_callsItBack_withoutASearch() async throws {
        let store = try await Store.temporary(records: [Story.self])
        try await store.insert(Story(id: 1, title: "Once", body: "upon a time"))
        while try await store.waitingTexts(of: Story.self) > 0 { await Task.yield() }
        #expect(try await Story.matching("\"once upon a time\"", index: "Everything").keys(in: store) == [1])
        try await store.close()
    }

    @Test func changedAndDeletedRecords_areNotFoundByTheirOldText() async throws {
        let store = try stories()
        try await store.insert(contentsOf: [Story(id: 1, title: "Crow"), Story(id: 2, title: "Crow")])
        try await store.gatherTexts(of: Story.self)
        try await store.insert(Story(id: 1, title: "Raven"), onConflict: .replace)
        try await store.delete(Story.self, key: 2)
        #expect(try await Story.matching("crow", index: "Everything").count(in: store) == 0)
        try await store.gatherTexts(of: Story.self)
        #expect(try await Story.matching("raven", index: "Everything").keys(in: store) == [1])
    }

    @Test func aCallbackInTheTransaction_needsNoWait() throws {
        let store = try Store.temporary(records: [Fable.self, Moral.self])
        try store.write { context in
            try context.insert(Moral(id: 1, text: "Slow and steady wins."))
            try context.insert(Fable(id: 1, title: "The tortoise", body: "A race.", moral: 1))
            #expect(try Fable.matching("tortoise steady").keys(in: context) == [1])
        }
        // Text of other records stays as it was, until it is gathered again.
        try store.insert(Moral(id: 1, text: "Pride loses."), onConflict: .replace)
        #expect(try Fable.matching("pride").count(in: store) == 0)
        #expect(try store.check(gathering: true).map(\.kind) == [.stale])
        try Fable.filter(\.moral == 1).regather(in: store)
        #expect(try Fable.matching("pride").keys(in: store) == [1])
    }
}
