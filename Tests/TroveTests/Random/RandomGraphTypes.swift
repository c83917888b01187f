// The entities of the random graphs, their relations as a table of the test's own, and what they say to the model: by
// their public values alone.

import Trove

@EntityModel
struct Guild {
    let id: Int
    var name: String
    @Relationship(inverse: \.crews) var members: [Worker]?
    @Relationship(deleteRule: .cascade, inverse: \.crew) var tasks: [Job]?
    @Relationship var lead: Worker? = nil
}

@EntityModel
struct Worker {
    let id: Int
    var name: String
    @Relationship(inverse: \.members) var crews: [Guild]?
    @Relationship(inverse: \.friends) var friends: [Worker]?
    @Relationship(inverse: \.partner) var partner: Worker?
    @Relationship(deleteRule: .deny, inverse: \.owner) var badge: GuildBadge?
}

@EntityModel
struct GuildBadge {
    #Unique<GuildBadge>(\.code, collisions: .upsert)

    let id: Int
    var name: String
    var code: Int?
    @Relationship(inverse: \.badge) var owner: Worker?
}

@EntityModel
struct Job {
    #Index<Job>(\.name)
    #Unique<Job>(\.slot, collisions: .upsert)

    let id: Int
    var name: String
    var slot: Int?
    @Relationship(inverse: \.tasks) var crew: Guild?
    @Relationship(deleteRule: .cascade, inverse: \.parent) var parts: [Job]?
    @Relationship(inverse: \.parts) var parent: Job?
    @Relationship(inverse: \.blockedBy) var blocks: [Job]?
    @Relationship(inverse: \.blocks) var blockedBy: [Job]?
    @Relationship(deleteRule: .cascade) var notes: [GuildBadge]? = nil
    @Relationship var watchers: [Worker]? = nil
}

extension GraphModel {
    /// A model of the types above.
    init() {
        func toOne(
            _ type: String, _ property: String, _ target: String, inverse: String? = nil,
            _ rule: Relations.DeleteRule = .nullify
        ) -> Link {
            Link(type: type, property: property, target: target, inverse: inverse, isToMany: false, rule: rule)
        }
        func toMany(
            _ type: String, _ property: String, _ target: String, inverse: String? = nil,
            _ rule: Relations.DeleteRule = .nullify
        ) -> Link { Link(type: type, property: property, target: target, inverse: inverse, isToMany: true, rule: rule) }
        self.init([
            toMany("Guild", "members", "Worker", inverse: "crews"),
            toMany("Guild", "tasks", "Job", inverse: "crew", .cascade),
            toOne("Guild", "lead", "Worker"),
            toMany("Worker", "crews", "Guild", inverse: "members"),
            toMany("Worker", "friends", "Worker", inverse: "friends"),
            toOne("Worker", "partner", "Worker", inverse: "partner"),
            toOne("Worker", "badge", "GuildBadge", inverse: "owner", .deny),
            toOne("GuildBadge", "owner", "Worker", inverse: "badge"),
            toOne("Job", "crew", "Guild", inverse: "tasks"),
            toMany("Job", "parts", "Job", inverse: "parent", .cascade),
            toOne("Job", "parent", "Job", inverse: "parts"),
            toMany("Job", "blocks", "Job", inverse: "blockedBy"),
            toMany("Job", "blockedBy", "Job", inverse: "blocks"),
            toMany("Job", "notes", "GuildBadge", .cascade),
            toMany("Job", "watchers", "Worker"),
        ])
    }
}

/// An entity of the random graphs.
protocol GraphEntity: EntityModelProtocol where ID == Int {
    static var name: String { get }
    var properties: GraphModel.Properties { get }
    /// What the entity says about each of its relations.
    var changes: [String: GraphModel.Change] { get }
}

extension GraphEntity {
    var node: GraphModel.Node {
        GraphModel.Node(type: Self.name, id: id, properties: properties, changes: changes)
    }
}

extension GraphModel.Change {
    init<Entity: GraphEntity, Direction, Cardinality, Constraints>(
        _ relation: Relation<Entity, Direction, Cardinality, Constraints>, _ entities: [Entity]?
    ) {
        kind = relation.isNone ? .none : relation.isSlice ? .append : .set
        ids = relation.ids
        nodes = (entities ?? []).map(\.node)
    }

    init<Entity: GraphEntity, Direction, Cardinality, Constraints>(
        _ relation: Relation<Entity, Direction, Cardinality, Constraints>, _ entity: Entity?
    ) { self.init(relation, entity.map { [$0] }) }
}

extension Guild: GraphEntity {
    static let name = "Guild"
    var properties: GraphModel.Properties { GraphModel.Properties(name: name) }
    var changes: [String: GraphModel.Change] {
        ["members": .init($members, members), "tasks": .init($tasks, tasks), "lead": .init($lead, lead)]
    }
}

extension Worker: GraphEntity {
    static let name = "Worker"
    var properties: GraphModel.Properties { GraphModel.Properties(name: name) }
    var changes: [String: GraphModel.Change] {
        [
            "crews": .init($crews, crews), "friends": .init($friends, friends), "partner": .init($partner, partner),
            "badge": .init($badge, badge),
        ]
    }
}

extension GuildBadge: GraphEntity {
    static let name = "GuildBadge"
    var properties: GraphModel.Properties { GraphModel.Properties(name: name, unique: code) }
    var changes: [String: GraphModel.Change] { ["owner": .init($owner, owner)] }
}

extension Job: GraphEntity {
    static let name = "Job"
    var properties: GraphModel.Properties { GraphModel.Properties(name: name, unique: slot) }
    var changes: [String: GraphModel.Change] {
        [
            "crew": .init($crew, crew), "parts": .init($parts, parts), "parent": .init($parent, parent),
            "blocks": .init($blocks, blocks), "blockedBy": .init($blockedBy, blockedBy), "notes": .init($notes, notes),
            "watchers": .init($watchers, watchers),
        ]
    }
}
