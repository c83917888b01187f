// An entity that is being saved. A graph is a stack of these, so that its depth is not limited by the thread's stack.

import TroveCoding

/// The maximum depth of a graph.
let graphLimit = 1000

/// A frame of an entity of any type.
protocol AnySavingFrame: AnyObject {
    /// The prefix of the entity's type.
    var keyPrefix: UInt32 { get }
    var key: [UInt8] { get }
    /// Whether the entity's own record is a part of the statement.
    var savesRecord: Bool { get }

    /// Saves the next entities and links.
    ///
    /// - Parameter stack: The frames of the entities around the next entity, the outermost first.
    /// - Returns: The frame of an entity inside that has to be finished first; nil if the entity is saved.
    func next(_ context: TransactionContext, in stack: [any AnySavingFrame]) throws -> (any AnySavingFrame)?
}

/// An entity whose record is saved, and the progress of its relations.
///
/// An entity inside can delete the entity, by a collision rule or in a hook. The entities inside it are then saved all
/// the same. It gets no links, nothing is kept of it, and ``EntityModelProtocol/didSave(to:)`` is not called.
final class SavingFrame<Entity: EntityModelProtocol> {
    /// The entity, with the relations to save.
    private let entity: Entity
    let key: [UInt8]
    /// The record; nil if it is not a part of the statement.
    private var record: SavedRecord<Entity>?
    private let relations = Entity.relations
    /// The relations to save.
    private let indices: Range<Int>
    /// The relation that is being saved.
    private var relation: Int
    /// The number of entities inside it that are saved.
    private var count = 0
    /// The entities inside it that a collision rule left unsaved, and their type.
    private var unsaved: [[UInt8]: RecordSchema] = [:]
    /// Whether links of the entity may be written.
    private var mayHaveLinks = true
    /// The number of removed entities when ``mayHaveLinks`` was last determined.
    private var removedEntities: Int

    /// - Parameter record: The saved record.
    init(_ entity: Entity, _ key: [UInt8], _ record: SavedRecord<Entity>, _ context: TransactionContext) {
        self.entity = entity
        self.key = key
        self.record = record
        indices = relations.indices
        relation = indices.lowerBound
        removedEntities = context.removedEntities
    }

    /// - Parameter relation: The only relation to save, without the entity itself.
    init(_ entity: Entity, _ key: [UInt8], only relation: Int, _ context: TransactionContext) throws {
        self.entity = entity
        self.key = key
        indices = relation..<relation + 1
        self.relation = relation
        // An entity that is not stored can have links. Its count never equals the count of a transaction.
        removedEntities = try context.hasRecord(Entity.schema, key) ? context.removedEntities : Self.isNeverStored
    }

    private static var isNeverStored: Int { -1 }

    var keyPrefix: UInt32 { Entity.schema.keyPrefix }
    var savesRecord: Bool { record != nil }

    /// Whether there are entities inside the relations.
    var holdsEntities: Bool {
        for index in indices where relations[index].holdsEntities(of: entity) { return true }
        return false
    }

    /// Saves the links of an entity without entities inside its relations.
    func saveLinks(_ context: TransactionContext) throws { _ = try next(context, in: []) }

    /// Saves the properties that an entity inside has of the same entity.
    ///
    /// The outer entity wins. If it replaces the stored entity, it has set all properties. Otherwise, the result is as
    /// if the inner entity were saved as a fragment, and the outer entity after it.
    ///
    /// - Returns: The record, for the relations of the inner entity.
    func save(inner: Entity, _ context: TransactionContext) throws -> SavedRecord<Entity>? {
        guard var record else { return nil }
        if record.strategy.combine != nil {
            var former = inner
            if let stored = record.former { former = Entity.fragmentMergeStrategy.merge(stored, new: inner) }
            let merged = record.strategy.merge(former, new: entity)
            try context.checkKey(of: merged, is: key)
            // A record without a change keeps the values that hooks have saved meanwhile.
            if try merged.currentBytes().fields != record.saved.currentBytes().fields,
                try context.saveRecord(merged, key)
            {
                record.former = former
                record.saved = merged
                self.record = record
            }
        }
        record.isMerged = true
        return record
    }
}

