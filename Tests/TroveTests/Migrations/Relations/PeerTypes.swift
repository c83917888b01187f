// The types of `PeerRelationTests.swift`: a relation of a type to itself.

import Trove

enum OneWayPeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Peer {
        let id: Int
        @Relationship var friends: [Peer]? = nil
    }
}

enum OneWayToOnePeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Peer {
        let id: Int
        @Relationship var friends: Peer? = nil
    }
}

enum SymmetricPeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Peer {
        let id: Int
        @Relationship(inverse: \.friends) var friends: [Peer]?
    }
}

enum PairedPeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Peer {
        let id: Int
        @Relationship(inverse: \.friends) var friends: Peer?
    }
}

enum FollowedPeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Peer {
        let id: Int
        @Relationship(inverse: \.followers) var friends: [Peer]?
        @Relationship(inverse: \.friends) var followers: [Peer]?
    }
}

/// The type under another name, with keys as text and a renamed relation.
enum RenamedPeer {
    @EntityModel(keyPrefix: 4_300_021)
    struct Colleague {
        let id: String
        @Renamed("friends") @Relationship(inverse: \.colleagues) var colleagues: [Colleague]?
    }
}

/// A type whose keys change although the store has none of its records.
enum UnstoredPeer {
    @EntityModel(keyPrefix: 4_300_022)
    struct Topic {
        let id: Int
        @Relationship var about: Thing? = nil
    }

    @EntityModel(keyPrefix: 4_300_023)
    struct Thing {
        let id: Int
    }
}

enum UnstoredTextPeer {
    @EntityModel(keyPrefix: 4_300_022)
    struct Topic {
        let id: Int
        @Relationship var about: Thing? = nil
    }

    @EntityModel(keyPrefix: 4_300_023)
    struct Thing {
        let id: String
    }
}
