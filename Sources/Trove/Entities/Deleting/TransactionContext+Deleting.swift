// Deletes entities by the rules of their relations.
//
// The order for one entity:
//
//     willDelete · record and indexes · for each relation in the order of declaration: its rule · one-way links that
//     lead here · stamp · the deleted entity is kept, as it was before willDelete · didDelete
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
// meanwhile, the delete ends: the entity keeps the links that are left, and the links that the hook has added.

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
    /// called. If no entity is stored under the key, the time of its last save goes, which a program without this
    /// option may have left.
    static func deleteIgnoringDamage(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        do {
            guard try context.intactRecord(of: key, Self.self) != nil else {
                try deleteStamp(of: key, from: context)
                return false
            }
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
    static func removeRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        context.entityCounts.value.removedEntities += 1
        return try key.withRawSpan { key in
            if schema.indexes.isEmpty { return try context.remove(schema, key) }
            return try context.replaceIndexed(key, with: nil as Self?, onConflict: .replace)
        }
    }

    /// Removes a damaged record alone, and its index entries.
    fileprivate static func removeDamagedRecord(_ key: [UInt8], in context: TransactionContext) throws -> Bool {
        context.entityCounts.value.removedEntities += 1
        return try key.withRawSpan { try context.removeDamaged(Self.self, $0) }
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
    /// Returns the record with a key; nil if it is absent.
    ///
    /// A record with a wrong checksum throws, also if the store does not verify checksums.
    fileprivate func intactRecord<Record: IndexKeyRecord>(of key: [UInt8], _ type: Record.Type) throws -> Record? {
        guard let table = try table(for: Record.schema) else { return nil }
        var record: Record?
        _ = try keyspace.withEntry(table.database, key) { key, value in
            try table.verify(key, value)
            record = try Record.decode(key, value, table)
        }
        return record
    }

    /// Returns the entity with a key; nil if it is not stored.
    fileprivate func entity<Entity: EntityModelProtocol>(_ type: Entity.Type, _ key: [UInt8]) throws -> Entity? {
        try record(of: key, Entity.self)
    }
}

/// The deletion of an entity with all entities that its relations take along.
private struct CascadingDelete {
    private let context: TransactionContext
    private let hookCalls: ValuePart<HookCalls>
    private let knownLinks: ValuePart<KnownLinks>
    /// Whether damaged links are removed as well.
    private let ignoresDamage: Bool
    /// The entities that are being deleted, the outermost first.
    private var stack: [DeleteFrame] = []

    init(_ context: TransactionContext, ignoringDamage: Bool) {
        self.context = context
        hookCalls = context.hookCalls
        knownLinks = context.knownLinks
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
        push(try context.deletePlan(type), key: key, entity: nil)
        try finish()
        return true
    }

    private mutating func finish() throws {
        while let frame = stack.last {
            if try isSavedAgain(frame) {
                stack.removeLast()
                continue
            }
            if frame.plan.generation != knownLinks.value.generation {
                frame.plan = try context.deletePlan(frame.plan.type)
            }
            if let cascade = frame.cascade {
                try follow(cascade, of: frame)
            } else if frame.done < frame.plan.relations.count {
                try applyRule(frame)
            } else {
                stack.removeLast()
                try leave(frame)
            }
        }
    }

    /// Removes the record of an entity. Returns false if it is not stored.
    private mutating func enter(_ type: any EntityModelProtocol.Type, _ key: [UInt8]) throws -> Bool {
        var plan = try context.deletePlan(type)
        var entity: (any EntityModelProtocol)?
        var deleted: (any DeletedEntity)?
        if plan.schema.entity?.hasDefault(.deleting) != true {
            guard let stored = try context.entity(type, key) as (any EntityModelProtocol)? else { return false }
            deleted = try deletedEntity(of: stored)
            try stored.callWillDelete(in: context)
            entity = stored
            plan = try context.deletePlan(type)
        }
        // The hook may have deleted it.
        guard try plan.removeRecord(key, in: context) else { return false }
        push(plan, key: key, entity: entity, deleted: deleted)
        return true
    }

    /// Returns the record that is kept of an entity. An entity whose links are too damaged to be read is not kept.
    private func deletedEntity(of entity: any EntityModelProtocol) throws -> (any DeletedEntity)? {
        do {
            return try entity.deletedEntity(in: context)
        } catch is StoreError where ignoresDamage {
            return nil
        }
    }

    /// Begins to follow the relations of an entity whose record has been removed.
    private mutating func push(
        _ plan: DeletePlan, key: [UInt8], entity: (any EntityModelProtocol)?, deleted: (any DeletedEntity)? = nil
    ) {
        stack.append(
            DeleteFrame(plan, key: key, entity: entity, deleted: deleted, calledHooks: hookCalls.value.count))
    }

    /// Returns whether a hook has saved the entity again.
    private func isSavedAgain(_ frame: DeleteFrame) throws -> Bool {
        if frame.calledHooks == hookCalls.value.count { return false }
        frame.calledHooks = hookCalls.value.count
        return try context.hasRecord(frame.plan.schema, frame.key)
    }

    /// Applies the rule of an entity's next relation.
    private func applyRule(_ frame: DeleteFrame) throws {
        let relation = frame.plan.relations[frame.done]
        frame.done += 1
        guard let links = relation.links else { return }
        switch relation.rule {
        case .nullify: try links.removeAll(frame.key, relation.side, ignoringDamage: ignoresDamage)
        case .deny:
            guard try ByteView.with(frame.key, { try links.links.first(of: $0, relation.side) }) != nil else { return }
            context.deferDenial(relation.declared, of: frame.key, ignoringDamage: ignoresDamage)
        case .cascade:
            let targets = try links.targets(of: frame.key, relation.side)
            if targets.isEmpty { return }
            frame.cascade = DeleteFrame.Cascade(
                relation: frame.done - 1, targets: targets, calledHooks: hookCalls.value.count)
        }
    }

    /// Deletes the next target of a cascade, or ends the cascade.
    private mutating func follow(_ cascade: DeleteFrame.Cascade, of frame: DeleteFrame) throws {
        let relation = frame.plan.relations[cascade.relation]
        let isUndisturbed = cascade.calledHooks == hookCalls.value.count
        if let current = cascade.current {
            let isRemoved =
                isUndisturbed && cascade.deletesCurrent && relation.declared.isRemovedByTarget && !ignoresDamage
            if !isRemoved {
                try relation.links?.remove(frame.key, [current], relation.side, ignoringDamage: ignoresDamage)
            }
            cascade.current = nil
        }
        guard let links = relation.links, let target = cascade.next() else {
            frame.cascade = nil
            return
        }
        // A hook may have removed the link.
        if try isUndisturbed || links.links.holds(frame.key, target, relation.side) {
            cascade.current = target
            cascade.deletesCurrent = try enter(relation.declared.description.target, target)
        }
    }

    private func leave(_ frame: DeleteFrame) throws {
        for (links, side) in frame.plan.incoming {
            try links.removeAll(frame.key, side, ignoringDamage: ignoresDamage)
        }
        try frame.plan.type.dropMetadata(of: frame.entity, frame.key, in: context)
        try frame.deleted?.keep(in: context)
        try frame.entity?.callDidDelete(in: context)
    }
}

extension TransactionContext {
    /// Removes all links of an entity in a relation.
    ///
    /// - Parameter ignoringDamage: Whether damaged links are removed as well.
    func removeAllLinks(_ relation: DeclaredRelation, of key: [UInt8], ignoringDamage: Bool = false) throws {
        try translatingErrors {
            guard let (links, side) = try linkWriter(of: relation) else { return }
            try links.removeAll(key, side, ignoringDamage: ignoringDamage)
        }
    }

    /// Notes a relation whose rule is to deny, for the end of the statement.
    fileprivate func deferDenial(_ relation: DeclaredRelation, of key: [UInt8], ignoringDamage: Bool) {
        deferredChecks.append { context in
            // A hook may have saved the entity again, with its links.
            guard try !context.hasRecord(relation.description.owner.schema, key),
                let (links, side) = try context.links(relation)
            else { return }
            let (owner, target) = (relation.description.owner.schema, relation.description.target.schema)
            if let other = try links.firstTarget(of: key, side, where: { try context.hasRecord(target, $0) }) {
                throw StoreError.entity(
                    .deleteDenied(
                        type: owner.name, key: owner.storedKey(key), relation: relation.description.property,
                        other: target.storedKey(other)))
            }
            try context.removeAllLinks(relation, of: key, ignoringDamage: ignoringDamage)
        }
    }
}

extension LinkTable {
    /// Returns the key of the first of an entity's targets that has a property; nil if none has.
    fileprivate func firstTarget(
        of owner: [UInt8], _ side: LinkSide, where isWanted: ([UInt8]) throws -> Bool
    ) throws -> [UInt8]? {
        var cursor = try LinkCursor(self, side, of: owner)
        while let link = try cursor.next() {
            let target = link.target.copy()
            if try isWanted(target) { return target }
        }
        return nil
    }
}
