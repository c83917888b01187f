// The entities of libraries, with indexes beside relations, for the tests of queries over links.

import Trove

@EntityModel
struct Library: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.library) var shelves: [Shelf]?
}

@EntityModel
struct Shelf: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.shelves) var library: Library?
    @Relationship(inverse: \.shelf) var books: [Book]?
}

@EntityModel
struct Book: Equatable {
    #Index<Book>(\.year)
    #Index<Book>(\.title, \.year)
    #Unique<Book>(\.isbn, collisions: .throw)

    let id: Int
    var title: String
    var year: Int
    var pages: Int = 0
    var isbn: Int?
    @Relationship(inverse: \.books) var shelf: Shelf?
    @Relationship(inverse: \.books) var genres: [Genre]?
    @Relationship(inverse: \.similar) var similar: [Book]?
    @Relationship(inverse: \.translation) var translation: Book?
    @Relationship(inverse: \.prequel) var sequel: Book?
    @Relationship(inverse: \.sequel) var prequel: Book?
    @Relationship var author: Writer? = nil
    @Relationship var readers: [Writer]? = nil
}

@EntityModel
struct Genre: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.genres) var books: [Book]?
}

@EntityModel
struct Writer: Equatable {
    let id: Int
    var name: String
}
