// Declarations of every shape that the macros support. The compilation of this file without a warning is half of the
// test; the other half is `MacroBehaviourTests.swift`.

import Foundation
import Trove

// MARK: Plain

@IndexKeyRecord("lastName", "firstName")
struct MacroPerson: Equatable {
    let lastName: String
    let firstName: String
    var age: Int
}

/// The expansion of `MacroPerson`, written by hand.
struct HandWrittenPerson: Equatable {
    let lastName: String
    let firstName: String
    var age: Int
}

extension HandWrittenPerson: IndexKeyRecord {
    typealias IndexKey = Tuple<String, String>

    static let schema = RecordSchema(
        of: Self.self, name: "HandWrittenPerson", fileID: #fileID,
        key: [KeyProperty("lastName", String.self), KeyProperty("firstName", String.self)],
        fields: [FieldProperty("age", fieldCoding(of: Int.self))])

    var indexKey: IndexKey { Tuple(lastName, firstName) }

    func encodeKey(into writer: inout KeyWriter) {
        lastName.encodeKey(into: &writer)
        firstName.encodeKey(into: &writer)
    }

    func fieldsSize() throws(CodingError) -> Int { age.encodedSize }

    func encodeFields(into writer: inout ValueWriter) { age.encode(into: &writer) }

    init(decoding reader: inout RecordReader) throws(CodingError) {
        lastName = try String(decodingKey: &reader.key)
        firstName = try String(decodingKey: &reader.key)
        age = try Int(decoding: &reader.fields)
    }
}

// MARK: Access

/// A public type.
@IndexKeyRecord("code")
public struct PublicAirport: Equatable {
    /// The code.
    public let code: String
    /// The name.
    public internal(set) var name: String
    let runways: Int
}

@IndexKeyRecord("code")
package struct PackageAirport: Equatable {
    package let code: String
    package var name: String
}

@IndexKeyRecord("token")
private struct PrivateSession: Equatable {
    let token: String
    private(set) var seconds: Double = 60
}

@IndexKeyRecord("token")
private struct FileprivateSession: Equatable {
    fileprivate let token: UUID
    private var seconds: Double = 60
}

/// Uses the private types, for the tests in the other file.
enum PrivateTypes {
    static var names: [String] { [PrivateSession.schema.name, FileprivateSession.schema.name] }
}

/// A public type whose `id` is internal.
@IndexKeyRecord("id")
public struct PublicWithHiddenID {
    let id: Int
    let text: String
}

// MARK: Nested

enum MacroLibrary {
    enum Genre: String, KeyComponent { case crime, poetry, science }

    @RecordValue
    struct Shelf: Equatable {
        var room: Room
        var number: UInt16

        enum Room: String { case north, south }
    }

    @IndexKeyRecord("genre", "title")
    struct Book: Equatable {
        let genre: Genre
        let title: String
        var shelf: Shelf?
        var `class`: [Genre]
        var edition: Edition

        @RecordValue
        enum Edition: Equatable {
            case first
            case later(number: Int, Genre)
        }
    }

    struct Desk {}
}

extension MacroLibrary {
    @IndexKeyRecord("genre", "due")
    struct Loan: Equatable {
        let genre: MacroLibrary.Genre
        let due: Date
        let kind: Genre?
    }
}

extension MacroLibrary.Desk {
    @IndexKeyRecord("number")
    struct Drawer: Equatable {
        let number: Int
        let genre: MacroLibrary.Genre
    }
}

/// A namespace for an extension.
public enum PublicLibrary {}

public extension PublicLibrary {
    enum Language: String, KeyComponent { case german, italian }

    @IndexKeyRecord("language")
    struct Entry {
        let language: Language
        let words: [String]
    }
}

// MARK: Members

@IndexKeyRecord("name")
struct OwnInitialiser: Equatable {
    let name: String
    let length: Int

    init(_ name: String) {
        self.name = name
        length = name.count
    }
}

@IndexKeyRecord("a", "c")
struct ManyMembers: Equatable {
    static let shared = ManyMembers(a: 1, b: 2, c: 3)

    let a, b: Int
    let c: Int, e: Int8

    private(set) var count: Int = 0 { didSet { changes += 1 } }
    var changes: Int = 0
    /// The title.
    public internal(set) var title: String = "untitled"
    @Clamped var level: Int = 3
    var total: Int { a + b + c }
    var doubled: Int {
        get { count * 2 }
        set { count = newValue / 2 }
    }

