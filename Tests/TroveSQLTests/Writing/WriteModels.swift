// The record types of the tests of writes.

import Foundation
import Trove

/// Values of each kind, that are stored in both directions.
@IndexKeyRecord("id")
struct Stored: Hashable, Sendable {
    let id: Int
    var small: Int8 = 0
    var unsigned: UInt16 = 0
    var wide: UInt64 = 0
    var huge: Int128 = 0
    var hugest: UInt128 = 0
    var ratio: Double = 0
    var score: Float?
    var flag: Bool = false
    var text: String = ""
    var note: String?
    var bytes: Data = Data()
    var tag: UUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAB))
    var moment: Date = Date(timeIntervalSinceReferenceDate: 0)
    var price: Decimal = 0
    var link: URL = URL(string: "https://example.com")!
    var mood: Mood = .calm
    var shape: Shape = .dot
    var maybeShape: Shape?
    var home: Home = Home(city: "Oslo", number: 1)
    var maybe: Home?
    var numbers: [Int] = []
    var places: [String: Int] = [:]
    var labels: Set<String> = []
    var twice: Int??
}

/// A key of several components, one of them descending.
@IndexKeyRecord("owner", "rank", "day")
struct Entry: Hashable, Sendable {
    let owner: String
    let rank: Descending<Int>
    let day: Date
    var note: String?
}

/// A unique value whose collisions leave the new record unsaved.
@IndexKeyRecord("id")
struct Quiet: Hashable, Sendable {
    #Unique<Quiet>(\.name, collisions: .ignore)
    #Unique<Quiet>(\.code, collisions: .throw)
    #Index<Quiet>(\.code, where: { $0.code > 10 })

    let id: Int
    var name: String
    var code: Int
}

/// A call of a hook.
@IndexKeyRecord("number")
struct HookCall: Hashable, Sendable {
    let number: Int
    var text: String
}

@EntityModel
struct Author: Equatable {
    #Unique<Author>(\.email, collisions: .throw)

    let id: Int
    var name: String
    var email: String?
    @Relationship(deleteRule: .cascade, inverse: \.author) var books: [Book]?
    @Relationship(deleteRule: .deny) var prize: Prize?

    mutating func willSave(to context: TransactionContext) throws {
        name = name.trimmingCharacters(in: .whitespaces)
        if name == "refused" { throw HookError() }
        if name == "taken" { try context.insert(HookCall(number: -1, text: ""), onConflict: .throw) }
        try Self.note("willSave \(id)", context)
    }

    func didSave(to context: TransactionContext) throws { try Self.note("didSave \(id)", context) }

    func willDelete(from context: TransactionContext) throws { try Self.note("willDelete \(id)", context) }

    /// Keeps stored names where a new name is empty.
    static var defaultMergeStrategy: MergeStrategy<Author> { Author.patch }

    private static func note(_ text: String, _ context: TransactionContext) throws {
        let number = try context.sql("SELECT count(*) FROM HookCall", as: Int.self)[0]
        try context.sql("INSERT INTO HookCall VALUES (\(number), \(text))")
    }
}

struct HookError: Error, Equatable {}

@EntityModel
struct Book: Equatable {
    let id: Int
    var title: String
    @Relationship(inverse: \.books) var author: Author?
}

@EntityModel
struct Prize: Equatable {
    let id: Int
    var name: String
}

/// An entity that no relation knows.
@EntityModel
struct Loner: Equatable {
    let id: Int
    var name: String
}

/// Key components with parts, and an optional one.
@IndexKeyRecord("pair", "maybe", "tag")
struct Paired: Hashable, Sendable {
    let pair: Tuple<Int, String>
    let maybe: Int?
    let tag: UUID
    var raw: [UInt8]
}

/// A property whose layout is only a name, between two others.
@IndexKeyRecord("id")
struct Handmade: Hashable, Sendable {
    let id: Int
    var before: Int
    var code: Code
    var after: String

    struct Code: RecordValue, Hashable, Sendable {
        var number: UInt64
        static func describe(in layout: inout LayoutBuilder) { layout.append("Code") }
        static var fixedSize: Int? { 8 }
        var encodedSize: Int { 8 }
        func encode(into writer: inout ValueWriter) { number.encode(into: &writer) }
        init(decoding reader: inout ValueReader) throws(CodingError) { number = try UInt64(decoding: &reader) }
        init(number: UInt64) { self.number = number }
    }
}
