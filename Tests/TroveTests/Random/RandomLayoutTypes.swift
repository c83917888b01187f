// The types of `RandomLayoutTests.swift`: a record type as several programs declare it, with other properties, keys and
// indexes, and the fields of a ship kept by each program.

import Foundation
import Trove

/// The stored contents of a ship. A property outside the layout of the record is nil; in layouts that have it, it
/// has its initial value.
struct Ship: Hashable {
    let id: Int
    var name: String
    var email: String?
    var size: Int?
    var rank: Int?
    var marks: [Int]?
}

/// A ship, as a program declares it.
protocol ShipRecord: IndexKeyRecord, Hashable {
    /// The rule for two ships with the same email; nil without a unique constraint.
    static var rule: ShipRule? { get }

    static func named(_ name: String) -> Filter<Self>

    init(_ ship: Ship)

    var ship: Ship { get }

    /// A number outside the key.
    var amount: Int { get set }
}

/// A ship whose size is a small number.
protocol SizedShipRecord: ShipRecord {
    var size: Int16 { get set }
}

extension SizedShipRecord {
    var amount: Int {
        get { Int(size) }
        set { size = Int16(newValue) }
    }
}

enum ShipRule { case `throw`, upsert, ignore }

enum Ships {
    static let all: [any ShipRecord.Type] = [
        First.self, Bare.self, Redefined.self, Grown.self, Shrunk.self, Labelled.self, Retyped.self, Rekeyed.self,
        Texted.self,
    ]

    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct First: Hashable {
        #Index<First>(\.name)
        #Index<First>(\.size, \.name.desc)
        #Unique<First>(\.email, collisions: .throw)

        let id: Int
        @Renamed("label") var name: String
        var email: String?
        var size: Int16 = 7
    }

    /// The same layout without an index.
    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Bare: Hashable {
        let id: Int
        @Renamed("label") var name: String
        var email: String?
        var size: Int16 = 7
    }

    /// The same layout, with other indexes over the same properties.
    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Redefined: Hashable {
        #Index<Redefined>(\.name.desc)
        #Index<Redefined>(\.size.desc, \.name, where: { $0.size > 3 })
        #Unique<Redefined>(\.email, collisions: .upsert)

        let id: Int
        @Renamed("label") var name: String
        var email: String?
        var size: Int16 = 7
    }

    /// An additional property and an additional index.
    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Grown: Hashable {
        #Index<Grown>(\.name)
        #Index<Grown>(\.rank, \.name)
        #Index<Grown>(\.marks.each)
        #Index<Grown>(\.size, \.name.desc)
        #Unique<Grown>(\.email, collisions: .ignore)

        let id: Int
        var rank: Int = 3
        @Renamed("label") var name: String
        var email: String?
        var marks: [Int] = [3, 1, 3]
        var size: Int16 = 9
    }

    /// A property and an index fewer.
    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Shrunk: Hashable {
        #Index<Shrunk>(\.rank, \.name)
        #Unique<Shrunk>(\.email, collisions: .throw)

        let id: Int
        @Renamed("label") var name: String
        var email: String?
        var rank: Int = 4
    }

    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Labelled: Hashable {
        #Index<Labelled>(\.label)
        #Index<Labelled>(\.size, \.label.desc)
        #Unique<Labelled>(\.email, collisions: .upsert)

        let id: Int
        var email: String?
        var size: Int16 = 7
        @Renamed("name") var label: String
    }

    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Retyped: Hashable {
        #Index<Retyped>(\.name)
        #Index<Retyped>(\.size, \.name.desc)
        #Index<Retyped>(\.rank, \.name)

        let id: Int
        @Renamed("label") var name: String
        var email: String?
        var size: String = "7"
        var rank: Int = 5
    }

    @IndexKeyRecord(keyPrefix: 6_300_003, "name", "id")
    struct Rekeyed: Hashable {
        #Index<Rekeyed>(\.size, \.name.desc)
        #Unique<Rekeyed>(\.email, collisions: .throw)

