// Deletes entities by the rules of their relations.
//
// The order for one entity:
//
//     willDelete · record and indexes · for each relation in the order of declaration: its rule · one-way links that
//     lead here · didDelete
//
// The rules:
//
//     nullify    the links go
//     cascade    each linked entity is deleted in the same way, and then its link; the links that the relation had when
//                the cascade began are followed, unless a hook has removed them
//     deny       the links stay until the end of the statement: then an entity at one of them that is still stored is
//                an error, and the links go
//
// The record goes before its relations are followed: so a cascade in a circle ends. If a hook saves the entity again
// meanwhile, the delete ends: the entity keeps the links that are left, and those that the hook has added.

import LMDB
import TroveCoding

extension EntityModelProtocol {
    /// Deletes the entity with a key for the code that deletes records of any type.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well.
    static func delete(
        _ key: [UInt8], in context: TransactionContext, ignoringDamage: Bool = false
    ) throws -> Bool {
        guard try context.tableForRemoval(schema) != nil, try context.hasRecord(schema, key) else { return false }
        if relations.isEmpty, hasDefault(.deleting), try context.incomingLinks(of: keyPrefix).isEmpty {
            return try removeRecord(key, in: context)
        }
        return try translatingErrors {
            try context.statement { context in
                var cascade = CascadingDelete(context, ignoringDamage: ignoringDamage)
                return try cascade.delete(Self.self, key)
            }
        }
    }

    /// Deletes the entity with a key, even if its record or its links are damaged. For a damaged record, no hooks are
    /// called.
    static func deleteIgnoringDamage(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        do {
            _ = try context.record(of: key, Self.self)
        } catch is StoreError {
            return try translatingErrors {
                try context.statement { context in
                    var cascade = CascadingDelete(context, ignoringDamage: true)
                    return try cascade.deleteDamaged(Self.self, key)
                }
            }
        }
        return try delete(key, in: context, ignoringDamage: true)
    }

