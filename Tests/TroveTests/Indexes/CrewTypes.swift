// A record type as successive programs declare it: with other indexes, another layout, another key.

import Foundation
import Trove

enum Crew {
    /// The type without indexes.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct Plain: Hashable {
        let id: Int
        var name: String
        var age: Int
        var email: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct ByAge: Hashable {
        #Index<ByAge>(\.age)

        let id: Int
        var name: String
        var age: Int
        var email: String?
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct Indexed: Hashable {
        #Index<Indexed>(\.age)
        #Index<Indexed>(\.name, \.age.desc)
        #Index<Indexed>(\.age, where: { $0.age >= 50 })
        #Unique<Indexed>(\.email, collisions: .throw)

        let id: Int
        var name: String
        var age: Int
        var email: String?
    }

    /// The same indexes; two records may have the same email.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct Lenient: Hashable {
        #Unique<Lenient>(\.email, collisions: .custom { _, _, _ in })

        let id: Int
        var name: String
        var age: Int
        var email: String?
    }

    /// An index of the same name over other values.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct Redefined: Hashable {
        let id: Int
        var name: String
        var age: Int
        var email: String?

        static let indexes: [RecordIndex<Redefined>] = [
            .index([IndexedProperty("age", \.name) { $0.name }])
        ]
    }

    /// The index by age in descending order, and only for crew of 50 and older.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct ByAgeDown: Hashable {
        #Index<ByAgeDown>(\.age.desc, where: { $0.age >= 50 })

        let id: Int
        var name: String
        var age: Int
        var email: String?
    }

    /// The property has another name.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct ByYears: Hashable {
        #Index<ByYears>(\.years)

        let id: Int
        var name: String
        @Renamed("age") var years: Int
        var email: String?
    }

    /// Another layout; it gives the index other values.
    @IndexKeyRecord(keyPrefix: 6_300_001, "id")
    struct Relaid: Hashable {
        #Index<Relaid>(\.age)

        let id: Int
        var name: String
        var age: Double?
        var email: String?
        var isRetired: Bool = false
    }

    /// Another key.
    @IndexKeyRecord(keyPrefix: 6_300_001, "name", "id")
    struct Rekeyed: Hashable {
        #Index<Rekeyed>(\.age)
        #Unique<Rekeyed>(\.email, collisions: .throw)

        let name: String
        let id: Int
        var age: Int
        var email: String?
    }

    static let prefix = Plain.keyPrefix

    static func plain(_ ids: Range<Int>) -> [Plain] {
        ids.map { Plain(id: $0, name: name($0), age: $0 * 7919 % 100, email: $0 % 3 == 0 ? nil : "crew\($0)@ship") }
    }

    /// Returns records whose names are short enough for a key.
    static func short(_ ids: Range<Int>) -> [Plain] {
        plain(ids).map { Plain(id: $0.id, name: String($0.name.suffix(20)), age: $0.age, email: $0.email) }
    }

    static func indexed(_ ids: Range<Int>) -> [Indexed] {
        plain(ids).map { Indexed(id: $0.id, name: $0.name, age: $0.age, email: $0.email) }
    }

    /// Returns names of different lengths. Many of the long names have a common prefix.
    private static func name(_ id: Int) -> String {
        String(repeating: "n", count: [1, 20, 490, 700][id % 4]) + "\(id % 11)"
    }
}
