// The records of `DeclarationTests.swift` as records of CloudKit.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Declared records of CloudKit") struct DeclaredRecordTests {
    private let id = CKRecord.ID(recordName: "x", zoneID: zone)

    @Test func allMacros_haveOneRecord() throws {
        let directory = try TemporaryDirectory()
        let book = Catalog.Book(
            id: UUID(), title: "a", isbn: "7", genre: .poetry, cover: Catalog.Cover(genre: .poetry, colors: ["x"]),
            scan: Data([1]), author: .relation(Catalog.Author(id: 1, name: "b")))
        let record = try book.ckRecord(in: zone, assetsIn: URL(filePath: directory.path("")))
        #expect(Set(record.allKeys()) == ["id", "name", "isbn", "genre", "cover", "image"])
        let read = try Catalog.Book(ckRecord: record)
        #expect((read.id, read.title, read.isbn) == (book.id, "a", "7"))
        #expect((read.genre, read.cover, read.scan) == (.poetry, book.cover, Data([1])))

        let store = try Store.temporary(records: [Catalog.Book.self, Catalog.Author.self])
        try book.save(to: store)
        try read.save(to: store)
        #expect(try Catalog.Author.query(1).with(\.$books).resolve(in: store)?.books?.map(\.id) == [book.id])
    }

    @Test func nestedAndGenericTypes_comeBackEqual() throws {
        let shelf = Catalog.Shelf(genre: .poetry, number: 1, parent: "x")
        #expect(try Catalog.Shelf(ckRecord: shelf.ckRecord(in: zone)) == shelf)
        #expect(try shelf.ckRecord(in: zone)["room"] == "x")
        let label = Catalog.Label(genre: .poetry)
        #expect(try Catalog.Label(ckRecord: label.ckRecord(with: id)) == label)
        let box = Box(content: Catalog.Label(genre: .poetry))
        #expect(try Box<Catalog.Label>(ckRecord: box.ckRecord(with: id)) == box)
        let drawer = Chest<Int>.Drawer(number: 2)
        #expect(try Chest<Int>.Drawer(ckRecord: drawer.ckRecord(with: id)) == drawer)
    }
}
