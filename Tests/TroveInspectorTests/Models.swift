// The record types of the tests.

import Foundation
import Trove

@RecordValue
struct Home: Codable, Hashable, Sendable {
    var city: String
    var number: Int
}

@RecordValue
enum Shape: Hashable, Sendable {
    case dot
    case circle(radius: Int)
}

@IndexKeyRecord("id")
struct User: Hashable, Sendable {
    #Index<User>(\.age)

    let id: Int
    var name: String
    var age: Int?
    var home: Home
    var tags: [String]
    var shape: Shape
    var photo: Data
    var scores: [String: Double]

    init(id: Int, name: String = "Ann", age: Int? = 30, tags: [String] = [], photo: Data = Data()) {
        self.id = id
        self.name = name
        self.age = age
        home = Home(city: "Paris", number: id)
        self.tags = tags
        shape = id.isMultiple(of: 2) ? .dot : .circle(radius: id)
        self.photo = photo
        scores = ["a": 1.5]
    }
}

@IndexKeyRecord("language", "number")
struct Article: Hashable, Sendable {
    #FullTextIndex<Article>(\.title, \.body)

    let language: String
    let number: Int
    var title: String
    var body: String
}

@IndexKeyRecord("id")
struct Tagged: Hashable, Sendable {
    #Index<Tagged>(\.tags.each)

    let id: Int
    var tags: [String]
}

@EntityModel
struct Person: Sendable {
    let id: Int
    var name: String
    @Relationship(inverse: \.members) var groups: [Club]?
    @Relationship(inverse: \.author) var letters: [Mail]?
    @Relationship(inverse: \.friends) var friends: [Person]?
    @Relationship() var boss: Person?
    @Relationship() var seen: [Mail]?
}

@EntityModel
struct Club: Sendable {
    let id: String
    @Relationship(inverse: \.groups) var members: [Person]?
}

@EntityModel
struct Mail: Sendable {
    let id: Int
    var text: String
    @Relationship(inverse: \.letters) var author: Person?
}

/// Stores of the tests.
enum SampleStore {
    /// A store with some records of each type, and relations.
    static func full(
        users: Int = 120, at path: String? = nil, options: StoreOptions = StoreOptions()
    ) throws -> Store {
        let types: [any IndexKeyRecord.Type] = [User.self, Article.self, Person.self]
        let store =
            try path.map { try Store(path: $0, records: types, options: options) }
            ?? Store.temporary(records: types, options: options)
        try store.write { context in
            for id in 0..<users {
                try context.insert(User(id: id, name: "User \(id)", age: id.isMultiple(of: 10) ? nil : id))
            }
            for (number, title) in ["An ordered store", "Swift stores", "Wolves"].enumerated() {
                try context.insert(
                    Article(language: "en", number: number, title: title, body: "Records in the order of keys."))
            }
        }
        try Person(
            id: 1, name: "Ann", groups: .ids(["b", "a/b"]),
            letters: .relation([Mail(id: 7, text: "x"), Mail(id: 5, text: "y")]), friends: .ids([3, 2]),
            boss: .id(9), seen: .ids([5, 8])
        ).save(to: store)
        try Person(id: 2, name: "Bob", groups: .ids(["a/b"])).save(to: store)
        try Club(id: "a/b").save(to: store)
        return store
    }

    /// A store without types.
    static func empty() throws -> Store { try Store.temporary() }

    /// Creates a store with users.
    static func create(_ path: String, _ users: [User]) throws {
        let store = try Store(path: path, records: [User.self])
        try store.insert(contentsOf: users)
    }

    /// Opens a store. Synchronous, so that the test that calls it need not be suspended.
    static func open(_ path: String, _ options: StoreOptions) throws -> Store {
        try Store(path: path, options: options)
    }

    /// Returns the lines of a dump with a type of records `id`, `text`.
    ///
    /// - Parameter number: The identity of the type.
    static func dump(typeNamed name: String, _ number: Int, texts: [String]) throws -> [String] {
        struct Description: Encodable {
            struct Layout: Encodable {
                var version = 1
                var layout = "(id:Int64){text:String}"
            }
            var name: String
            var keyPrefix: Int
            var key = "(id:Int64)"
            var layouts = [Layout()]
            var oldest = 1
        }
        struct Record: Encodable {
            var id: Int
            var text: String
        }
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        }
        return try ["[\"type\",\(json(Description(name: name, keyPrefix: number)))]"]
            + texts.enumerated().map { try json(Record(id: $0, text: $1)) }
    }

    /// Returns a store with types of given names, each with records of given texts.
    static func named(_ names: [String], texts: [String] = ["text"], options: StoreOptions = StoreOptions()) throws
        -> Store
    {
        let store = try Store.temporary(options: options)
        var lines = ["[\"trove\",3]"]
        for (number, name) in names.enumerated() { lines += try dump(typeNamed: name, number + 1_000, texts: texts) }
        lines.append("[\"end\",\(names.count * texts.count)]")
        try store.load(from: lines)
        return store
    }
}
