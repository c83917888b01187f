// Deletes entities by the rules of their relations.
//
// The order for one entity:
//
//     willDelete · record and indexes · for each relation in the order of declaration: its rule
//     · one-way links that lead here · didDelete
//
// The rules:
//
//     nullify    the links go
//     cascade    each linked entity is deleted in the same way, and then its link; the links that the relation had when
//                the cascade began are followed
//     deny       the links stay until the end of the statement: then a link to an entity that is still stored is an
//                error, and other links go
//
// The record goes before its relations are followed: so a cascade in a circle ends.

import LMDB
import TroveCoding

extension EntityModelProtocol {
    /// Deletes the entity with a key for the code that deletes records of any type.
    static func delete(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        guard try context.tableForRemoval(schema) != nil, try context.hasRecord(schema, key) else { return false }
        if relations.isEmpty, hasDefault(.deleting), try context.incomingLinks(of: keyPrefix).isEmpty {
            return try key.withRawSpan {
                try context.replaceIndexed($0, with: nil as Self?, onConflict: .replace)
            }
        }
        return try context.part { context in
            var cascade = CascadingDelete(context)
            return try cascade.delete(Self.self, key)
        }
    }

    /// Removes the record alone, and its index entries.
    fileprivate static func removeRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        try key.withRawSpan { try context.replaceIndexed($0, with: nil as Self?, onConflict: .replace) }
    }

    /// Calls ``willDelete(from:)``, unless the type does not implement it.
    fileprivate func callWillDelete(in context: TransactionContext) throws {
        if !Self.hasDefault(.willDelete) { try willDelete(from: context) }
    }

    /// Calls ``didDelete(from:)``, unless the type does not implement it.
    fileprivate func callDidDelete(in context: TransactionContext) throws {
        if !Self.hasDefault(.didDelete) { try didDelete(from: context) }
    }
}

extension ReadContext {
    /// Returns the entity with a key; nil if it is not stored.
    fileprivate func entity<Entity: EntityModelProtocol>(_ type: Entity.Type, _ key: [UInt8]) throws -> Entity? {
        try record(of: key, Entity.self)
    }
}

/// The deletion of an entity with all entities that its relations take along.
private struct CascadingDelete {
    /// The number of links to follow at a time.
    private static let batch = 1024

    private let context: TransactionContext
    /// The entities that are being deleted, the outermost first.
    private var stack: [DeleteFrame] = []

    init(_ context: TransactionContext) { self.context = context }

    /// Deletes an entity. Returns whether it was stored.
    mutating func delete(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        guard try enter(type, key) else { return false }
        while let frame = stack.indices.last {
            if stack[frame].cascade != nil {
                try followCascade(frame)
            } else if stack[frame].done < stack[frame].ends.count {
                try applyRule(frame)
            } else {
                try leave(stack.removeLast())
            }
        }
        return true
    }

    /// Removes the record of an entity. Returns false if it is not stored.
    private mutating func enter(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        guard let entity = try context.entity(type, key) as (any EntityModelProtocol)? else { return false }
        try entity.callWillDelete(in: context)
        // The hook may have deleted it.
        guard try type.removeRecord(key, in: context) else { return false }
        stack.append(DeleteFrame(entity: entity, key: key, ends: try type.relationEnds()))
        return true
    }

    /// Applies the rule of an entity's next relation.
    private mutating func applyRule(_ frame: Int) throws {
        let end = stack[frame].ends[stack[frame].done]
        let key = stack[frame].key
        guard let (links, side) = try context.links(end), try links.count(of: key, side, atMost: 1) > 0 else {
            stack[frame].done += 1
            return
        }
        switch end.description.deleteRule {
        case .nullify:
            try context.removeAllLinks(end, of: key)
            stack[frame].done += 1
        case .deny:
            context.deferDenial(end, of: key)
            stack[frame].done += 1
        case .cascade:
            stack[frame].cascade = DeleteFrame.Cascade(last: try links.lastPosition(of: key, side))
        }
    }

    /// Deletes the next target of a cascade, or ends the cascade.
    private mutating func followCascade(_ frame: Int) throws {
        let end = stack[frame].ends[stack[frame].done]
        let key = stack[frame].key
        if let current = stack[frame].cascade?.current {
            let (links, side) = try context.linksForWriting(end)
            try links.remove(key, [current], side)
            stack[frame].cascade?.current = nil
        }
        if stack[frame].cascade?.targets.isEmpty == true { try fillCascade(frame, end) }
        guard let target = stack[frame].cascade?.targets.popLast() else {
            stack[frame].cascade = nil
            stack[frame].done += 1
            return
        }
        stack[frame].cascade?.current = target
        _ = try enter(end.description.target, target)
    }

    private mutating func fillCascade(_ frame: Int, _ end: RelationEnd) throws {
        guard let (links, side) = try context.links(end), let cascade = stack[frame].cascade else { return }
        var targets: [[UInt8]] = []
        try links.forEachTarget(of: stack[frame].key, side) { target in
            if let position = target.position, let last = cascade.last, position > last { return .stop }
            targets.append(target.key)
            return targets.count < Self.batch ? .continue : .stop
        }
        stack[frame].cascade?.targets = targets.reversed()
    }

    private func leave(_ frame: DeleteFrame) throws {
        for (links, side) in try context.incomingLinks(of: type(of: frame.entity).keyPrefix) {
            let table = try context.tableForWriting(links.table.schema).table
            let links = LinkTable(relation: links.relation, table: table, keyspace: context.keyspace)
            try LinkWriter(links: links, context: context).removeAll(frame.key, side)
        }
        try frame.entity.callDidDelete(in: context)
    }
}

extension TransactionContext {
    /// Removes all links of an entity in a relation.
    func removeAllLinks(_ end: RelationEnd, of key: [UInt8]) throws {
        guard stored(end.links) != nil else { return }
        try translatingErrors {
            let (links, side) = try linksForWriting(end)
            try links.removeAll(key, side)
        }
    }

    /// Notes a relation whose rule is to deny, for the end of the statement.
    fileprivate func deferDenial(_ end: RelationEnd, of key: [UInt8]) {
        deferredChecks.append { context in
            // A hook may have saved the entity again, with its links.
            guard try !context.hasRecord(end.description.owner.schema, key),
                let (links, side) = try context.links(end)
            else { return }
            let target = end.description.target
            try links.forEachTarget(of: key, side) { link in
                guard try context.hasRecord(target.schema, link.key) else { return .continue }
                throw StoreError.deleteDenied(
                    type: end.description.owner.schema.name, key: end.description.owner.schema.storedKey(key),
                    relation: end.description.property, other: target.schema.storedKey(link.key))
            }
            try context.removeAllLinks(end, of: key)
        }
    }
}
