// The types of `KeyChangeTests.swift`: changes of keys.

import Foundation
import Trove

enum Seat {
    @IndexKeyRecord(keyPrefix: 6_300_001, "row", "place")
    struct Old: Hashable {
        let row: Int32
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "place", "row")
    struct Reordered: Hashable {
        let place: String
        let row: Int32
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "row", "place")
    struct Widened: Hashable {
        let row: Int
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "row", "place")
    struct AsText: Hashable {
        let row: String
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "row", "place")
    struct Narrowed: Hashable {
        let row: Int8
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "guest", "row", "place")
    struct ByGuest: Hashable {
        let guest: String
        let row: Int32
        let place: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "tag", "row", "place")
    struct Tagged: Hashable {
        let tag: Int?
        let row: Int32
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "place")
    struct OneRow: Hashable {
        let place: String
        var price: Double
        var row: Int32
        var guest: String
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "place")
    struct NoRow: Hashable {
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "row", "place")
    struct Downwards: Hashable {
        let row: Descending<Int32>
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "line", "place")
    struct Lined: Hashable {
        @Renamed("row") let line: Int32
        let place: String
        var guest: String
        var price: Double
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "place", "line")
    struct LinedByPlace: Hashable {
        let place: String
        @Renamed("row") let line: Int32
        var guest: String
        var price: Float
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "number", "row", "place")
    struct WithoutSource: Hashable {
        let number: Int
        let row: Int32
        let place: String
        var guest: String
        var price: Double
    }

    static let all = [
        Old(row: -1, place: "b", guest: "Zoe", price: 1), Old(row: 2, place: "a", guest: "Ann", price: 2.5),
        Old(row: 2, place: "c", guest: "Ann", price: 3), Old(row: 10, place: "", guest: "", price: 0),
    ]
}

/// New keys derived by the type's own code.
enum SeatByHand {
    @IndexKeyRecord(keyPrefix: 6_300_001, "code")
    struct ByFunction: Hashable {
        let code: String
        var guest: String

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> ByFunction {
            let row = try old.value("row", as: Int32.self)
            return ByFunction(
                code: "\(row)\(try old.value("place", as: String.self))",
                guest: try old.value("guest", as: String.self))
        }
    }

    @IndexKeyRecord(keyPrefix: 6_300_001, "code")
    struct ByInitializer: Hashable {
        let code: String
        var guest: String
    }

    /// Drops half of the key.
    @IndexKeyRecord(keyPrefix: 6_300_001, "code")
    struct Colliding: Hashable {
        let code: Int32

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Colliding {
            Colliding(code: try old.value("row", as: Int32.self))
        }
    }
}

extension SeatByHand.ByInitializer {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        guard version == Seat.Old.fieldsVersion else { throw Self.unsupportedMigration(from: version) }
        let old = try Seat.Old(decoding: &reader)
        self.init(code: "\(old.row)\(old.place)", guest: old.guest)
    }
}

/// Long texts as a new part of the key.
enum Titles {
    @IndexKeyRecord(keyPrefix: 6_300_002, "id")
    struct Old: Hashable {
        let id: Int
        var title: String
    }

    @IndexKeyRecord(keyPrefix: 6_300_002, "title", "id")
    struct New: Hashable {
        let title: String
        let id: Int
    }
}
