// The records of the tests of live objects.

import LMDB
import Trove
import TroveTestSupport

@RecordValue
struct Quarters: Hashable {
    var city: String
    var number: Int?
}

@IndexKeyRecord("id")
struct Traveler: Hashable {
    let id: Int
    var name: String
    var age: Int
    var nick: String?
    var quarters: Quarters
    var notes: [String]

    init(
        id: Int, name: String = "Ruby", age: Int = 30, nick: String? = nil,
        quarters: Quarters = Quarters(city: "Fhloston"),
        notes: [String] = []
    ) {
        self.id = id
        self.name = name
        self.age = age
        self.nick = nick
        self.quarters = quarters
        self.notes = notes
    }

    /// Computed from two properties.
    var label: String {
        get { "\(name), \(age)" }
        set { name = newValue }
    }
}

@IndexKeyRecord("id")
struct Sailor: Hashable {
    #Unique<Sailor>(\.email, collisions: .throw)

    let id: Int
    var email: String
}

/// A record whose key can be set.
@IndexKeyRecord("id")
struct Movable: Hashable {
    var id: Int
    var name: String
}

struct Stop: Error {}

extension Store {
    /// A store for a test, without a flush.
    static func live(_ options: StoreOptions = StoreOptions()) throws -> Store {
        try Store.temporary(records: [Traveler.self, Sailor.self, Movable.self], options: options)
    }

    /// Stores records without live objects.
    func write(_ travelers: Traveler...) throws { try insert(contentsOf: travelers) }

    func stored(_ id: Int) throws -> Traveler? { try get(Traveler.self, key: id) }
}

@IndexKeyRecord("id")
struct Rower: Equatable {
    #Index<Rower>(\.name)

    let id: Int
    var name: String
    var age: Int
}
