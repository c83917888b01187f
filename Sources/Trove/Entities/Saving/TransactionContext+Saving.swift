// Saves entities: their records, the entities inside their relations, and the links.
//
// The order for one entity:
//
//     willSave · merge with the stored record · own record and indexes · for each relation in the order of declaration:
//     the entities in it by the same procedure, then its links · didSave
//
// So where a graph contradicts itself, the outer entity wins over the entities inside it, and a later sibling over an
// earlier one.

import LMDB
import TroveCoding

/// The maximum depth of a graph.
private let graphLimit = 1000

extension EntityModelProtocol {
    /// Saves an entity for the code that stores records of any type.
    static func save(
        _ record: UntypedRecord, onConflict rule: ConflictRule, in context: TransactionContext
    ) throws -> Bool {
        try context.saveGraph(record.record(as: Self.self), defaultMergeStrategy, onConflict: rule)
    }

    /// Whether saving the entity writes its record alone, and calls no code of the type.
    fileprivate var isPlain: Bool {
        Self.hasDefault(.saving) && Self.relations.allSatisfy { $0.isNone(in: self) }
    }
}

extension TransactionContext {
    /// Saves an entity with the entities inside its relations: all or nothing.
    ///
    /// - Parameters:
    ///   - strategy: The combination with the stored entity.
    ///   - rule: The treatment of a stored entity.
    /// - Returns: False if a rule left the entity unsaved.
    func saveGraph<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule = .replace
    ) throws -> Bool {
        if entity.isPlain { return try save(entity, strategy, onConflict: rule, depth: 0) }
        return try part { try $0.save(entity, strategy, onConflict: rule, depth: 0) }
    }

    /// Runs a closure as a statement, or as a part of the statement under way: an error undoes it alone.
    func part<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        guard isStatement else { return try statement(body) }
        return try nested { context in
            context.isStatement = true
            return try body(context)
        }
    }

    /// Saves an entity, in a statement unless it is plain.
    fileprivate func save<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule, depth: Int
    ) throws -> Bool {
        let depth = max(depth, graphDepth)
        guard depth < graphLimit else {
            throw StoreError.graphTooDeep(type: Entity.schema.name, limit: graphLimit)
        }
        let key = KeyWriter.bytes { entity.encodeKey(into: &$0) }
        guard key.count <= KeyWriter.sizeLimit else {
            throw StoreError.keyTooLarge(type: Entity.schema.name, size: key.count, limit: KeyWriter.sizeLimit)
        }
        if rule != .replace, try hasRecord(Entity.schema, key) {
            if rule == .throw {
                throw StoreError.keyExists(type: Entity.schema.name, key: Entity.schema.storedKey(key))
            }
            return false
        }
        var copy = entity
        if !Entity.hasDefault(.willSave) {
            try atDepth(depth + 1) { try copy.willSave(to: self) }
            try checkKey(of: copy, is: key)
        }
        var merged = copy
        if strategy.combine != nil, let stored = try record(of: key, Entity.self) {
            merged = strategy.merge(stored, new: copy)
            try checkKey(of: merged, is: key)
        }
        guard try key.withRawSpan({ try replaceIndexed($0, with: merged, onConflict: .replace) }) else {
            return false
        }
        try saveRelations(of: copy, key, depth: depth)
        if !Entity.hasDefault(.didSave) { try atDepth(depth + 1) { try copy.didSave(to: self) } }
        return true
    }

    private func saveRelations<Entity: EntityModelProtocol>(of entity: Entity, _ key: [UInt8], depth: Int) throws {
        for (index, relation) in Entity.relations.enumerated() where !relation.isNone(in: entity) {
            try save(relation, of: entity, try Entity.relationEnds()[index], key, depth: depth)
        }
    }

    /// Saves the entities inside a relation, and then its links.
    func save<Entity: EntityModelProtocol>(
        _ relation: EntityRelation<Entity>, of entity: Entity, _ end: RelationEnd, _ key: [UInt8], depth: Int
    ) throws {
        var visitor = SavingVisitor(context: self, depth: depth + 1)
        try relation.forEachEntity(of: entity, &visitor)
        try change(end, of: key, relation.change(by: entity))
    }

    /// Changes the links of an entity.
    func change(_ end: RelationEnd, of key: [UInt8], _ change: LinkChange) throws {
        if case .none = change { return }
        // An empty list of a relation without links needs no table.
        if case .set(let targets) = change, targets.isEmpty, stored(end.links) == nil { return }
        try translatingErrors {
            let (links, side) = try linksForWriting(end)
            switch change {
            case .none: break
            case .set(let targets) where end.description.isToMany:
                try links.replace(key, with: targets.map(Array.init), side)
            case .set(let targets):
                if let target = targets.first {
                    try links.set(key, to: Array(target), side)
                } else {
                    try links.removeAll(key, side)
                }
            case .append(let targets): try links.append(key, targets.map(Array.init), side)
            }
        }
    }

    /// Returns whether a record has a key.
    func hasRecord(_ schema: RecordSchema, _ key: [UInt8]) throws -> Bool {
        guard let table = try table(for: schema) else { return false }
        return try translatingErrors { try keyspace.withEntry(table.database, key) { _, _ in } }
    }

    private func checkKey<Entity: EntityModelProtocol>(of entity: Entity, is key: [UInt8]) throws {
        guard KeyWriter.bytes(encoding: entity) == key else {
            throw StoreError.keyChanged(type: Entity.schema.name, key: Entity.schema.storedKey(key))
        }
    }

    /// Calls a hook. A hook's own saves count as levels of the graph.
    private func atDepth(_ depth: Int, _ hook: () throws -> Void) throws {
        let outer = graphDepth
        graphDepth = depth
        defer { graphDepth = outer }
        try hook()
    }
}

extension KeyWriter {
    fileprivate static func bytes(encoding entity: some EntityModelProtocol) -> [UInt8] {
        bytes { entity.encodeKey(into: &$0) }
    }
}

/// Saves the entities inside a relation.
private struct SavingVisitor: EntityVisitor {
    let context: TransactionContext
    let depth: Int

    func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws {
        _ = try context.save(
            entity, isFragment ? Entity.fragmentMergeStrategy : Entity.defaultMergeStrategy, onConflict: .replace,
            depth: depth)
    }
}