    /// Removes the record alone, and its index entries.
    fileprivate static func removeRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        try key.withRawSpan { key in
            if schema.indexes.isEmpty { return try context.remove(schema, key) }
            return try context.replaceIndexed(key, with: nil as Self?, onConflict: .replace)
        }
    }

    /// Removes a damaged record alone, and its index entries.
    fileprivate static func removeDamagedRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        try key.withRawSpan { try context.removeDamaged(Self.self, $0) }
    }

    /// Calls ``willDelete(from:)``, unless the type does not implement it.
    fileprivate func callWillDelete(in context: TransactionContext) throws {
        if Self.hasDefault(.willDelete) { return }
        try context.calling(hookOf: self) { try willDelete(from: context) }
    }

    /// Calls ``didDelete(from:)``, unless the type does not implement it.
    fileprivate func callDidDelete(in context: TransactionContext) throws {
        if Self.hasDefault(.didDelete) { return }
        try context.calling(hookOf: self) { try didDelete(from: context) }
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
    private let context: TransactionContext
    /// Whether damaged links are removed as well.
    private let ignoresDamage: Bool
    /// The entities that are being deleted, the outermost first.
    private var stack: [DeleteFrame] = []

    init(_ context: TransactionContext, ignoringDamage: Bool) {
        self.context = context
        ignoresDamage = ignoringDamage
    }

    /// Deletes an entity. Returns whether it was stored.
    mutating func delete(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        guard try enter(type, key) else { return false }
        try finish()
        return true
    }

    /// Deletes an entity whose record is damaged. Returns whether it was stored.
    mutating func deleteDamaged(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        guard try type.removeDamagedRecord(key, in: context) else { return false }
        try push(type, key, nil)
        try finish()
        return true
    }

    private mutating func finish() throws {
        while let frame = stack.indices.last {
            if try isSavedAgain(frame) {
                stack.removeLast()
            } else if stack[frame].cascade != nil {
                try followCascade(frame)
            } else if stack[frame].done < stack[frame].ends.count {
                try applyRule(frame)
            } else {
                // As an argument, the removal would find a second reference to the stack, and copy it.
                let left = stack.removeLast()
                try leave(left)
            }
        }
    }

    /// Removes the record of an entity. Returns false if it is not stored.
    private mutating func enter(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        var entity: (any EntityModelProtocol)?
        if !type.hasDefault(.deleting) {
            guard let stored = try context.entity(type, key) as (any EntityModelProtocol)? else { return false }
            try stored.callWillDelete(in: context)
            entity = stored
        }
        // The hook may have deleted it.
        guard try type.removeRecord(key, in: context) else { return false }
        try push(type, key, entity)
        return true
    }

    /// Begins to follow the relations of an entity whose record has been removed.
    private mutating func push(
        _ type: any EntityModelProtocol.Type, _ key: [UInt8], _ entity: (any EntityModelProtocol)?
    ) throws {
        stack.append(
            DeleteFrame(
                type: type, key: key, entity: entity, ends: try type.relationEnds(), calledHooks: context.calledHooks))
    }

    /// Returns whether a hook has saved the entity again.
    private mutating func isSavedAgain(_ frame: Int) throws -> Bool {
        if stack[frame].calledHooks == context.calledHooks { return false }
        stack[frame].calledHooks = context.calledHooks
        return try context.hasRecord(stack[frame].type.schema, stack[frame].key)
    }

    /// Applies the rule of an entity's next relation.
    private mutating func applyRule(_ frame: Int) throws {
        let end = stack[frame].ends[stack[frame].done]
        let key = stack[frame].key
        guard let (links, side) = try context.storedLinksForWriting(end),
            try ByteView.with(key, { try links.links.first(of: $0, side) }) != nil
        else {
            stack[frame].done += 1
            return
        }
        switch end.description.deleteRule {
        case .nullify:
            try links.removeAll(key, side, ignoringDamage: ignoresDamage)
            stack[frame].done += 1
        case .deny:
            context.deferDenial(end, of: key, ignoringDamage: ignoresDamage)
            stack[frame].done += 1
        case .cascade:
            stack[frame].cascade = DeleteFrame.Cascade(
                targets: try links.links.list(of: key, side).keys, calledHooks: context.calledHooks)
        }
    }

    /// Deletes the next target of a cascade, or ends the cascade.
    private mutating func followCascade(_ frame: Int) throws {
        let end = stack[frame].ends[stack[frame].done]
        let key = stack[frame].key
        let (links, side) = try context.linksForWriting(end)
        if let current = stack[frame].cascade?.current {
            try links.remove(key, [current], side, ignoringDamage: ignoresDamage)
            stack[frame].cascade?.current = nil
        }
        guard let target = stack[frame].cascade?.next() else {
            stack[frame].cascade = nil
            stack[frame].done += 1
            return
        }
        // A hook may have removed the link.
        guard
            try stack[frame].cascade?.calledHooks == context.calledHooks || links.links.holds(key, target, side)
        else { return }
        stack[frame].cascade?.current = target
        _ = try enter(end.description.target, target)
    }

    private func leave(_ frame: DeleteFrame) throws {
        for (links, side) in try context.incomingLinksForWriting(of: frame.type.schema.keyPrefix) {
            try links.removeAll(frame.key, side, ignoringDamage: ignoresDamage)
        }
        try frame.entity?.callDidDelete(in: context)
    }
}

extension TransactionContext {
    /// Removes all links of an entity in a relation.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well.
    func removeAllLinks(_ end: RelationEnd, of key: [UInt8], ignoringDamage: Bool = false) throws {
        try translatingErrors {
            guard let (links, side) = try storedLinksForWriting(end) else { return }
            try links.removeAll(key, side, ignoringDamage: ignoringDamage)
        }
    }

    /// Notes a relation whose rule is to deny, for the end of the statement.
    fileprivate func deferDenial(_ end: RelationEnd, of key: [UInt8], ignoringDamage: Bool) {
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
            try context.removeAllLinks(end, of: key, ignoringDamage: ignoringDamage)
        }
    }
}
