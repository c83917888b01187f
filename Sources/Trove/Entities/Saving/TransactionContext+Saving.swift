// Saves entities: their records, the entities inside their relations, and the links.
//
// The order for one entity:
//
//     willSave · merge with the stored record · own record and indexes · for each relation in the order of declaration:
//     the entities in it by the same procedure, then its links · a deleted entity of the id goes · stamp · didSave
//
// So where a graph contradicts itself, the links of an outer entity win over the links of the entities inside it, and a
// later sibling wins over an earlier one. An entity that occurs twice is saved twice, in this order. An entity inside
// itself adds properties only where the outer entity leaves them open (`SavingFrame.save(inner:)`).

import LMDB
import TroveCoding

extension EntityModelProtocol {
    /// Saves an entity for the code that stores records of any type.
    static func save(
        _ record: UntypedRecord, onConflict rule: ConflictRule, in context: TransactionContext
    ) throws -> Bool {
        try context.saveGraph(record.record(as: Self.self), defaultMergeStrategy, onConflict: rule)
    }

    /// Whether saving the entity writes its record alone, and calls no code of the type.
    fileprivate var isPlain: Bool { Self.hasDefault(.saving) && isNormalized }
}

extension TransactionContext {
    /// Saves an entity with the entities inside its relations: all or nothing.
    ///
    /// - Parameters:
    ///   - strategy: The combination with the stored entity.
    /// - Returns: False if a collision rule left the entity unsaved.
    @inlinable
    @inline(__always)
    func save<Entity: EntityModelProtocol>(_ entity: Entity, _ strategy: MergeStrategy<Entity>) throws -> Bool {
        if strategy.combine == nil, entity.isNormalized, Entity.schema.isSavedAlone {
            try saveAlone(entity)
            return true
        }
        return try saveGraph(entity, strategy)
    }

    /// Saves an entity with the entities inside its relations: all or nothing.
    ///
    /// - Parameters:
    ///   - strategy: The combination with the stored entity.
    ///   - rule: The treatment of a stored entity.
    /// - Returns: False if a rule left the entity unsaved.
    @usableFromInline
    func saveGraph<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule = .replace
    ) throws -> Bool {
        try translatingErrors {
            if entity.isPlain { return try begin(entity, strategy, onConflict: rule).isSaved }
            return try statement { context in
                let (isSaved, rest) = try context.begin(entity, strategy, onConflict: rule)
                if let rest { try context.finish(rest) }
                return isSaved
            }
        }
    }

    /// Saves the entities inside a relation, and its links. The entity itself is not saved.
    func saveRelation<Entity: EntityModelProtocol>(_ index: Int, of entity: Entity, _ key: [UInt8]) throws {
        try statement { context in
            try context.finish(try SavingFrame(entity, key, only: index, context))
        }
    }

    /// Saves the record of an entity, and all the rest of it unless there are entities inside its relations.
    ///
    /// - Parameter outer: The frame of the same entity, if this one is inside it.
    /// - Returns: Whether the entity is saved, or a rule left it unsaved; and the rest that is still to be saved.
    func begin<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule,
        inside outer: SavingFrame<Entity>? = nil
    ) throws -> (isSaved: Bool, rest: (any AnySavingFrame)?) {
        let schema = Entity.schema
        if rule == .replace, outer == nil, strategy.combine == nil, schema.isSavedAlone, entity.isNormalized {
            try saveAlone(entity)
            return (true, nil)
        }
        let key = KeyWriter.bytes { entity.encodeKey(into: &$0) }
        guard key.count <= KeyWriter.sizeLimit else {
            throw StoreError.keyTooLarge(type: schema.name, size: key.count, limit: KeyWriter.sizeLimit)
        }
        if rule != .replace, try hasRecord(schema, key) {
            if rule == .throw { throw StoreError.keyExists(type: schema.name, key: schema.storedKey(key)) }
            return (false, nil)
        }
        if strategy.combine == nil, outer == nil, Entity.hasDefault(.willSave) {
            guard try saveRecord(entity, key) else { return (false, nil) }
            return (true, try saveRelations(of: entity, key))
        }
        var copy = entity
        if !Entity.hasDefault(.willSave) {
            try calling(hookOf: entity) { try copy.willSave(to: self) }
            try checkKey(of: copy, is: key)
        }
        if let outer, try hasRecord(schema, key), let record = try outer.save(inner: copy, self) {
            return (true, try saveRelations(of: copy, key, record))
        }
        var record = SavedRecord(saved: copy, strategy: strategy, isMerged: false)
        if strategy.combine != nil, let stored = try self.record(of: key, Entity.self) {
            record.former = stored
            record.saved = strategy.merge(stored, new: copy)
            record.isMerged = true
            try checkKey(of: record.saved, is: key)
        }
        guard try saveRecord(record.saved, key) else { return (false, nil) }
        return (true, try saveRelations(of: copy, key, record))
    }

    /// Saves the relations of an entity, unless there are entities inside of them.
    ///
    /// - Parameter record: The saved record; nil for the entity itself.
    /// - Returns: The rest that is still to be saved.
    private func saveRelations<Entity: EntityModelProtocol>(
        of entity: Entity, _ key: [UInt8], _ record: SavedRecord<Entity>? = nil
    ) throws -> (any AnySavingFrame)? {
        if Entity.hasDefault(.didSave), entity.isNormalized { return nil }
        let record = record ?? SavedRecord(saved: entity, strategy: .replace, isMerged: false)
        let frame = SavingFrame(entity, key, record, self)
        if frame.holdsEntities { return frame }
        try frame.saveLinks(self)
        return nil
    }

    /// Saves the record of an entity, and its index entries. Returns false if a collision rule left it unsaved.
    func saveRecord<Entity: EntityModelProtocol>(_ entity: Entity, _ key: [UInt8]) throws -> Bool {
        do {
            return try key.withRawSpan { key in
                guard Entity.schema.indexes.isEmpty else {
                    return try replaceIndexed(key, with: entity, onConflict: .replace)
                }
                try replaceUnlessEqual(key, with: entity)
                return true
            }
        } catch let error as CodingError {
            throw StoreError(writing: Entity.schema.name, error)
        }
    }

    /// Changes the links of an entity.
    func change(_ end: RelationEnd, of key: [UInt8], _ change: LinkChange) throws {
        if case .none = change { return }
        if case .append(let targets) = change, targets.isEmpty { return }
        // An empty list of a relation without links needs no table.
        if case .set(let targets) = change, targets.isEmpty, try storedLinksForWriting(end) == nil { return }
        let (links, side) = try linksForWriting(end)
        switch change {
        case .none: break
        case .set(let targets) where end.description.isToMany: try links.replace(key, with: targets, side)
        case .set(let targets) where targets.isEmpty: try links.removeAll(key, side)
        case .set(let targets): try links.set(key, to: targets, side)
        case .append(let targets): try links.append(key, targets, side)
        }
    }

    func checkKey<Entity: EntityModelProtocol>(of entity: Entity, is key: [UInt8]) throws {
        guard KeyWriter.bytes(encoding: entity) == key else {
            throw StoreError.keyChanged(type: Entity.schema.name, key: Entity.schema.storedKey(key))
        }
    }
}

extension KeyWriter {
    fileprivate static func bytes(encoding entity: some EntityModelProtocol) -> [UInt8] {
        bytes { entity.encodeKey(into: &$0) }
    }
}
