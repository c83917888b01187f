// The types of `LinkedKeyChangeTests.swift`: members of teams with relations of every form, and other keys.

import Foundation
import Trove

/// Numbers as keys.
enum ClubOfNumbers {
    @EntityModel(keyPrefix: 4_300_011)
    struct Member {
        let id: Int
        var number: Int
        @Relationship(inverse: \.friends) var friends: [Member]?
        @Relationship(inverse: \.buddy) var buddy: Member?
        @Relationship(inverse: \.mentees) var mentor: Member?
        @Relationship(inverse: \.mentor) var mentees: [Member]?
        @Relationship(inverse: \.members) var teams: [Team]?
        @Relationship var watched: [Team]? = nil
        @Relationship var rival: Member? = nil
    }

    @EntityModel(keyPrefix: 4_300_012)
    struct Team {
        let id: Int
        var number: Int
        @Relationship(inverse: \.teams) var members: [Member]?
        @Relationship var captain: Member? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Member.self, Team.self]
}

/// The members have texts as keys, by the automatic rules.
enum ClubOfTexts {
    @EntityModel(keyPrefix: 4_300_011)
    struct Member {
        let id: String
        var number: Int
        @Relationship(inverse: \.friends) var friends: [Member]?
        @Relationship(inverse: \.buddy) var buddy: Member?
        @Relationship(inverse: \.mentees) var mentor: Member?
        @Relationship(inverse: \.mentor) var mentees: [Member]?
        @Relationship(inverse: \.members) var teams: [Team]?
        @Relationship var watched: [Team]? = nil
        @Relationship var rival: Member? = nil
    }

    @EntityModel(keyPrefix: 4_300_012)
    struct Team {
        let id: Int
        var number: Int
        @Relationship(inverse: \.teams) var members: [Member]?
        @Relationship var captain: Member? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Member.self, Team.self]
}

/// The members have keys of their own migration.
enum ClubOfNames {
    @EntityModel(keyPrefix: 4_300_011)
    struct Member {
        let id: String
        var number: Int
        @Relationship(inverse: \.friends) var friends: [Member]?
        @Relationship(inverse: \.buddy) var buddy: Member?
        @Relationship(inverse: \.mentees) var mentor: Member?
        @Relationship(inverse: \.mentor) var mentees: [Member]?
        @Relationship(inverse: \.members) var teams: [Team]?
        @Relationship var watched: [Team]? = nil
        @Relationship var rival: Member? = nil

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Member {
            let number = try old.value("number", as: Int.self)
            return Member(id: "m-\(number)", number: number)
        }
    }

    @EntityModel(keyPrefix: 4_300_012)
    struct Team {
        let id: Int
        var number: Int
        @Relationship(inverse: \.teams) var members: [Member]?
        @Relationship var captain: Member? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Member.self, Team.self]
}

/// The members get random keys.
enum ClubOfRandomKeys {
    @EntityModel(keyPrefix: 4_300_011)
    struct Member {
        let id: UUID
        var number: Int
        @Relationship(inverse: \.friends) var friends: [Member]?
        @Relationship(inverse: \.buddy) var buddy: Member?
        @Relationship(inverse: \.mentees) var mentor: Member?
        @Relationship(inverse: \.mentor) var mentees: [Member]?
        @Relationship(inverse: \.members) var teams: [Team]?
        @Relationship var watched: [Team]? = nil
        @Relationship var rival: Member? = nil

        static func migrate(_ old: StoredFields, from version: UInt32) throws -> Member {
            let number = try old.value("number", as: Int.self)
            return Member(id: UUID(), number: number)
        }
    }

    @EntityModel(keyPrefix: 4_300_012)
    struct Team {
        let id: Int
        var number: Int
        @Relationship(inverse: \.teams) var members: [Member]?
        @Relationship var captain: Member? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Member.self, Team.self]
}

/// Both types have texts as keys.
enum ClubOfTwoTexts {
    @EntityModel(keyPrefix: 4_300_011)
    struct Member {
        let id: String
        var number: Int
        @Relationship(inverse: \.friends) var friends: [Member]?
        @Relationship(inverse: \.buddy) var buddy: Member?
        @Relationship(inverse: \.mentees) var mentor: Member?
        @Relationship(inverse: \.mentor) var mentees: [Member]?
        @Relationship(inverse: \.members) var teams: [Team]?
        @Relationship var watched: [Team]? = nil
        @Relationship var rival: Member? = nil
    }

    @EntityModel(keyPrefix: 4_300_012)
    struct Team {
        let id: String
        var number: Int
        @Relationship(inverse: \.teams) var members: [Member]?
        @Relationship var captain: Member? = nil
    }

    static let types: [any EntityModelProtocol.Type] = [Member.self, Team.self]
}
