// Entities with unique values of every rule, and with relations of every rule.

import Trove

@EntityModel
struct Team: Equatable {
    let id: Int
    @Relationship(inverse: \.team) var members: [Member]?
}

@EntityModel
struct Member: Equatable {
    #Unique<Member>(\.email, collisions: .throw)
    #Unique<Member>(\.badge, collisions: .upsert)
    #Unique<Member>(\.nick, collisions: .ignore)
    #Unique<Member>(\.desk, collisions: .moveOver)

    let id: Int
    var email: String?
    var badge: Int?
    var nick: String?
    var desk: Int?
    @Relationship(inverse: \.members) var team: Team?
    @Relationship(deleteRule: .cascade, inverse: \.member) var devices: [Device]?
    @Relationship(deleteRule: .deny, inverse: \.signer) var contracts: [Contract]?
}

extension CollisionRule where Record == Member {
    /// The other member moves to the next desk, and gets a device.
    static var moveOver: CollisionRule {
        .custom { context, _, existing in
            var other = existing
            other.desk = (other.desk ?? 0) + 1
            other.$devices = .appending(relation: [Device(id: 100 + other.id)])
            try other.save(to: context)
        }
    }
}

@EntityModel
struct Device: Equatable {
    let id: Int
    @Relationship(.required, inverse: \.devices) var member: Member?
}

@EntityModel
struct Contract: Equatable {
    let id: Int
    @Relationship(inverse: \.contracts) var signer: Member?
}
