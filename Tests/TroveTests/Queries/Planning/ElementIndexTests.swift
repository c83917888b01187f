// Indexes of the elements of arrays and sets: their plans, and each record found once.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Photo: Hashable {
    #Index<Photo>(\.tags.each, \.taken.desc)
    #Index<Photo>(\.owner, \.people.each)
    #Index<Photo>(\.spots.each)

    @RecordValue struct Spot: Hashable { var city: String }

    let id: Int
    var owner: String
    var taken: Int
    var tags: [String]
    var people: Set<Int>?
    var spots: [Int]
    var places: [Spot] = []
}

/// The type before it had indexes.
@IndexKeyRecord(keyPrefix: 6_300_041, "id")
private struct PlainNote: Hashable {
    let id: Int
    var words: Set<String>
}

@IndexKeyRecord(keyPrefix: 6_300_041, "id")
private struct IndexedNote: Hashable {
    #Index<IndexedNote>(\.words.each)

    let id: Int
    var words: Set<String>
}

@Suite("Indexes of elements") struct ElementIndexTests {
    private let store: Store
    private let photos: [Photo]
    private static let long = String(repeating: "n", count: 600)

    /// Stores a thousand photos: a tag that all have, tags of 100 and of 10 photos, and a rare pair of long tags.
    init() throws {
        store = try Store.temporary()
        photos = (0..<1000).map { id in
            var tags = ["all", "ten\(id % 10)", "all", "hundred\(id % 100)"]
            if id % 250 == 0 { tags += [Self.long + "a", Self.long + "b"] }
            return Photo(
                id: id, owner: "owner\(id % 5)", taken: id * 7 % 1000, tags: id % 9 == 0 ? [] : tags,
                people: id % 4 == 0 ? nil : [id % 20, id % 30], spots: id < 500 ? [] : [id / 100, id % 2, 7],
                places: [Photo.Spot(city: "city\(id % 3)")])
        }
        try store.insert(contentsOf: photos)
    }

