// Entities with unique values of every rule, and with relations of every rule.

import Trove

@EntityModel
struct Team: Equatable {
    let id: Int
    @Relationship(inverse: \.team) var members: [Player]?
}

@EntityModel
struct Player: Equatable {
    #Unique<Player>(\.email, collisions: .throw)
    #Unique<Player>(\.badge, collisions: .upsert)
    #Unique<Player>(\.nick, collisions: .ignore)
    #Unique<Player>(\.desk, collisions: .moveOver)

    let id: Int
    var email: String?
    var badge: Int?
    var nick: String?
    var desk: Int?
    @Relationship(inverse: \.members) var team: Team?
    @Relationship(deleteRule: .cascade, inverse: \.member) var devices: [Device]?
    @Relationship(deleteRule: .deny, inverse: \.signer) var contracts: [Contract]?
}

extension CollisionRule where Record == Player {
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
    @Relationship(.required, inverse: \.devices) var member: Player?
}

@EntityModel
struct Contract: Equatable {
    let id: Int
    @Relationship(inverse: \.contracts) var signer: Player?
}
