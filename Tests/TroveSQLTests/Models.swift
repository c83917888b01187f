// The record types of the tests.

import Foundation
import Trove
import TroveSQL

enum Mood: String, Codable, RecordValue, SQLColumn, Sendable {
    case calm, loud
}

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
    #Unique<User>(\.email, collisions: .throw)

    let id: Int
    var name: String
    var email: String
    var age: Int
    var city: String
}

@IndexKeyRecord("id")
struct Purchase: Hashable, Sendable {
    #Index<Purchase>(\.person)

    let id: Int
    var person: Int
    var amount: Double
}

/// A value of each kind.
@IndexKeyRecord("id")
struct Various: Sendable {
    let id: Int
    var small: Int8
    var wide: UInt64
    var huge: Int128
    var ratio: Double
    var score: Float?
    var flag: Bool
    var text: String
    var note: String?
    var bytes: Data
    var tag: UUID
    var moment: Date
    var price: Decimal
    var link: URL
    var mood: Mood
    var shape: Shape
    var home: Home
    var numbers: [Int]
    var places: [String: Int]
    var maybe: Home?
}

/// A type whose name is a word of SQL.
@IndexKeyRecord("id")
struct Order: Sendable {
    let id: Int
    var total: Int
}