    init(a: Int, b: Int, c: Int) {
        self.a = a
        self.b = b
        self.c = c
        e = 5
    }

    func method() {}
    struct Inner {}
}

@propertyWrapper
struct Clamped: Equatable, Sendable {
    var wrappedValue: Int

    init(wrappedValue: Int) { self.wrappedValue = min(max(wrappedValue, 0), 10) }
}

@IndexKeyRecord("in", "limit", "order", "after")
struct AwkwardKey: Equatable {
    let `in`: Int
    let limit: Int
    let order: String
    let after: Bool
    var `default`: Int
}

@IndexKeyRecord("limit")
struct LimitKey: Equatable {
    let limit: Int
    var text: String
}

@IndexKeyRecord("source", "writer", "destination", "query")
struct ShadowingNames: Equatable {
    let source: Int
    let writer: Int
    let destination: Int
    let query: Int
    var reader: Int
    var size: Int
    var layout: Int
    var property: Int
    var schema: Int
    var select: Int
}

@MainActor
@IndexKeyRecord("name")
struct MainActorRecord {
    let name: String
    var count: Int
}

// MARK: Keys

@IndexKeyRecord("nick", "active", "kind", "span", "rank")
struct ManyKeys: Equatable {
    enum Kind: Int8, KeyComponent { case small = -1, large = 1 }

    let rank: Descending<UInt32>
    let span: Tuple<Int16, String>
    let nick: String?
    let active: Bool
    let kind: Kind
    let bytes: [UInt8]
}

@IndexKeyRecord("id")
struct KeyIsID: Equatable {
    let id: UUID
    var text: String
}

@IndexKeyRecord("name")
struct IDIsField: Equatable {
    let name: String
    var id: Int
}

@IndexKeyRecord("name")
struct OwnIdentity: Identifiable {
    let name: String
    var id: String { name.uppercased() }
}

@IndexKeyRecord("day")
struct DeclaresConformance: IndexKeyRecord, Hashable {
    let day: Int
}

@IndexKeyRecord(keyPrefix: 7, fieldsVersion: 0xFF, "day")
struct NumberedByHand {
    let day: Int
    let value: Double
}

@IndexKeyRecord(validated: -2_133_552_265_173_253_963, "day")
struct Validated {
    let day: Int
    let value: Double
}

// MARK: Fields

/// A raw-value type without a conformance to `RecordValue`.
enum Mood: String, Codable { case calm, wild }

/// A type with only `Codable`.
struct Note: Codable, Equatable, Sendable {
    var text: String
    var stars: Int
}

@IndexKeyRecord("number")
struct ManyFields: Equatable {
    let number: Int
    var text: String
    var data: Data
    var date: Date
    var moods: [Mood]
    var mood: Mood?
    var note: Note
    var scores: [String: [Int]]
    var tags: Set<String>
    var address: Address
    var shape: Shape
    var pair: Pair<Int, String>
    var parenthesised: (Int)
}

// MARK: Values

@RecordValue
struct Address: Equatable {
    var street: String
    var city: String
    private(set) var number: Int? = nil
    static let none = Address(street: "", city: "")
    var line: String { "\(street), \(city)" }
}

@RecordValue
indirect enum Shape: Equatable {
    case empty
    case circle(radius: Double)
    case line(from: Point, to: Point), `default`(Int, in: String)
    case group([Shape])
    case twice(Shape)

    @RecordValue
    struct Point: Equatable {
        var x: Double
        var y: Double
    }
}

@RecordValue
struct Tree: Equatable {
    var label: String
    var children: [Tree]
}

@RecordValue
struct Pair<First: RecordValue & Equatable, Second: RecordValue & Equatable>: Equatable {
    var first: First
    var second: Second
}

/// An answer.
@RecordValue
public enum PublicAnswer: Equatable {
    case yes
    case no(because: String)
}

enum Workshop {
    struct Unit: Codable, Equatable { var name: String }

    @RecordValue
    enum Job: Equatable {
        case idle
        case make(Unit, count: Int)
        case notes([String: Unit], Swift.String)
    }
}

@available(macOS 15, *)
@IndexKeyRecord("day")
struct AvailableRecord {
    let day: Int
}
