// Declarations of every shape that `@CloudKitRecord` supports. The compilation of this file without a warning is half
// of the test. It does not import CloudKit: the same declarations build on every platform.

import Foundation
import Testing
import Trove

/// A type around others.
public enum Catalog {
    /// A key component.
    public enum Genre: String, KeyComponent { case crime, poetry }

    /// A value.
    @RecordValue
    public struct Cover: Equatable {
        var genre: Genre = .crime
        var colors: [String] = []
    }

    /// All macros in one declaration.
    @CloudKitRecord(assets: "scan", "cover")
    @EntityModel(keepsMetadata: true, keepsDeleted: true)
    public struct Book: Equatable {
        #Index<Book>(\.genre, \.title.desc)
        #Unique<Book>(\.isbn, collisions: .throw)
        #FullTextIndex<Book>(\.title)

        /// The key.
        public let id: UUID
        /// The title.
        public var title: String
        /// The number.
        @Renamed("code", "number") public var isbn: String?
        /// The genre.
        public var genre: Genre = .crime
        /// The cover.
        public private(set) var cover: Cover
        var scan: Data?
        /// The author.
        @Relationship(deleteRule: .nullify, inverse: \.books) public var author: Author?
        /// Whether the genre is crime.
        public var isCrime: Bool { genre == .crime }

        enum CodingKeys: String, CodingKey { case title = "name", scan = "image" }
    }

    /// An entity with another name in CloudKit.
    @EntityModel
    @CloudKitRecord
    public struct Author: Equatable {
        /// The name in CloudKit.
        public static let ckRecordType = "Writer"

        /// The key.
        public let id: Int
        /// The name.
        public var name: String
        /// The books.
        @Relationship(inverse: \.author) public var books: [Book]?
    }
}

extension Catalog {
    /// A record in an extension, with another name of a field.
    @IndexKeyRecord("genre", "number")
    @CloudKitRecord
    public struct Shelf: Equatable {
        /// Returns the name of a field.
        public static func ckFieldName(for property: String) -> String { property == "parent" ? "room" : property }

        /// The genre.
        public let genre: Genre
        /// The number.
        public let number: Int
        /// The room.
        public var parent: String
    }

    @CloudKitRecord
    @RecordValue
    package struct Label: Equatable {
        var genre: Genre
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @CloudKitRecord
    fileprivate struct Note: Equatable {
        var genre: Genre
    }
}

@CloudKitRecord
@RecordValue
struct Box<Content: RecordValue & Equatable>: Equatable {
    static var ckRecordType: String { "Box" }

    var content: Content
}

struct Chest<Content: Sendable> {
    @CloudKitRecord
    struct Drawer: Equatable {
        var number: Int
    }
}

/// A record and a value: the fields are those of the record.
@CloudKitRecord
@IndexKeyRecord("rawValue")
private struct Code: RawRepresentable, RecordValue, Equatable {
    let rawValue: String
}

/// Conformances in extensions, by hand.
@CloudKitRecord
private struct Point: Equatable {
    var x: Int
    var y: Int
}

extension Point: RecordValue {
    static func describe(in layout: inout LayoutBuilder) {
        layout.record(Self.self) { layout in
            layout.field("x", fieldCoding(of: Int.self))
            layout.field("y", fieldCoding(of: Int.self))
        }
    }

    var encodedSize: Int { 16 }

    func encode(into writer: inout ValueWriter) {
        guard writer.enter() else { return }
        x.encode(into: &writer)
        y.encode(into: &writer)
        writer.leave()
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        try reader.enter()
        x = try Int(decoding: &reader)
        y = try Int(decoding: &reader)
        reader.leave()
    }
}

@CloudKitRecord
private struct Seat: Equatable {
    let number: Int
    var row: Int
}

extension Seat: IndexKeyRecord {
    static let schema = RecordSchema(
        of: Self.self, name: "Seat", fileID: #fileID, key: [KeyProperty("number", \Self.number)],
        fields: [FieldProperty("row", \Self.row, fieldCoding(of: Int.self))])

    var indexKey: Int { number }

    func encodeKey(into writer: inout KeyWriter) { number.encodeKey(into: &writer) }

    func fieldsSize() throws(CodingError) -> Int { row.encodedSize }

    func encodeFields(into writer: inout ValueWriter) { row.encode(into: &writer) }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        number = try Int(decodingKey: &reader.key)
        row = try Int(decoding: &reader.fields)
    }
}

@Suite("Declarations with @CloudKitRecord") struct DeclarationTests {
    private func types(_ types: any CloudKitRecord.Type...) -> [String] { types.map { $0.ckRecordType } }

    @Test func recordTypes_areTheNamesOfTheTypes() {
        let names = types(
            Catalog.Book.self, Catalog.Author.self, Catalog.Shelf.self, Catalog.Label.self, Catalog.Note.self,
            Box<Int>.self, Chest<Int>.Drawer.self, Code.self, Point.self, Seat.self)
        #expect(
            names == ["Book", "Writer", "Shelf", "Label", "Note", "Box", "Drawer", "Code", "Point", "Seat"])
    }

    @Test func fields_canBeUsed() throws {
        let all: [any CloudKitRecord.Type] = [
            Catalog.Book.self, Catalog.Author.self, Catalog.Shelf.self, Catalog.Label.self, Catalog.Note.self,
            Box<Int>.self, Chest<Int>.Drawer.self, Code.self, Point.self, Seat.self,
        ]
        for type in all { try type.ckFields.check() }
    }

    @Test func keys_areNames() {
        #expect(Catalog.Author.ckRecordName(for: 1) == "Writer(id: 1)")
        #expect(Code.ckRecordName(for: "a") == #"Code(rawValue: "a")"#)
        #expect(Seat.indexKey(ofRecordNamed: "Seat(number: 7)") == 7)
        let shelf = Catalog.Shelf(genre: .poetry, number: 1, parent: "x")
        let name = Catalog.Shelf.ckRecordName(for: shelf.indexKey)
        #expect(Catalog.Shelf.indexKey(ofRecordNamed: name) == shelf.indexKey)
    }
}