extension SavingFrame: AnySavingFrame {
    func next(_ context: TransactionContext, in stack: [any AnySavingFrame]) throws -> (any AnySavingFrame)? {
        while relation < indices.upperBound {
            let declared = relations[relation]
            if !declared.isNone(in: entity) {
                if let inside = try saveEntities(declared, context, stack) { return inside }
                if try !isDeleted(context) {
                    try context.change(try Entity.relationEnds()[relation], of: key, change(declared, context))
                }
            }
            relation += 1
            (count, unsaved) = (0, [:])
        }
        if let record, !Entity.hasDefault(.didSave), try !isDeleted(context) {
            let stored = record.entity(withRelationsOf: entity)
            try context.keepRecords(of: stored, key)
            try context.calling(hookOf: stored) { try stored.didSave(to: context) }
        }
        return nil
    }

    /// Returns whether the entity was stored, and has been deleted since and not been saved again.
    private func isDeleted(_ context: TransactionContext) throws -> Bool {
        // A deleted entity may be saved again, which is not counted.
        if removedEntities != Self.isNeverStored, !mayHaveLinks || removedEntities != context.removedEntities {
            mayHaveLinks = try context.hasRecord(Entity.schema, key)
            removedEntities = context.removedEntities
        }
        return !mayHaveLinks
    }
}

extension SavingFrame {
    /// Saves the rest of the entities inside a relation, up to the first with entities inside its own relations.
    ///
    /// - Returns: The frame of that entity; nil if all are saved.
    private func saveEntities(
        _ declared: EntityRelation<Entity>, _ context: TransactionContext, _ stack: [any AnySavingFrame]
    ) throws -> (any AnySavingFrame)? {
        let target = declared.description.target.schema.keyPrefix
        let outer = stack.filter { $0.keyPrefix == target && $0.savesRecord }
        let outerKeys = outer.map { $0.key }
        var visitor = SavingVisitor(context, stack.count, outer)
        while true {
            if stack.count < graphLimit {
                count = try declared.saveRecords(of: entity, from: count, inside: outerKeys, in: context)
            }
            let known = count
            count = try declared.forEachEntity(of: entity, from: known, &visitor)
            if let (key, schema) = visitor.unsaved.take() { unsaved[key] = schema }
            if count == known || visitor.unfinished != nil { return visitor.unfinished }
        }
    }
}

extension SavingFrame {
    /// Returns the change of a relation's links. An entity that a collision rule left unsaved is not linked, unless it
    /// is stored with other values.
    private func change(_ declared: EntityRelation<Entity>, _ context: TransactionContext) throws -> LinkChange {
        let change = declared.change(by: entity)
        if unsaved.isEmpty { return change }
        return try change.filter { key in try unsaved[key].map { try context.hasRecord($0, key) } ?? true }
    }
}

extension TransactionContext {
    /// Saves the rest of an entity.
    func finish(_ frame: any AnySavingFrame) throws {
        var stack = [frame]
        while let last = stack.indices.last {
            guard let inside = try stack[last].next(self, in: stack) else {
                stack.removeLast()
                continue
            }
            stack.append(inside)
        }
    }
}

/// Saves the next entity inside a relation.
private struct SavingVisitor: EntityVisitor {
    let context: TransactionContext
    let depth: Int
    /// The entities of the same type around the next entity, the outermost first.
    let outer: [any AnySavingFrame]
    /// Its frame, if there are entities inside its own relations.
    var unfinished: (any AnySavingFrame)?
    /// The key and the type of the entity, if a collision rule left it unsaved.
    var unsaved: (key: [UInt8], schema: RecordSchema)?

    init(_ context: TransactionContext, _ depth: Int, _ outer: [any AnySavingFrame]) {
        self.context = context
        self.depth = depth
        self.outer = outer
    }

    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
        guard depth < graphLimit else {
            throw StoreError.graphTooDeep(type: Entity.schema.name, key: entity.storedKey, limit: graphLimit)
        }
        let strategy = isFragment ? Entity.fragmentMergeStrategy : Entity.defaultMergeStrategy
        let (isSaved, rest) = try context.begin(entity, strategy, onConflict: .replace, inside: frame(of: entity))
        unfinished = rest
        if !isSaved { unsaved = (KeyWriter.bytes { entity.encodeKey(into: &$0) }, Entity.schema) }
        return .stop
    }

    /// Returns the frame of the same entity around this one.
    private func frame<Entity: EntityModelProtocol>(of entity: Entity) -> SavingFrame<Entity>? {
        if outer.isEmpty { return nil }
        let key = KeyWriter.bytes { entity.encodeKey(into: &$0) }
        return outer.first { $0.key == key } as? SavingFrame<Entity>
    }
}
