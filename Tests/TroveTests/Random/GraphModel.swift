// A graph in memory: the stored entities, and an ordered list of links at each end of each relation. It carries out the
// statements of entities in the simplest way, and by a table of relations of its own: it uses nothing of the library
// but the rules' names.

import Trove
import TroveSpellings

/// A graph of entities in memory. Entities have numbers as ids.
struct GraphModel {
    /// The error of a delete that a rule denies.
    struct Denied: Error {}

    /// A relation as a type declares it. A mutual relation is declared twice, once from each end.
    struct Link: Hashable {
        let type: String
        let property: String
        let target: String
        /// The property of the target; nil for a one-way relation.
        let inverse: String?
        let isToMany: Bool
        var rule = Relations.DeleteRule.nullify
    }

    /// An entity to save, with its relations.
    struct Node {
        let type: String
        let id: Int
        let properties: Properties
        /// What is to happen to the links, by property.
        let changes: [String: Change]
    }

    /// The properties of an entity.
    struct Properties: Equatable {
        var name: String
        /// A value that the entity takes over from another, which is deleted.
        var unique: Int?
    }

    /// What a saved entity says about a relation.
    struct Change {
        enum Kind { case none, set, append }

        let kind: Kind
        let ids: [Int]
        /// The entities to save.
        let nodes: [Node]
    }

    /// The relations of each type, in the order of their declaration.
    let table: [Link]
    /// The stored entities by type and id.
    private(set) var entities: [String: [Int: Properties]] = [:]
    /// The ids that each relation leads to, in order, by the owner's id.
    private var lists: [Link: [Int: [Int]]] = [:]
    /// The relations that deny a delete, for the end of the statement.
    private var denials: [(link: Link, id: Int)] = []
    /// The entities whose graphs are being saved, by type and id.
    private var outer: Set<String> = []

    init(_ table: [Link]) { self.table = table }

    /// Returns the relations of a type.
    func links(of type: String) -> [Link] { table.filter { $0.type == type } }

    /// Returns a relation of a type.
    func link(_ property: String, of type: String) -> Link {
        guard let link = table.first(where: { $0.type == type && $0.property == property }) else {
            fatalError("\(type).\(property) is not in the table")
        }
        return link
    }

    /// Returns the ids that a relation leads to, in the order of the list.
    func ids(_ link: Link, of id: Int) -> [Int] { lists[link]?[id] ?? [] }

    /// Returns the ids of the owners whose relation leads to an id, in ascending order.
    func owners(_ link: Link, of id: Int) -> [Int] {
        (lists[link] ?? [:]).filter { $0.value.contains(id) }.keys.sorted()
    }

    // MARK: Statements

    /// Carries out a statement: all or nothing.
    mutating func statement(_ body: (inout GraphModel) throws -> Void) throws {
        var copy = self
        try body(&copy)
        try copy.settleDenials()
        self = copy
    }

    /// Saves an entity with the entities inside it. An entity inside itself says nothing about its properties. An
    /// entity that gives way inside its own graph gets no links.
    mutating func save(_ node: Node) {
        let isInner = !outer.insert("\(node.type) \(node.id)").inserted
        if !isInner || !isStored(node) { saveProperties(of: node) }
        for link in links(of: node.type) { save(link, of: node, requiresEntity: true) }
        if !isInner { outer.remove("\(node.type) \(node.id)") }
    }

    private func isStored(_ node: Node) -> Bool { entities[node.type]?[node.id] != nil }

    private mutating func saveProperties(of node: Node) {
        if let unique = node.properties.unique {
            let stored = entities[node.type] ?? [:]
            if let other = stored.first(where: { $0.key != node.id && $0.value.unique == unique })?.key {
                delete(node.type, other)
            }
        }
        entities[node.type, default: [:]][node.id] = node.properties
    }

    /// Saves what a single relation holds, without the entity.
    mutating func save(_ link: Link, of node: Node) { save(link, of: node, requiresEntity: isStored(node)) }

    private mutating func save(_ link: Link, of node: Node, requiresEntity: Bool) {
        guard let change = node.changes[link.property] else { return }
        for inner in change.nodes { save(inner) }
        if requiresEntity, !isStored(node) { return }
        switch change.kind {
        case .none: break
        case .append: for target in change.ids { add(link, node.id, target) }
        case .set: replace(link, node.id, change.ids)
        }
    }

    mutating func delete(_ type: String, _ id: Int) {
        guard entities[type]?.removeValue(forKey: id) != nil else { return }
        for link in links(of: type) {
            let targets = ids(link, of: id)
            switch link.rule {
            case .nullify: for target in targets { remove(link, id, target) }
            case .deny: if !targets.isEmpty { denials.append((link, id)) }
            case .cascade:
                for target in targets where ids(link, of: id).contains(target) {
                    delete(link.target, target)
                    remove(link, id, target)
                }
            }
        }
        for link in table where link.target == type && link.inverse == nil {
            for owner in owners(link, of: id) { remove(link, owner, id) }
        }
    }

    /// Deletes the entities that a relation leads to, or some of them, and the links.
    mutating func deleteTargets(_ link: Link, _ id: Int, among wanted: [Int]? = nil) {
        let targets = ids(link, of: id).filter { wanted?.contains($0) ?? true }
        for target in targets { delete(link.target, target) }
        for target in targets { remove(link, id, target) }
    }

    mutating func detach(_ link: Link, _ id: Int, _ targets: [Int]?) {
        for target in targets ?? ids(link, of: id) { remove(link, id, target) }
    }

    private mutating func settleDenials() throws {
        for (link, id) in denials where entities[link.type]?[id] == nil {
            let targets = ids(link, of: id)
            if targets.contains(where: { entities[link.target]?[$0] != nil }) { throw Denied() }
            for target in targets { remove(link, id, target) }
        }
        denials = []
    }

    // MARK: Links

    /// Returns the relation as its target declares it; nil for a one-way relation.
    private func inverse(_ link: Link) -> Link? { link.inverse.map { self.link($0, of: link.target) } }

    /// Adds a link at the end of both lists, unless it exists. An entity that can have one link only loses its former
    /// link.
    private mutating func add(_ link: Link, _ owner: Int, _ target: Int) {
        if ids(link, of: owner).contains(target) { return }
        if !link.isToMany { for former in ids(link, of: owner) { remove(link, owner, former) } }
        let inverse = inverse(link)
        if let inverse, !inverse.isToMany {
            for former in ids(inverse, of: target) { remove(inverse, target, former) }
        }
        lists[link, default: [:]][owner, default: []].append(target)
        // An entity is in its own list once, if the relation is its own inverse.
        guard let inverse, inverse != link || owner != target else { return }
        lists[inverse, default: [:]][target, default: []].append(owner)
    }

    private mutating func remove(_ link: Link, _ owner: Int, _ target: Int) {
        lists[link]?[owner]?.removeAll { $0 == target }
        if let inverse = inverse(link) { lists[inverse]?[target]?.removeAll { $0 == owner } }
    }

    /// Makes entities the list of an owner. An entity that is named twice counts at its first place.
    private mutating func replace(_ link: Link, _ owner: Int, _ targets: [Int]) {
        var list: [Int] = []
        for target in targets where !list.contains(target) { list.append(target) }
        for former in ids(link, of: owner) where !list.contains(former) { remove(link, owner, former) }
        for target in list { add(link, owner, target) }
        lists[link, default: [:]][owner] = list
    }
}
