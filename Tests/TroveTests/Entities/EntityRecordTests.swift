// Entities as records: relations are no part of the layout and of the bytes.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Entities as records")
struct EntityRecordTests {
    @Test func layout_isThatOfTheRecordWithoutRelations() {
        #expect(Film.schema.layout == FilmRecord.schema.layout)
        #expect(Film.fieldsVersion == FilmRecord.fieldsVersion)
        #expect(Film.schema.layout == "(id:String){title:String,year:Int64?,tags:[String]?}")
        #expect(Film.keyPrefix == SDBM.hash32("Film") && Screening.keyPrefix == 77)
    }

    @Test func bytes_areThoseOfTheRecordWithoutRelations() throws {
        let film = Film(id: "1", title: "One", year: 3, cast: .relation([Artist(id: 1, name: "Ann")]), poster: .null)
        #expect(try film.storedBytes == FilmRecord(id: "1", title: "One", year: 3).storedBytes)
    }

    @Test func conformanceByHand_hasTheSameBytes() throws {
        let venue = HandwrittenVenue(id: 5, name: "Odeon", films: .ids(["1"]))
        #expect(HandwrittenVenue.schema.layout == GeneratedVenue.schema.layout)
        #expect(HandwrittenVenue.fieldsVersion == GeneratedVenue.fieldsVersion)
        #expect(try venue.storedBytes == GeneratedVenue(id: 5, name: "Odeon").storedBytes)
        let store = try Store.temporary()
        try store.insert(venue.normalized())
        #expect(try store.get(HandwrittenVenue.self, key: 5) == venue.normalized())
    }

    @Test func storedEntity_hasNoRelations() throws {
        let store = try Store.temporary()
        let film = Film(id: "1", title: "One", year: 3)
        let screening = Screening(id: Tuple(1, "a"), film: .none, guests: .none)
        try store.insert(film)
        try store.insert(screening)
        #expect(try store.get(Film.self, key: "1") == film)
        let found = try #require(try store.get(Screening.self, key: Tuple(1, "a")))
        #expect(found.$film.isNone && found.$guests.isNone)
    }

    @Test func queries_workAsForRecords() throws {
        let store = try Store.temporary()
        try store.insert(contentsOf: (1...5).map { Film(id: "\($0)", title: "Film \($0)", year: 1990 + $0) })
        #expect(try Film.filter(\.year > 1993, in: store).resolve().map(\.id) == ["4", "5"])
        #expect(try Film.get(in: store, id: "2")?.title == "Film 2")
        #expect(try Film.select(in: store, id: .greaterThanOrEqual("4")).map(\.id) == ["4", "5"])
    }

    @Test func computedID_isTheKey() throws {
        let store = try Store.temporary()
        let archive = Archive(isOpen: true)
        #expect(Archive.schema.layout == "(id:String){isOpen:Bool}")
        #expect(try archive.storedBytes == AnyArchive(id: "archive", isOpen: true).storedBytes)
        try store.insert(archive)
        #expect(try store.get(Archive.self, key: "archive") == archive)
    }

    @Test func computedID_mustBeTheStoredKey() throws {
        let bytes = try AnyArchive(id: "library", isOpen: true).storedBytes
        let error = #expect(throws: CodingError.self) {
            try bytes[0].withRawSpan { key in
                try bytes[1].withRawSpan { fields in
                    try RecordReader.read(key: key, fields: fields) { (reader) throws(CodingError) in
                        try Archive(decoding: &reader)
                    }
                }
            }
        }
        #expect(error?.reason == .malformed(expected: "the key that the type computes"))
    }

    @Test func storedRecordWithAnotherKey_isUnreadable() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("archive.trove")
        let first = try Store(path: path)
        try first.insert(ClosedArchive(id: "library", isOpen: false))
        try first.close()
        let store = try Store(path: path)
        let error = #expect(throws: StoreError.self) { try store.get(SoleArchive.self, key: "library") }
        guard case .record(.unreadable) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// A record of the type that ``SoleArchive`` reads.
@IndexKeyRecord(keyPrefix: 4, "id")
private struct ClosedArchive {
    let id: String
    var isOpen: Bool
}

/// The only entity of its type.
@EntityModel(keyPrefix: 4)
private struct SoleArchive {
    var id: String { "archive" }
    var isOpen: Bool
}
