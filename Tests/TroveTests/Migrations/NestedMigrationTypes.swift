// The types of `NestedMigrationTests.swift`: two programs whose records contain different values.

import Trove

enum SmallHouseProgram {
    @RecordValue struct Address: Hashable {
        var road: String
        var zip: Int32
    }

    @RecordValue struct Person: Hashable {
        var name: String
        var home: Address?
        var friends: [Person]
    }

    @RecordValue enum Owner: Hashable {
        case nobody
        case person(Person)
        case firm(name: String, seat: Address)
    }

    @IndexKeyRecord(keyPrefix: 5_000_006, "id")
    struct House: Hashable {
        let id: Int
        var address: Address
        var others: [Address]
        var named: [String: Address]
        var owner: Owner
    }
}

enum LargeHouseProgram {
    enum Land: String, RecordValue { case here, there }

    @RecordValue struct Address: Hashable {
        var land: Land = Land.there
        @Renamed("road") var street: String
        var zip: Int
    }

    @RecordValue struct Person: Hashable {
        var home: Address = Address(land: .here, street: "unknown", zip: 0)
        @Renamed("name") var fullName: String
        var friends: [Person]
        var children: [Person] = [.child]

        static let child: Person = Person(fullName: "child", friends: [], children: [])
    }

    @RecordValue enum Owner: Hashable {
        case firm(name: String, seat: Address)
        case person(Person)
        case nobody
    }

    @IndexKeyRecord(keyPrefix: 5_000_006, "id")
    struct House: Hashable {
        let id: Int
        @Renamed("address") var place: Address
        var others: [Address]?
        var named: [String: Address]
        var owner: Owner
    }
}

/// The same names and the same layout as in `LargeHouseProgram`, without old names or default values.
enum BareHouseProgram {
    enum Land: String, RecordValue { case here, there }

    @RecordValue struct Address: Hashable {
        var land: Land
        var street: String
        var zip: Int
    }
}
