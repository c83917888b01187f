// Saves of entities: their records, the entities inside their relations, and the links.
//
// The order for one entity:
//
//     willSave · merge with the stored record · own record and indexes · for each relation in the order of declaration:
//     the entities in it by the same procedure, then its links · a deleted entity of the id goes · stamp · didSave
//
// So where a graph contradicts itself, the links of an outer entity win over the links of the entities inside it, and a
// later sibling wins over an earlier one. An entity that occurs twice is saved twice, in this order. An entity inside
// itself adds properties only where the outer entity leaves them open (`SavingFrame.save(inner:)`).

import TroveCoding

/// The maximum depth of a graph.
let graphLimit = 1000

/// The save of an entity with all entities inside it.
///
/// The entities whose relations are being saved are a stack, so that the depth of a graph is not limited by the
/// thread's stack.
struct GraphSave {
    private let context: TransactionContext
    /// The entities whose relations are being saved, the outermost first.
    private var stack: [any AnySavingFrame] = []
    /// Whether entities of the type of the visited entities are on the stack.
    private var hasOuterEntities = false

    init(_ context: TransactionContext) { self.context = context }

    /// Saves an entity.
    ///
    /// - Parameters:
    ///   - strategy: The combination with the stored entity.
    ///   - rule: The treatment of a stored entity.
    /// - Returns: False if a rule left the entity unsaved.
    mutating func save<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule
    ) throws -> Bool {
        let isSaved = try begin(entity, strategy, onConflict: rule)
        try finish()
        return isSaved
    }

    /// Saves the entities inside a relation, and its links. The entity itself is not saved.
    mutating func saveRelation<Entity: EntityModelProtocol>(_ index: Int, of entity: Entity, _ key: [UInt8]) throws {
        stack.append(try SavingFrame(entity, key: key, only: index, in: context))
        try finish()
    }

    /// Saves the rest of the entities of the stack.
    private mutating func finish() throws {
        while let frame = stack.last {
            guard let target = frame.targetPrefix else {
                try frame.finish(context)
                stack.removeLast()
                continue
            }
            if try saveEntities(inside: frame, ofType: target) { try frame.saveLinks(context) }
        }
    }

    /// Saves the rest of the entities inside a relation, up to the first with entities inside its own relations.
    ///
    /// - Parameters:
    ///   - frame: The last frame of the stack.
    ///   - target: The prefix of the targets' type.
    /// - Returns: Whether all are saved. Otherwise, an entity inside is on the stack, and has to be finished first.
    private mutating func saveEntities(inside frame: any AnySavingFrame, ofType target: UInt32) throws -> Bool {
        let depth = stack.count
        let outerKeys = stack.compactMap { $0.savesRecord(of: target) ? $0.key : nil }
        hasOuterEntities = !outerKeys.isEmpty
        repeat {
            if depth < graphLimit { try frame.saveRecords(inside: outerKeys, context) }
            guard try frame.visitNext(&self) else { return true }
        } while stack.count == depth
        return false
    }

    // MARK: An entity

    /// Saves the record of an entity, and its links. If there are entities inside its relations, the entity is on the
    /// stack instead, and has to be finished.
    ///
    /// - Parameter outer: The frame of the same entity, if this one is inside it.
    /// - Returns: False if a rule left the entity unsaved.
    private mutating func begin<Entity: EntityModelProtocol>(
        _ entity: Entity, _ strategy: MergeStrategy<Entity>, onConflict rule: ConflictRule,
        inside outer: SavingFrame<Entity>? = nil
    ) throws -> Bool {
        let schema = Entity.schema
        if rule == .replace, outer == nil, strategy.combine == nil, schema.isSavedAlone, entity.isNormalized {
            try context.saveAlone(entity)
            return true
        }
        let key = KeyWriter.bytes { entity.encodeKey(into: &$0) }
        guard key.count <= KeyWriter.sizeLimit else {
            throw StoreError.record(.keyTooLarge(type: schema.name, size: key.count, limit: KeyWriter.sizeLimit))
        }
        if rule != .replace, try context.hasRecord(schema, key) {
            if rule == .throw { throw StoreError.record(.keyExists(type: schema.name, key: schema.storedKey(key))) }
            return false
        }
        if strategy.combine == nil, outer == nil, Entity.hasDefault(.willSave) {
            guard try context.saveRecord(entity, key) else { return false }
            try saveRelations(of: entity, key)
            return true
        }
        var copy = entity
        if !Entity.hasDefault(.willSave) {
            try context.calling(hookOf: entity) { try copy.willSave(to: context) }
            try context.checkKey(of: copy, is: key)
        }
        if let outer, try context.hasRecord(schema, key), let record = try outer.save(inner: copy, context) {
            try saveRelations(of: copy, key, record)
            return true
        }
        var record = SavedRecord(saved: copy, strategy: strategy, isMerged: false)
        if strategy.combine != nil, let stored = try context.record(of: key, Entity.self) {
            record.former = stored
            record.saved = strategy.merge(stored, new: copy)
            record.isMerged = true
            try context.checkKey(of: record.saved, is: key)
        }
        guard try context.saveRecord(record.saved, key) else { return false }
        try saveRelations(of: copy, key, record)
        return true
    }

    /// Saves the relations of an entity. If there are entities inside of them, it puts the entity on the stack instead.
    ///
    /// - Parameter record: The saved record; nil for the entity itself.
    private mutating func saveRelations<Entity: EntityModelProtocol>(
        of entity: Entity, _ key: [UInt8], _ record: SavedRecord<Entity>? = nil
    ) throws {
        if Entity.hasDefault(.didSave), entity.isNormalized { return }
        let record = record ?? SavedRecord(saved: entity, strategy: .replace, isMerged: false)
        let frame = SavingFrame(entity, key: key, record: record, in: context)
        if frame.holdsEntities { return stack.append(frame) }
        while frame.targetPrefix != nil { try frame.saveLinks(context) }
        try frame.finish(context)
    }
}

extension GraphSave: EntityVisitor {
    /// Saves the next entity inside the last entity of the stack.
    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
        guard stack.count < graphLimit else {
            throw StoreError.entity(.graphTooDeep(type: Entity.schema.name, key: entity.storedKey, limit: graphLimit))
        }
        let parent = stack.last
        let strategy = isFragment ? Entity.fragmentMergeStrategy : Entity.defaultMergeStrategy
        let isSaved = try begin(entity, strategy, onConflict: .replace, inside: frame(around: entity))
        if !isSaved { parent?.noteUnsaved(KeyWriter.bytes { entity.encodeKey(into: &$0) }, Entity.schema) }
        return .stop
    }

    /// Returns the frame of the same entity around an entity; nil if it is not inside itself.
    private func frame<Entity: EntityModelProtocol>(around entity: Entity) -> SavingFrame<Entity>? {
        if !hasOuterEntities { return nil }
        let prefix = Entity.keyPrefix
        let key = KeyWriter.bytes { entity.encodeKey(into: &$0) }
        return stack.first { $0.savesRecord(of: prefix) && $0.key == key } as? SavingFrame<Entity>
    }
}
