// The types of `ManualMigrationTests.swift`: three versions of one type, with steps from each to the next.

import Trove

enum FirstStep {
    @RecordValue struct Address: Hashable {
        var road: String
        var zip: Int32
    }

    @IndexKeyRecord(keyPrefix: 5_000_007, fieldsVersion: 1, "nr")
    struct Person: Hashable {
        let nr: Int
        var name: String
        var level: Int8
        var home: Address?
        var scores: [Int8]
    }
}

enum SecondStep {
    @IndexKeyRecord(keyPrefix: 5_000_007, fieldsVersion: 2, "nr")
    struct Person: Hashable {
        let nr: Int
        var first: String
        var last: String
        var level: Int8
        var home: FirstStep.Address?
        var scores: [Int8]
    }
}

enum ThirdStep {
    enum Rank: String, RecordValue, KeyComponent { case low, high }

    @RecordValue struct Address: Hashable {
        @Renamed("road") var street: String
        var zip: Int
        var city: String = "Salem"
    }

    @IndexKeyRecord(keyPrefix: 5_000_007, fieldsVersion: 3, "id")
    struct Person: Hashable {
        @Renamed("nr") let id: Int
        var first: String
        var last: String
        var rank: Rank
        var home: Address = Address(street: "", zip: 0)
        var scores: [Double]
        var tags: [String] = ["new"]
        var note: String?

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Person {
            var fields = old
            if version < 2 {
                let words = try fields.value("name", as: String.self).split(separator: " ").map(String.init)
                fields["first"] = .string(words.first ?? "")
                fields["last"] = .string(words.last ?? "")
            }
            if version < 3 {
                fields["rank"] = .string(try fields.value("level", as: Int.self) > 5 ? "high" : "low")
            }
            return try Person(converting: fields)
        }
    }

    /// A record whose key can be refused.
    @IndexKeyRecord(keyPrefix: 5_000_008, "name", "rank")
    struct Title: Hashable {
        let name: String
        let rank: Rank
        var count: Int?
    }
}
