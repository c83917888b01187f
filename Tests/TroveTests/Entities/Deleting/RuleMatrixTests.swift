// The matrix of delete rules: every pair of rules at the ends of every kind of relation, and every entity deleted.
//
// What survives is compared with a model in memory: an entity takes along what its cascades lead to, and all of them
// stay if a relation that denies leads from them to an entity that would stay.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

// The left end has one or several targets, as the names say.

@EntityModel
private struct OneWayOne {
    let id: Int
    @Relationship var other: OneWayTarget? = nil
}

@EntityModel
private struct OneWayMany {
    let id: Int
    @Relationship var others: [OneWayTarget]? = nil
}

@EntityModel
private struct OneWayTarget {
    let id: Int
}

@EntityModel
private struct OneLeft {
    let id: Int
    @Relationship(inverse: \.left) var right: OneRight?
}

@EntityModel
private struct OneRight {
    let id: Int
    @Relationship(inverse: \.right) var left: OneLeft?
}

@EntityModel
private struct ManyLeft {
    let id: Int
    @Relationship(inverse: \.left) var rights: [ManyRight]?
}

@EntityModel
private struct ManyRight {
    let id: Int
    @Relationship(inverse: \.rights) var left: ManyLeft?
}

@EntityModel
private struct MutualLeft {
    let id: Int
    @Relationship(inverse: \.lefts) var rights: [MutualRight]?
}

@EntityModel
private struct MutualRight {
    let id: Int
    @Relationship(inverse: \.rights) var lefts: [MutualLeft]?
}

@EntityModel
private struct SelfTree {
    let id: Int
    @Relationship(inverse: \.parent) var children: [SelfTree]?
    @Relationship(inverse: \.children) var parent: SelfTree?
}

@EntityModel
private struct SelfChain {
    let id: Int
    @Relationship(inverse: \.previous) var next: SelfChain?
    @Relationship(inverse: \.next) var previous: SelfChain?
}

@EntityModel
private struct SelfMany {
    let id: Int
    @Relationship(inverse: \.followers) var following: [SelfMany]?
    @Relationship(inverse: \.following) var followers: [SelfMany]?
}

@EntityModel
private struct SymmetricOne {
    let id: Int
    @Relationship(inverse: \.partner) var partner: SymmetricOne?
}

@EntityModel
private struct SymmetricMany {
    let id: Int
    @Relationship(inverse: \.friends) var friends: [SymmetricMany]?
}

/// An entity of the matrix.
private struct Place: Hashable, Comparable {
    let type: String
    let id: Int

    static func < (left: Self, right: Self) -> Bool { (left.type, left.id) < (right.type, right.id) }
}

/// A kind of relation, with entities and links to delete.
private struct Kind: Sendable, CustomTestStringConvertible {
    let left: any EntityModelProtocol.Type
    let right: any EntityModelProtocol.Type
    let leftProperty: String
    let rightProperty: String?
    /// The links from left to right.
    let links: [(Int, Int)]
    let fill: @Sendable (Int, [Int], TransactionContext) throws -> Void
    let make: @Sendable (Int, TransactionContext) throws -> Void

    var testDescription: String { "\(left.schema.name).\(leftProperty)" }
    var ids: [Int] { Array(Set(links.flatMap { [$0.0, $0.1] } + [9])).sorted() }
    var isSymmetric: Bool { left == right && leftProperty == rightProperty }

    /// The entity types, each once.
    var types: [any EntityModelProtocol.Type] { left == right ? [left] : [left, right] }
}