        @Renamed("label") let name: String
        let id: Int
        var email: String?
        var size: Int16 = 7
    }

    @IndexKeyRecord(keyPrefix: 6_300_003, "id")
    struct Texted: Hashable {
        #Index<Texted>(\.name)
        #Index<Texted>(\.size, \.name.desc)
        #Unique<Texted>(\.email, collisions: .upsert)
        #Index<Texted>(\.marks.each, \.name)

        let id: String
        @Renamed("label") var name: String
        var email: String?
        var size: Int = 7
        var marks: [Int] = [2]
    }
}

extension Ships.First: SizedShipRecord {
    static var rule: ShipRule? { .throw }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) { self.init(id: ship.id, name: ship.name, email: ship.email, size: Int16(ship.size ?? 7)) }
    var ship: Ship { Ship(id: id, name: name, email: email, size: amount) }
}

extension Ships.Bare: SizedShipRecord {
    static var rule: ShipRule? { nil }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) { self.init(id: ship.id, name: ship.name, email: ship.email, size: Int16(ship.size ?? 7)) }
    var ship: Ship { Ship(id: id, name: name, email: email, size: amount) }
}

extension Ships.Redefined: SizedShipRecord {
    static var rule: ShipRule? { .upsert }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) { self.init(id: ship.id, name: ship.name, email: ship.email, size: Int16(ship.size ?? 7)) }
    var ship: Ship { Ship(id: id, name: name, email: email, size: amount) }
}

extension Ships.Grown: ShipRecord {
    static var rule: ShipRule? { .ignore }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) {
        self.init(
            id: ship.id, rank: ship.rank ?? 3, name: ship.name, email: ship.email,
            marks: ship.marks ?? [3, 1, 3], size: Int16(ship.size ?? 9))
    }
    var ship: Ship { Ship(id: id, name: name, email: email, size: Int(size), rank: rank, marks: marks) }
    var amount: Int {
        get { rank }
        set { rank = newValue }
    }
}

extension Ships.Shrunk: ShipRecord {
    static var rule: ShipRule? { .throw }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) { self.init(id: ship.id, name: ship.name, email: ship.email, rank: ship.rank ?? 4) }
    var ship: Ship { Ship(id: id, name: name, email: email, rank: rank) }
    var amount: Int {
        get { rank }
        set { rank = newValue }
    }
}

extension Ships.Labelled: SizedShipRecord {
    static var rule: ShipRule? { .upsert }
    static func named(_ name: String) -> Filter<Self> { \.label == name }
    init(_ ship: Ship) { self.init(id: ship.id, email: ship.email, size: Int16(ship.size ?? 7), label: ship.name) }
    var ship: Ship { Ship(id: id, name: label, email: email, size: amount) }
}

extension Ships.Retyped: ShipRecord {
    static var rule: ShipRule? { nil }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) {
        self.init(
            id: ship.id, name: ship.name, email: ship.email, size: "\(ship.size ?? 7)", rank: ship.rank ?? 5)
    }
    var ship: Ship { Ship(id: id, name: name, email: email, size: Int(size), rank: rank) }
    var amount: Int {
        get { rank }
        set { rank = newValue }
    }
}

extension Ships.Rekeyed: SizedShipRecord {
    static var rule: ShipRule? { .throw }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) { self.init(name: ship.name, id: ship.id, email: ship.email, size: Int16(ship.size ?? 7)) }
    var ship: Ship { Ship(id: id, name: name, email: email, size: amount) }
}

extension Ships.Texted: ShipRecord {
    static var rule: ShipRule? { .upsert }
    static func named(_ name: String) -> Filter<Self> { \.name == name }
    init(_ ship: Ship) {
        self.init(
            id: "\(ship.id)", name: ship.name, email: ship.email, size: ship.size ?? 7, marks: ship.marks ?? [2])
    }
    var ship: Ship { Ship(id: Int(id) ?? -1, name: name, email: email, size: size, marks: marks) }
    var amount: Int {
        get { size }
        set { size = newValue }
    }
}
