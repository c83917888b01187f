// A graph in memory: the stored entities, and an ordered list of links at each end of each relation. It carries out the
// statements of entities in the simplest way.

import TroveCoding

@testable import Trove

/// A graph of entities in memory.
struct GraphModel {
    /// The error of a delete that a rule denies.
    struct Denied: Error {}

    /// The stored entities without their relations, by type and key.
    private(set) var entities: [ObjectIdentifier: [[UInt8]: any EntityModelProtocol]] = [:]
    /// The links of each relation.
    private var relations: [String: LinkModel] = [:]
    /// The unique value of an entity, by type, if a saved entity takes it over from another, which is deleted.
    var uniqueValues: [ObjectIdentifier: (any EntityModelProtocol) -> Int?] = [:]
    /// The relations that deny a delete, for the end of the statement.
    private var denials: [(end: RelationEnd, key: [UInt8])] = []

    // MARK: Statements

    /// Carries out a statement: all or nothing.
    mutating func statement(_ body: (inout GraphModel) throws -> Void) throws {
        var copy = self
        try body(&copy)
        try copy.settleDenials()
        self = copy
    }

    mutating func save<Entity: EntityModelProtocol>(_ entity: Entity) throws {
        let key = KeyWriter.bytes(of: entity.id)
        try deleteOther(than: key, entity)
        entities[ObjectIdentifier(Entity.self), default: [:]][key] = entity.normalized()
        for (relation, end) in zip(Entity.relations, try Entity.relationEnds()) {
            try saveLinks(relation, of: entity, end, key)
        }
    }

    /// Saves what a single relation holds, without the entity.
    mutating func save<Entity: EntityModelProtocol>(_ property: String, of entity: Entity) throws {
        for (relation, end) in zip(Entity.relations, try Entity.relationEnds())
        where end.description.property == property {
            try saveLinks(relation, of: entity, end, KeyWriter.bytes(of: entity.id))
        }
    }

    /// Deletes the other entity with the unique value of an entity.
    private mutating func deleteOther<Entity: EntityModelProtocol>(than key: [UInt8], _ entity: Entity) throws {
        guard let uniqueValue = uniqueValues[ObjectIdentifier(Entity.self)], let value = uniqueValue(entity) else {
            return
        }
        let stored = entities[ObjectIdentifier(Entity.self)] ?? [:]
        if let other = stored.first(where: { $0.key != key && uniqueValue($0.value) == value })?.key {
            try delete(Entity.self, other)
        }
    }

    private mutating func saveLinks<Entity: EntityModelProtocol>(
        _ relation: EntityRelation<Entity>, of entity: Entity, _ end: RelationEnd, _ key: [UInt8]
    ) throws {
        var visitor = Visitor(model: self)
        _ = try relation.forEachEntity(of: entity, from: 0, &visitor)
        self = visitor.model
        switch relation.change(by: entity) {
        case .none: break
        case .append(let keys): carryOut(.append, end, key, keys.map(Array.init))
        case .set(let keys): carryOut(.replace, end, key, keys.map(Array.init))
        }
    }

    mutating func delete(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws {
        guard entities[ObjectIdentifier(type)]?.removeValue(forKey: key) != nil else { return }
        for end in try type.relationEnds() {
            let targets = links(end, of: key)
            switch end.description.deleteRule {
            case .nullify: carryOut(.remove, end, key, targets)
            case .deny: if !targets.isEmpty { denials.append((end, key)) }
            case .cascade:
                for target in targets where links(end, of: key).contains(target) {
                    try delete(end.description.target, target)
                    carryOut(.remove, end, key, [target])
                }
            }
        }
        for name in relations.keys {
            for side in LinkSide.allCases where relations[name]?.relation[side].keyPrefix == type.schema.keyPrefix {
                guard relations[name]?.relation[side].property == nil else { continue }
                let owners = relations[name]?.lists[side]?[key] ?? []
                relations[name]?.carryOut(LinkStatement(.remove, key, side, owners))
            }
        }
    }

    /// Deletes the entities that a relation leads to, or some of them, and the links.
    mutating func deleteTargets(_ end: RelationEnd, _ key: [UInt8], _ wanted: [[UInt8]]? = nil) throws {
        let targets = links(end, of: key).filter { wanted?.contains($0) ?? true }
        for target in targets { try delete(end.description.target, target) }
        carryOut(.remove, end, key, targets)
    }

    mutating func detach(_ end: RelationEnd, _ key: [UInt8], _ targets: [[UInt8]]?) {
        carryOut(.remove, end, key, targets ?? links(end, of: key))
    }

    private mutating func settleDenials() throws {
        for (end, key) in denials {
            if entities[ObjectIdentifier(end.description.owner)]?[key] != nil { continue }
            let targets = links(end, of: key)
            let stored = entities[ObjectIdentifier(end.description.target)] ?? [:]
            if targets.contains(where: { stored[$0] != nil }) { throw Denied() }
            carryOut(.remove, end, key, targets)
        }
        denials = []
    }

    // MARK: Links

    /// Returns the keys that a relation leads to, in the order of the list.
    func links(_ end: RelationEnd, of key: [UInt8]) -> [[UInt8]] {
        relations[end.links.relation.identity]?.lists[end.side]?[key] ?? []
    }

    private mutating func carryOut(
        _ kind: LinkStatement.Kind, _ end: RelationEnd, _ key: [UInt8], _ targets: [[UInt8]]
    ) {
        let relation = end.links.relation
        relations[relation.identity, default: LinkModel(relation)].carryOut(
            LinkStatement(kind, key, end.side, targets))
    }

    private struct Visitor: EntityVisitor {
        var model: GraphModel

        mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
            try model.save(entity)
            return .continue
        }
    }
}
