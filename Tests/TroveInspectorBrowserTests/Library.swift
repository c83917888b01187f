// A store that the tests look into: books on shelves, with relations, an index, a full text and an older layout.

import Foundation
import Trove
import TroveTestSupport

/// The records of the library.
enum Library {
    @EntityModel(keyPrefix: 7_100_001)
    struct Shelf {
        let id: String
        var title: String
        @Relationship(inverse: \.shelf) var books: [Book]?
    }

    @EntityModel(keyPrefix: 7_100_002)
    struct Book {
        #Index<Book>(\.year)
        #FullTextIndex<Book>(\.title, \.summary)

        let id: Int
        var title: String
        var summary: String
        var year: Int
        @Relationship(inverse: \.books) var shelf: Shelf?
    }

    @IndexKeyRecord(keyPrefix: 7_100_004, "id")
    struct Note {
        #Index<Note>(\.rank)

        let id: Int
        var text: String
        var rank: Int
    }

    /// The readers of the first version of a program.
    enum First {
        @IndexKeyRecord(keyPrefix: 7_100_003, fieldsVersion: 1, "id")
        struct Reader {
            let id: Int
            var name: String
            var score: Int
        }
    }

    @IndexKeyRecord(keyPrefix: 7_100_003, fieldsVersion: 2, "id")
    struct Reader {
        let id: Int
        var name: String
        var score: Double
        var town: String?
    }

    /// Writes a store with three shelves and 120 books. The title of a book is hostile to a page without escapes.
    static func write(to path: String) throws {
        let options = StoreOptions(durability: .noSync)
        do {
            let readers = (1...3).map { First.Reader(id: $0, name: "Reader \($0)", score: $0) }
            try Store(path: path, options: options).insert(contentsOf: readers)
        }
        let store = try Store(path: path, records: [Shelf.self, Book.self], options: options)
        let names = ["Sea", "Stars", "Gardens"]
        let shelves = names.map { Shelf(id: $0.lowercased(), title: "The \($0)") }
        try shelves.save(to: store)
        let words = ["whales", "comets", "roses", "harbors", "moons", "orchards", "tides"]
        let books = (1...120).map { number in
            Book(
                id: number, title: number == 7 ? hostileTitle : "Book \(number) of \(words[number % 7])",
                summary: "A long tale of \(words[number % 7]) and \(words[number % 5]), told in \(1900 + number).",
                year: 1900 + number, shelf: .id(shelves[number % 3].id))
        }
        try books.save(to: store)
        try store.insert(contentsOf: (1...3).map { Note(id: $0, text: "Note \($0)", rank: $0) })
        try store.insert(Reader(id: 4, name: "Reader 4", score: 0.5, town: "Ulm"))
    }

    static let hostileTitle = "<script>alert(1)</script><b>\"bold\" & 'brash'</b> \u{202E}sdrawkcab 🐋"
}