extension Kind {
    static let all = [
        Kind(
            left: OneWayOne.self, right: OneWayTarget.self, leftProperty: "other", rightProperty: nil,
            links: [(1, 1), (2, 1), (3, 3)],
            fill: { try OneWayOne(id: $0, other: .id($1[0])).save(to: $2) },
            make: {
                try OneWayOne(id: $0).save(to: $1)
                try OneWayTarget(id: $0).save(to: $1)
            }),
        Kind(
            left: OneWayMany.self, right: OneWayTarget.self, leftProperty: "others", rightProperty: nil,
            links: [(1, 1), (1, 2), (2, 2), (3, 3)],
            fill: { try OneWayMany(id: $0, others: .ids($1)).save(to: $2) },
            make: {
                try OneWayMany(id: $0).save(to: $1)
                try OneWayTarget(id: $0).save(to: $1)
            }),
        Kind(
            left: OneLeft.self, right: OneRight.self, leftProperty: "right", rightProperty: "left",
            links: [(1, 1), (2, 3)],
            fill: { try OneLeft(id: $0, right: .id($1[0])).save(to: $2) },
            make: {
                try OneLeft(id: $0).save(to: $1)
                try OneRight(id: $0).save(to: $1)
            }),
        Kind(
            left: ManyLeft.self, right: ManyRight.self, leftProperty: "rights", rightProperty: "left",
            links: [(1, 1), (1, 2), (2, 3)],
            fill: { try ManyLeft(id: $0, rights: .ids($1)).save(to: $2) },
            make: {
                try ManyLeft(id: $0).save(to: $1)
                try ManyRight(id: $0).save(to: $1)
            }),
        Kind(
            left: MutualLeft.self, right: MutualRight.self, leftProperty: "rights", rightProperty: "lefts",
            links: [(1, 1), (1, 2), (2, 2), (2, 3), (4, 4)],
            fill: { try MutualLeft(id: $0, rights: .ids($1)).save(to: $2) },
            make: {
                try MutualLeft(id: $0).save(to: $1)
                try MutualRight(id: $0).save(to: $1)
            }),
        Kind(
            left: SelfTree.self, right: SelfTree.self, leftProperty: "children", rightProperty: "parent",
            links: [(1, 2), (1, 3), (2, 4), (5, 5), (6, 7), (7, 6)],
            fill: { try SelfTree(id: $0, children: .ids($1)).save(to: $2) },
            make: { try SelfTree(id: $0).save(to: $1) }),
        Kind(
            left: SelfChain.self, right: SelfChain.self, leftProperty: "next", rightProperty: "previous",
            links: [(1, 2), (2, 3), (4, 4), (5, 6), (6, 7), (7, 5)],
            fill: { try SelfChain(id: $0, next: .id($1[0])).save(to: $2) },
            make: { try SelfChain(id: $0).save(to: $1) }),
        Kind(
            left: SelfMany.self, right: SelfMany.self, leftProperty: "following", rightProperty: "followers",
            links: [(1, 2), (2, 3), (1, 3), (3, 4), (5, 5), (6, 7), (7, 6)],
            fill: { try SelfMany(id: $0, following: .ids($1)).save(to: $2) },
            make: { try SelfMany(id: $0).save(to: $1) }),
        Kind(
            left: SymmetricOne.self, right: SymmetricOne.self, leftProperty: "partner", rightProperty: "partner",
            links: [(1, 2), (3, 3)],
            fill: { try SymmetricOne(id: $0, partner: .id($1[0])).save(to: $2) },
            make: { try SymmetricOne(id: $0).save(to: $1) }),
        Kind(
            left: SymmetricMany.self, right: SymmetricMany.self, leftProperty: "friends", rightProperty: "friends",
            links: [(1, 2), (2, 3), (4, 5), (6, 6)],
            fill: { try SymmetricMany(id: $0, friends: .appending(ids: $1)).save(to: $2) },
            make: { try SymmetricMany(id: $0).save(to: $1) }),
    ]
}

/// A pair of rules, and what survives the deletion of an entity.
private struct Rules {
    let kind: Kind
    let left: Relations.DeleteRule
    let right: Relations.DeleteRule

    /// The entities that an entity's relations lead to, with the rules.
    private func targets(of place: Place) -> [(rule: Relations.DeleteRule, target: Place)] {
        let (leftType, rightType) = (kind.left.schema.name, kind.right.schema.name)
        var targets: [(rule: Relations.DeleteRule, target: Place)] = []
        for (first, second) in kind.links {
            let (from, to) = (Place(type: leftType, id: first), Place(type: rightType, id: second))
            if from == place { targets.append((left, to)) }
            guard to == place, kind.rightProperty != nil else { continue }
            targets.append((kind.isSymmetric ? left : right, from))
        }
        return targets
    }

    /// The entities that the deletion of an entity takes along; none if it is denied.
    func victims(of place: Place) -> Set<Place> {
        var victims: Set<Place> = []
        var open = [place]
        while let next = open.popLast() {
            guard victims.insert(next).inserted else { continue }
            open += targets(of: next).filter { $0.rule == .cascade }.map(\.target)
        }
        let isDenied = victims.contains { victim in
            targets(of: victim).contains { $0.rule == .deny && !victims.contains($0.target) }
        }
        return isDenied ? [] : victims
    }
}

extension EntityModelProtocol {
    /// Replaces the rule of a relation.
    fileprivate static func setRule(_ rule: Relations.DeleteRule, of property: String) throws {
        let ends = try relationDescriptions.map { old in
            try DeclaredRelation(
                RelationDescription(
                    owner: old.owner, target: old.target, path: old.path, property: old.property,
                    name: old.name, oldNames: old.oldNames, inverseProperty: old.inverseProperty,
                    isToMany: old.isToMany,
                    isRequired: old.isRequired, deleteRule: old.property == property ? rule : old.deleteRule))
        }
        let known = try declaredRelations()
        schema.entity?.declaredRelations.withLock {
            $0 = zip(known, ends).map { $1.description.property == property ? $1 : $0 }
        }
    }

