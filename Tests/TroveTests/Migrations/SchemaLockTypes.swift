// The types of `SchemaLockTests.swift`: each enum represents a release; types of the same name are versions of one
// type.

import Foundation
import Trove

enum FirstRelease {
    @IndexKeyRecord(keyPrefix: 6_000_001, "id")
    struct Person {
        let id: UUID
        var name: String
        var score: Int
        var remarks: String
    }

    @IndexKeyRecord(keyPrefix: 6_000_002, fieldsVersion: 1, "town", "number")
    struct House {
        let town: String
        let number: UInt16
        var rooms: [Int8]
        var owner: String
    }

    @IndexKeyRecord(keyPrefix: 6_000_003, "id")
    struct Pet { let id: Int }
}

enum SecondRelease {
    @IndexKeyRecord(keyPrefix: 6_000_001, "id")
    struct Person {
        let id: UUID
        var nickname: String?
        @Renamed("name") var fullName: String
        var score: Double
        var isActive: Bool = true
    }

    /// The fields were reordered, and the version was not increased.
    @IndexKeyRecord(keyPrefix: 6_000_002, fieldsVersion: 1, "town", "number")
    struct House {
        let town: String
        let number: UInt16
        var owner: String
        var rooms: [Int8]
    }

    @IndexKeyRecord(keyPrefix: 6_000_004, "id")
    struct Toy { let id: Int }
}

/// Changes beyond the rules.
enum ThirdRelease {
    @IndexKeyRecord(keyPrefix: 6_000_001, "id", "name")
    struct Person {
        let id: UUID
        let name: String
        var score: UUID
        var age: Int
    }

    /// Only the version differs.
    @IndexKeyRecord(keyPrefix: 6_000_002, fieldsVersion: 2, "town", "number")
    struct House {
        let town: String
        let number: UInt16
        var rooms: [Int8]
        var owner: String
    }

    /// Another prefix under the same name.
    @IndexKeyRecord(keyPrefix: 6_000_013, "id")
    struct Pet { let id: Int }
}

enum LockSamples {
    @IndexKeyRecord("key")
    struct Automatic {
        let key: Int
        var text: String
    }

    /// Names and layouts with characters to quote, in JSON and in the layout's own text.
    @IndexKeyRecord(keyPrefix: 6_000_005, "étage")
    struct Quoted {
        let étage: Descending<String?>
        var naïve: [String: Set<Int8>]
        var sealed: Unreadable

        enum CodingKeys: String, CodingKey {
            case étage
            case naïve = "a \"quoted\" \\ name"
            case sealed
        }
    }

    /// A type whose layout does not parse.
    struct Unreadable: RecordValue, Hashable {
        static func describe(in layout: inout LayoutBuilder) { layout.append("some, \"thing\": of my own") }
        var encodedSize: Int { 0 }
        func encode(into writer: inout ValueWriter) {}
        init() {}
        init(decoding reader: inout ValueReader) throws(CodingError) {}
    }

    @IndexKeyRecord(keyPrefix: 6_000_005, "id")
    struct SamePrefix { let id: Int }

}
