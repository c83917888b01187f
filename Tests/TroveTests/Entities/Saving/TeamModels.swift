// Entities with unique values of every rule, and with relations of every rule.

import Trove

@EntityModel
struct Team: Equatable {
    let id: Int
    @Relationship(inverse: \.team) var members: [Teammate]?
}

@EntityModel
struct Teammate: Equatable {
    #Unique<Teammate>(\.email, collisions: .throw)
    #Unique<Teammate>(\.badge, collisions: .upsert)
    #Unique<Teammate>(\.nick, collisions: .ignore)
    #Unique<Teammate>(\.desk, collisions: .moveOver)

    let id: Int
    var email: String?
    var badge: Int?
    var nick: String?
    var desk: Int?
    @Relationship(inverse: \.members) var team: Team?
    @Relationship(deleteRule: .cascade, inverse: \.member) var devices: [Device]?
    @Relationship(deleteRule: .deny, inverse: \.signer) var contracts: [Contract]?
}

extension CollisionRule where Record == Teammate {
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
    @Relationship(.required, inverse: \.devices) var member: Teammate?
}

@EntityModel
struct Contract: Equatable {
    let id: Int
    @Relationship(inverse: \.contracts) var signer: Teammate?
}
