// Models of AutoDB: the table is a record, the model is its live object.

import Foundation
import Testing
import Trove
import TroveSpellings

/// A table. Its model is `Live<PostRecord>`: there is no second class to write, and no initializer without parameters.
@IndexKeyRecord("id")
struct PostRecord: Codable, Equatable {
    #FullTextIndex<PostRecord>(\.title, \.body)

    let id: AutoID
    var title: String = "Untitled"
    var body: String = "Long ago, in a harbor..."
    var createdAt: Date = Date(timeIntervalSinceReferenceDate: 0)
}

typealias Post = Live<PostRecord>

/// What a model does goes into an extension.
extension Live where Record == PostRecord {
    var isUntitled: Bool { self.title == "Untitled" }
}

@IndexKeyRecord("id")
struct Scorer: Equatable {
    let id: Int
    var goals: Int
}

@Suite("Coming from AutoDB: tables and models")
struct LiveModelTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [PostRecord.self, Scorer.self]) }

    // MARK: Fetching

    @Test func fetches_preserveTypes() throws {
        try store.insert(contentsOf: (0..<5).map { Scorer(id: $0, goals: $0) })
        // fetchQuery("WHERE goals > 2") of a table and of a model, and fetchIds
        let records: [Scorer] = try Scorer.filter(\.goals > 2).resolve(in: store)
        let models: [Live<Scorer>] = try Scorer.filter(\.goals > 2).live(in: store)
        #expect(records.map(\.goals) == [3, 4] && models.map(\.goals) == [3, 4])
        #expect(try Scorer.live([4, 9, 1], in: store).map(\.id) == [4, 1])
    }

    @Test func searches_giveTablesOrModels() throws {
        _ = try PostRecord.create(in: store) { PostRecord(id: $0, title: "Reasons", body: "I love my boat.") }
        _ = try PostRecord.create(in: store) { PostRecord(id: $0, title: "I love") }
        let matches: [PostRecord] = try PostRecord.matching("\"I love my\"").resolve(in: store)
        #expect(matches.map(\.title) == ["Reasons"])
        let tales: [Post] = try PostRecord.matching("\"long ago, in a harbor\"").live(in: store)
        #expect(tales.map(\.title) == ["I love"])
    }

    /// `post.ownerIndex.search("once upon a time")`: an object leads to its type and its store.
    @Test func anObject_leadsToSearches() throws {
        let post = try PostRecord.create(in: store) { PostRecord(id: $0) }
        let tales: [PostRecord] = try PostRecord.matching("\"long ago\"").resolve(in: post.store)
        #expect(tales.map(\.id) == [post.id])
        // among the entities that a relation of the object leads to
        let guides = try Store.temporary(records: [Guide.self])
        try [
            Guide(
                id: "1", title: "Ridges", content: "Above the hut.", pages: 40,
                authors: .relation([GuideAuthor(id: "ines")])),
            Guide(
                id: "2", title: "Lakes", content: "Where to swim.", pages: 90,
                authors: .relation([GuideAuthor(id: "ines")])),
            Guide(id: "3", title: "Huts", content: "Every hut.", pages: 10),
        ].save(to: guides)
        let author = try #require(try GuideAuthor.live("ines", in: guides))
        let found: [Live<Guide>] = try author.related(\.$guides).filter(.matches("hut")).live()
        #expect(found.map(\.id) == ["1"])
        #expect(try LiveList(author.related(\.$guides).filter(.matches("swim"))).rows.map(\.id) == ["2"])
    }

    // MARK: Creating

    @Test func create_makesAnID() async throws {
        let first = try await PostRecord.create(in: store) { PostRecord(id: $0) }
        let second = try await PostRecord.create(in: store) { PostRecord(id: $0, title: "Tide") }
        #expect(first.id < second.id && first.isUntitled && !second.isUntitled)
        #expect(try await PostRecord.get(in: store, id: first.id)?.body == "Long ago, in a harbor...")
        // create(id): the object of an id, or a new one.
        let same = try await PostRecord.live(first.id, in: store) { [id = first.id] in PostRecord(id: id) }
        #expect(same === first)
    }

    @Test func aDraft_isStoredByTheNextSave() async throws {
        let draft = PostRecord.draft(PostRecord(id: AutoID(), title: "Fog"), in: store)
        #expect(draft.isDraft && draft.hasChanges)
        #expect(try await PostRecord.query().count(in: store) == 0)
        try await PostRecord.saveChanges(in: store)
        #expect(try await PostRecord.query().count(in: store) == 1 && !draft.isDraft)
    }

    // MARK: One object

    @Test func twoViews_haveTheSameObject() throws {
        let scorer = try Scorer.create(Scorer(id: 1, goals: 0), in: store)
        let other = try #require(try Scorer.live(1, in: store))
        let listed = try LiveList(Scorer.query(in: store)).rows[0]
        scorer.goals = 3
        #expect(other === scorer && listed === scorer && other.goals == 3)
    }

    @Test func aStruct_isACopy_forUndo() throws {
        let scorer = try Scorer.create(Scorer(id: 1, goals: 0), in: store)
        let before = scorer.value
        scorer.goals = 3
        #expect(before.goals == 0 && scorer.hasChanges)
        scorer.value = before
        #expect(scorer.goals == 0 && !scorer.hasChanges)
    }

    @Test func held_objects_areRefreshed() async throws {
        let scorer = try await Scorer.create(Scorer(id: 1, goals: 0), in: store)
        // Another writer: here, or in another process.
        try await store.insert(Scorer(id: 1, goals: 5))
        await store.live.settle()
        #expect(scorer.goals == 5)
        try await store.insert(Scorer(id: 1, goals: 6))
        try scorer.refresh()
        #expect(scorer.goals == 6)
    }

    @Test func manySmallRecords_needNoObjects() throws {
        try store.insert(contentsOf: (0..<10_000).map { Scorer(id: $0, goals: $0) })
        let list = try LiveList(Scorer.filter(\.goals >= 5000), in: store)
        #expect(list.rows.count == 100 && list.rows.records.last?.goals == 5099)
        #expect(try Scorer.filter(\.goals >= 5000).count(in: store) == 5000)
    }

    @Test func unusedObjects_areReleased() throws {
        let store = try Store.temporary(options: StoreOptions(keptLiveObjects: 0))
        // Before there are live objects: while a commit is delivered, the objects that it touches are held.
        try store.insert(Scorer(id: 1, goals: 0))
        weak var gone: Live<Scorer>?
        do { gone = try Scorer.live(1, in: store) }
        #expect(gone == nil)
        #expect(try Scorer.live(1, in: store) != nil)
    }

    // MARK: Codable

    /// New properties have their defaults in stored records, and a property that is renamed keeps its values.
    @Test func defaults_areThoseOfTheStruct() throws {
        let post = PostRecord(id: 1)
        #expect(post.title == "Untitled")
        let json = try JSONEncoder().encode(post)
        #expect(try JSONDecoder().decode(PostRecord.self, from: json) == post)
    }
}
