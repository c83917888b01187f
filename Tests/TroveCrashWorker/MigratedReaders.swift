// The entities of the killed migrations of links: readers and their books, with one-way links, with mutual links, and
// with other keys of the readers. The stores keep the times of the readers, and the deleted readers.

import Trove
import TroveTestSupport

/// Readers with one-way links.
package enum OneWayReaders {
    @EntityModel(keyPrefix: 4_100_011, keepsMetadata: true, keepsDeleted: true)
    package struct Reader {
        package let id: Int
        @Relationship package var books: [Book]? = nil
        @Relationship(inverse: \.partner) package var partner: Reader?
    }

    @EntityModel(keyPrefix: 4_100_012)
    package struct Book {
        package let id: String
    }
}

/// The books know their readers too.
package enum MutualReaders {
    @EntityModel(keyPrefix: 4_100_011, keepsMetadata: true, keepsDeleted: true)
    package struct Reader {
        package let id: Int
        @Relationship(inverse: \.readers) package var books: [Book]?
        @Relationship(inverse: \.partner) package var partner: Reader?
    }

    @EntityModel(keyPrefix: 4_100_012)
    package struct Book {
        package let id: String
        @Relationship(inverse: \.books) package var readers: [Reader]?
    }
}

/// The readers have texts as keys, in another order than that of their numbers.
package enum NamedReaders {
    @EntityModel(keyPrefix: 4_100_011, keepsMetadata: true, keepsDeleted: true)
    package struct Reader {
        package let id: String
        @Relationship(inverse: \.readers) package var books: [Book]?
        @Relationship(inverse: \.partner) package var partner: Reader?

        package static func migrate(_ old: StoredFields, from version: UInt32) throws -> Reader {
            Reader(id: Readers.name(try old.value("id", as: Int.self)))
        }
    }

    @EntityModel(keyPrefix: 4_100_012)
    package struct Book {
        package let id: String
        @Relationship(inverse: \.books) package var readers: [Reader]?
    }
}

/// The readers of a store, with their books and partners.
package struct Readers {
    /// The numbers of each reader's books, in order.
    package let books: [[Int]]

    package var readerCount: Int { books.count }
    /// The numbers of the readers that have been deleted.
    package var deleted: Range<Int> { readerCount..<readerCount + 20 }
    package let bookCount: Int

    /// Chooses the books of readers for a seed.
    package init(seed: UInt64, readers: Int, books bookCount: Int, each: Int) {
        var random = SeededGenerator(seed: seed)
        self.bookCount = bookCount
        books = (0..<readers).map { _ in
            var known: Set<Int> = []
            return (0..<each).map { _ in Int.random(in: 0..<bookCount, using: &random) }
                .filter { known.insert($0).inserted }
        }
    }

    /// Returns the number of the partner of a reader; nil for the last of an odd number.
    package func partner(of reader: Int) -> Int? { reader ^ 1 < readerCount ? reader ^ 1 : nil }

    /// Returns the key of a book. It is long, so that the links take several transactions.
    package static func title(_ book: Int) -> String { "book \(book) " + String(repeating: "-", count: 300) }

    /// Returns the text that becomes a reader's key.
    package static func name(_ reader: Int) -> String {
        String(UInt64(reader) &* 0x9E37_79B9_7F4A_7C15, radix: 36) + " \(reader)"
    }

    /// Stores the readers with one-way links. Of every third book, the store has only the links.
    package func fillOneWay(_ path: String) throws {
        try fill(path, { OneWayReaders.Book(id: $0) }) { number, titles in
            OneWayReaders.Reader(id: number, books: .ids(titles), partner: partner(of: number).map { .id($0) } ?? .none)
        }
    }

    /// Stores the readers with mutual links, in the same way.
    package func fillMutual(_ path: String) throws {
        try fill(path, { MutualReaders.Book(id: $0) }) { number, titles in
            MutualReaders.Reader(id: number, books: .ids(titles), partner: partner(of: number).map { .id($0) } ?? .none)
        }
    }

    private func fill<Reader: EntityModelProtocol, Book: EntityModelProtocol>(
        _ path: String, _ book: (String) -> Book, _ reader: (Int, [String]) -> Reader
    ) throws {
        let store = try Store(path: path, records: [Reader.self], options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(contentsOf: (0..<bookCount).filter { $0 % 3 > 0 }.map { book(Self.title($0)) })
            for (number, books) in books.enumerated() {
                try reader(number, books.map(Self.title)).save(to: context)
            }
            for number in deleted {
                try reader(number, books[0].prefix(2).map(Self.title)).save(to: context)
                try reader(number, []).delete(from: context)
            }
        }
    }
}
