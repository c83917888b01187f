// The types of `KeptIDTests.swift`: parcels with labels and an owner, as programs of different ages declare them.

import Trove
import TroveCoding

enum FirstParcels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: [Label]? = nil
        @Relationship(inverse: \.parcels) var owner: Sender?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Int
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}

/// A label at most.
enum SingleLabels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: Label? = nil
        @Relationship(inverse: \.parcels) var owner: Sender?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Int
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}

/// No labels, and many owners.
enum Unlabeled {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship(inverse: \.parcels) var owner: [Sender]?
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}

/// No labels.
enum SingleTarget {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship(inverse: \.parcels) var owner: Sender?
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}

/// The owner is a shop.
enum ShopParcels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: [Label]? = nil
        @Relationship(inverse: \.parcels) var owner: Shop?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Int
    }

    @EntityModel(keyPrefix: 4_430_004)
    struct Shop: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}

/// The owner has another name, without a note.
enum RenamedParcels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: [Label]? = nil
        @Relationship(inverse: \.parcels) var payer: Sender?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Int
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.payer) var parcels: [Parcel]?
    }
}

/// The program makes the keys of senders.
enum KeyedParcels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: [Label]? = nil
        @Relationship(inverse: \.parcels) var owner: Sender?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Int
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: String
        @Relationship(inverse: \.owner) var parcels: [Parcel]?

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Sender {
            Sender(id: "sender-\(try old.value("id", as: Int.self))")
        }
    }
}

/// Labels are never stored, and the rules do not convert their keys.
enum FlagParcels {
    @EntityModel(keyPrefix: 4_430_001, keepsDeleted: true)
    struct Parcel: Equatable {
        let id: Int
        var text: String = ""
        @Relationship var labels: [Label]? = nil
        @Relationship(inverse: \.parcels) var owner: Sender?
    }

    @EntityModel(keyPrefix: 4_430_002)
    struct Label: Equatable {
        let id: Bool
    }

    @EntityModel(keyPrefix: 4_430_003, keepsDeleted: true)
    struct Sender: Equatable {
        let id: Int
        @Relationship(inverse: \.owner) var parcels: [Parcel]?
    }
}