    fileprivate static func places(in context: TransactionContext) throws -> [Place] {
        try (0..<10).filter { try context.hasRecord(schema, KeyWriter.bytes(of: $0)) }.map {
            Place(type: schema.name, id: $0)
        }
    }

    fileprivate static func linkedIDs(_ property: String, of id: Int, in context: TransactionContext) throws -> [Int] {
        let end = try #require(try declaredRelations().first { $0.description.property == property })
        guard let (links, side) = try context.links(end) else { return [] }
        return try links.targets(of: KeyWriter.bytes(of: id), side).map { target in
            try target[...].component() as Int
        }
    }

    fileprivate static func deleteByID(_ id: Int, in context: TransactionContext) throws -> Bool {
        try delete(KeyWriter.bytes(of: id), in: context)
    }
}

@Suite("Matrix of delete rules", .serialized) struct RuleMatrixTests {
    private static let rules: [Relations.DeleteRule] = [.nullify, .cascade, .deny]

    @Test(arguments: Kind.all.indices) func theSurvivors_areThoseOfTheModel(_ index: Int) throws {
        let kind = Kind.all[index]
        for left in Self.rules {
            for right in kind.rightProperty == nil || kind.isSymmetric ? [.nullify] : Self.rules {
                try kind.left.setRule(left, of: kind.leftProperty)
                if let property = kind.rightProperty, !kind.isSymmetric { try kind.right.setRule(right, of: property) }
                try expectSurvivors(Rules(kind: kind, left: left, right: right))
            }
        }
    }

    private func expectSurvivors(_ rules: Rules) throws {
        let kind = rules.kind
        let store = try Store.temporary()
        try store.write { context in
            for id in kind.ids { try kind.make(id, context) }
            for (owner, links) in Dictionary(grouping: kind.links, by: \.0).sorted(by: { $0.key < $1.key }) {
                try kind.fill(owner, links.map(\.1), context)
            }
            let all = try kind.types.flatMap { try $0.places(in: context) }
            #expect(all.count == kind.ids.count * kind.types.count)
            for type in kind.types {
                for id in kind.ids {
                    let victims = rules.victims(of: Place(type: type.schema.name, id: id))
                    let comment: Comment =
                        "\(kind.testDescription), \(rules.left)/\(rules.right), \(type) \(id) deleted"
                    struct Undo: Error {}
                    do {
                        try context.nested { context in
                            var isDenied = false
                            do {
                                #expect(try type.deleteByID(id, in: context), comment)
                            } catch StoreError.entity(.deleteDenied) {
                                isDenied = true
                            }
                            #expect(isDenied == victims.isEmpty, comment)
                            let survivors = try kind.types.flatMap { try $0.places(in: context) }
                            #expect(Set(survivors) == Set(all).subtracting(victims), comment)
                            try expectLinks(of: kind, among: Set(survivors), context, comment)
                            throw Undo()
                        }
                    } catch is Undo {}
                }
            }
            // Deleting everything in one statement denies nothing.
            try context.statement { context in
                for type in kind.types {
                    for id in kind.ids { _ = try type.deleteByID(id, in: context) }
                }
            }
            #expect(try kind.types.flatMap { try $0.places(in: context) }.isEmpty)
            try expectLinks(of: kind, among: [], context, "\(kind.testDescription), all deleted")
        }
        try store.expectIntactLinks()
    }

    /// Expects the links between survivors, from both ends, and no others.
    private func expectLinks(
        of kind: Kind, among survivors: Set<Place>, _ context: TransactionContext, _ comment: Comment
    ) throws {
        let links = kind.links.filter { first, second in
            survivors.contains(Place(type: kind.left.schema.name, id: first))
                && survivors.contains(Place(type: kind.right.schema.name, id: second))
        }
        for id in kind.ids {
            var rights = links.filter { $0.0 == id }.map(\.1)
            if kind.isSymmetric { rights += links.filter { $0.1 == id && $0.0 != id }.map(\.0) }
            #expect(
                try kind.left.linkedIDs(kind.leftProperty, of: id, in: context).sorted() == rights.sorted(), comment)
            guard let property = kind.rightProperty, !kind.isSymmetric else { continue }
            let lefts = links.filter { $0.1 == id }.map(\.0)
            #expect(try kind.right.linkedIDs(property, of: id, in: context).sorted() == lefts.sorted(), comment)
        }
        for (links, side) in try context.incomingLinks(of: kind.right.keyPrefix) {
            for id in kind.ids where !survivors.contains(Place(type: kind.right.schema.name, id: id)) {
                #expect(try links.count(of: KeyWriter.bytes(of: id), side) == 0, comment)
            }
        }
    }
}