    /// Compares every way to run a query with a filter of an array.
    private func check(
        _ filter: Filter<Photo>, _ plan: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ holds: (Photo) -> Bool
    ) throws {
        let expected = photos.filter(holds)
        let query = Photo.filter(filter)
        let explained = try query.explain(in: store)
        #expect(explained == plan, sourceLocation: sourceLocation)
        #expect(try Set(query.resolve(in: store)) == Set(expected), sourceLocation: sourceLocation)
        #expect(try query.keys(in: store).sorted() == expected.map(\.id), sourceLocation: sourceLocation)
        #expect(try query.count(in: store) == expected.count, sourceLocation: sourceLocation)
        #expect(
            try query.sorted(by: \.id.desc).resolve(in: store) == expected.reversed(), sourceLocation: sourceLocation)
        var (seen, page): ([Photo], [Photo]) = ([], [])
        repeat {
            page = try query.limit(7).after(seen.last).resolve(in: store)
            seen += page
        } while !page.isEmpty && seen.count <= expected.count
        #expect(seen.count == expected.count && Set(seen) == Set(expected), sourceLocation: sourceLocation)
    }

    // MARK: Plans

    @Test func anElement_isAnEqualityOfTheIndex() throws {
        try check(
            .contains(\.tags, "hundred7"),
            "scan index(tags each,taken desc) of Photo, 1 range: tags contains \"hundred7\"\nentries to read: 9"
        ) { $0.tags.contains("hundred7") }
        try check(
            .contains(\.tags, "ten7") && \.taken > 900,
            """
            scan index(tags each,taken desc) of Photo, 1 range: tags contains "ten7" and taken > 900
            entries to read: 9
            """
        ) { $0.tags.contains("ten7") && $0.taken > 900 }
        try check(
            \.owner == "owner3" && .contains(\.people, 13),
            """
            scan index(owner,people each) of Photo, 1 range: owner == "owner3" and people contains 13
            entries to read: 66
            """
        ) { $0.owner == "owner3" && $0.people?.contains(13) == true }
    }

    @Test func severalElements_findEachRecordOnce() throws {
        try check(
            .contains(\.tags, "hundred7") || .contains(\.tags, "hundred8"),
            """
            fetch Photo by the keys that any of these has
              scan index(tags each,taken desc) of Photo, 2 ranges: tags contains "hundred7" or tags contains "hundred8"
            entries to read: 18
            """
        ) { $0.tags.contains("hundred7") || $0.tags.contains("hundred8") }
        try check(
            .contains(\.tags, anyOf: ["ten7", "hundred7", "none"]) && \.taken > 950,
            """
            fetch Photo by the keys that any of these has
              scan index(tags each,taken desc) of Photo, 3 ranges: tags contains any of ["ten7", "hundred7", "none"] \
            and taken > 950
            entries to read: 4
            """
        ) { ($0.tags.contains("ten7") || $0.tags.contains("hundred7")) && $0.taken > 950 }
    }

    @Test func elementsThatAllMustBeThere_areReadByTheRarest() throws {
        for filter: Filter<Photo> in [
            .contains(\.tags, "all") && .contains(\.tags, "hundred7"),
            .contains(\.tags, "hundred7") && .contains(\.tags, "all"),
        ] {
            try check(
                filter,
                """
                scan index(tags each,taken desc) of Photo, 1 range: tags contains "hundred7"
                filter: tags contains "all"
                entries to read: 9
                """
            ) { $0.tags.contains("hundred7") }
        }
    }

    @Test func longElementsWithTheSameHead_findEachRecordOnce() throws {
        try check(
            .contains(\.tags, Self.long + "b"),
            """
            fetch Photo by the keys that any of these has
              scan index(tags each,taken desc) of Photo, 1 range: tags contains "\(Self.long)b"
            filter: tags contains "\(Self.long)b"
            entries to read: 6
            """
        ) { $0.tags.contains(Self.long + "b") }
    }

    @Test func anIndexOfElements_isNotUsedForRecordsWithoutThem() throws {
        try check(\.owner == "owner3", "scan Photo, all records\nfilter: owner == \"owner3\"\nentries to read: 1000") {
            $0.owner == "owner3"
        }
        try check(
            !.contains(\.spots, 7), "scan Photo, all records\nfilter: not spots contains 7\nentries to read: 1000"
        ) { !$0.spots.contains(7) }
        try check(\.spots == [], "scan Photo, all records\nfilter: spots == []\nentries to read: 1000") {
            $0.spots.isEmpty
        }
        let query = Photo.filter(.everything).sorted(by: \.owner)
        #expect(try query.count(in: store) == 1000)
        #expect(try query.keys(in: store) == photos.sortedStably { $0.owner < $1.owner }.map(\.id))
    }

    @Test func aPageOfAnElement_comesInTheOrderOfTheNextProperty() throws {
        let expected = photos.filter { $0.tags.contains("ten3") }.sorted { $0.taken > $1.taken }
        let query = Photo.filter(.contains(\.tags, "all") && .contains(\.tags, "ten3")).sorted(by: \.taken.desc).limit(
            9)
        #expect(try query.explain(in: store).contains("order: taken desc; as stored"))
        #expect(try query.resolve(in: store) == Array(expected.prefix(9)))
        #expect(try query.after(expected[8]).resolve(in: store) == Array(expected[9..<18]))
        #expect(try query.after(key: expected[17].id).resolve(in: store) == Array(expected[18..<27]))
    }

    @Test func elementsWithoutAnOrder_areTested() throws {
        try check(
            .contains(\.places, Photo.Spot(city: "city1")),
            """
            scan Photo, all records
            filter: places contains Spot(city: "city1")
            entries to read: 1000
            """
        ) { $0.places.contains(Photo.Spot(city: "city1")) }
    }

    // MARK: Changes

    @Test func changesThroughTheIndex_reachEachRecordOnce() throws {
        let tagged = photos.count { !$0.tags.isEmpty && ($0.id % 10 == 7 || $0.id % 100 == 8) }
        let filter: Filter<Photo> = .contains(\.tags, anyOf: ["ten7", "hundred7", "hundred8"])
        #expect(try Photo.filter(filter).update(in: store) { $0.tags.append("hundred9") } == tagged)
        #expect(try store.check() == [])
        #expect(try Photo.filter(filter).delete(in: store) == tagged)
        #expect(try store.check() == [])
        #expect(try Photo.filter(filter).exists(in: store) == false)
    }

    @Test func theIndex_hasAnEntryForEachDistinctElement() throws {
        let distinct = { (elements: (Photo) -> Int) in photos.reduce(0) { $0 + elements($1) } }
        #expect(
            try store.indexes(Photo.keyPrefix).map(\.count) == [
                distinct { Set($0.tags).count }, distinct { $0.people?.count ?? 0 }, distinct { Set($0.spots).count },
            ])
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background])
    func anIndexOfStoredRecords_isBuilt(_ policy: MigrationPolicy) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("notes.trove")
        let words = (0..<300).map { id in Set((0..<id % 5).map { "w\($0 * id % 7)" }) }
        try Store(path: path, records: [PlainNote.self]).insert(
            contentsOf: words.enumerated().map { PlainNote(id: $0, words: $1) })
        let store = try Store(path: path, records: [IndexedNote.self], migrations: policy)
        try store.finishMigrations()
        let query = IndexedNote.filter(.contains(\.words, "w3"))
        #expect(try query.keys(in: store).sorted() == words.indices.filter { words[$0].contains("w3") })
        #expect(try store.check() == [])
        #expect(try store.indexes(6_300_041).map(\.count) == [words.reduce(0) { $0 + $1.count }])
        try store.rebuild(IndexedNote.self)
        #expect(try store.check() == [])
    }
}
