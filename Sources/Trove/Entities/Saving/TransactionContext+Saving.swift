// Saves entities: the statement around a graph, and the record of an entity.

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
            func save(in context: TransactionContext) throws -> Bool {
                var graph = GraphSave(context)
                return try graph.save(entity, strategy, onConflict: rule)
            }
            return try entity.isPlain ? save(in: self) : statement(save)
        }
    }

    /// Saves the entities inside a relation, and its links. The entity itself is not saved.
    func saveRelation<Entity: EntityModelProtocol>(_ index: Int, of entity: Entity, _ key: [UInt8]) throws {
        try statement { context in
            var graph = GraphSave(context)
            try graph.saveRelation(index, of: entity, key)
        }
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
    func change(_ relation: DeclaredRelation, of key: [UInt8], _ change: LinkChange) throws {
        switch change {
        case .none: return
        case .append(let targets):
            guard !targets.isEmpty, let (links, side) = try linkWriter(of: relation, creates: true) else { return }
            try links.append(key, targets, side)
        case .set(let targets):
            // An empty list of a relation without links needs no table.
            guard let (links, side) = try linkWriter(of: relation, creates: !targets.isEmpty) else { return }
            if relation.description.isToMany {
                try links.replace(key, with: targets, side)
            } else if targets.isEmpty {
                try links.removeAll(key, side)
            } else {
                try links.set(key, to: targets, side)
            }
        }
    }

    /// Throws if an entity has another key.
    func checkKey<Entity: EntityModelProtocol>(of entity: Entity, is key: [UInt8]) throws {
        guard KeyWriter.bytes(encoding: entity) == key else {
            throw StoreError.record(.keyChanged(type: Entity.schema.name, key: Entity.schema.storedKey(key)))
        }
    }
}

extension KeyWriter {
    fileprivate static func bytes(encoding entity: some EntityModelProtocol) -> [UInt8] {
        bytes { entity.encodeKey(into: &$0) }
    }
}
