// A type that loses fields: a plain field, an optional, a field inside a value, and a component of its key.

import Foundation
import Trove

enum Lossy {
    @RecordValue
    struct Home: Hashable {
        var road: String
        var city: String?
    }

    @RecordValue
    struct Road: Hashable {
        var road: String
    }

    @IndexKeyRecord(keyPrefix: 6_110_001, "id")
    struct Full: Hashable {
        let id: Int
        var name: String
        var score: Int
        var remarks: String?
        var homes: [Home]
    }

    @IndexKeyRecord(keyPrefix: 6_110_001, "id")
    struct WithoutRemarks: Hashable {
        let id: Int
        var name: String
        var score: Int
        var homes: [Home]
    }

    @IndexKeyRecord(keyPrefix: 6_110_001, "id")
    struct WithoutCity: Hashable {
        let id: Int
        var name: String
        var score: Int
        var remarks: String?
        var homes: [Road]
    }

    @IndexKeyRecord(keyPrefix: 6_110_001, "id")
    struct WithoutScoreAndRemarks: Hashable {
        let id: Int
        var name: String
        var homes: [Home]
    }

    /// Its own migration decides what to drop.
    @IndexKeyRecord(keyPrefix: 6_110_001, "id")
    struct ByHand: Hashable {
        let id: Int
        var name: String

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> ByHand {
            try ByHand(id: old.value("id", as: Int.self), name: old.value("name", as: String.self))
        }
    }

    /// Another key, without the name.
    @IndexKeyRecord(keyPrefix: 6_110_001, "score")
    struct Rekeyed: Hashable {
        let score: Int
        var remarks: String?
        var homes: [Home]
    }

    static let prefix = Full.keyPrefix

    /// Five records. Two of them have remarks, and one of them has a home with a city.
    static let full = (0..<5).map { id in
        Full(
            id: id, name: "n\(id)", score: id * 10, remarks: id < 2 ? "r\(id)" : nil,
            homes: [Home(road: "Elm", city: nil), Home(road: "Oak", city: id == 4 ? "Salem" : nil)])
    }
}
