// An entity whose relations are being saved, one after another.

import TroveCoding

/// The frame of an entity of any type.
protocol AnySavingFrame: AnyObject {
    var key: [UInt8] { get }
    /// The prefix of the targets' type in the relation that is being saved; nil if all relations are saved.
    var targetPrefix: UInt32? { get }

    /// Returns whether the record of the entity is a part of the statement, and of a type.
    func savesRecord(of keyPrefix: UInt32) -> Bool

    /// Saves entities inside the relation, up to the first that is more than a record to write, or that has one of the
    /// outer keys.
    func saveRecords(inside outer: [[UInt8]], _ context: TransactionContext) throws

    /// Calls a visitor with the next entity inside the relation. Returns false if there is none.
    func visitNext(_ visitor: inout some EntityVisitor) throws -> Bool

    /// Notes an entity inside the relation that a collision rule left unsaved.
    func noteUnsaved(_ key: [UInt8], _ schema: RecordSchema)

    /// Saves the links of the relation, and moves to the next relation.
    func saveLinks(_ context: TransactionContext) throws

    /// Ends the save of the entity, after all its relations.
    func finish(_ context: TransactionContext) throws
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
    init(_ entity: Entity, key: [UInt8], record: SavedRecord<Entity>, in context: TransactionContext) {
        self.entity = entity
        self.key = key
        self.record = record
        indices = relations.indices
        relation = indices.lowerBound
        removedEntities = context.entityCounts.value.removedEntities
        skipUnsetRelations()
    }

    /// - Parameter relation: The only relation to save, without the entity itself.
    init(_ entity: Entity, key: [UInt8], only relation: Int, in context: TransactionContext) throws {
        self.entity = entity
        self.key = key
        indices = relation..<relation + 1
        self.relation = relation
        // An entity that is not stored can have links. Its count never equals the count of a transaction.
        removedEntities =
            try context.hasRecord(Entity.schema, key) ? context.entityCounts.value.removedEntities : Self.isNeverStored
        skipUnsetRelations()
    }

    private static var isNeverStored: Int { -1 }

    /// Whether there are entities inside the relations.
    var holdsEntities: Bool {
        for index in indices where relations[index].accessor.holdsEntities(of: entity) { return true }
        return false
    }

    private func skipUnsetRelations() {
        while relation < indices.upperBound, relations[relation].accessor.isNone(in: entity) { relation += 1 }
    }

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
    var targetPrefix: UInt32? {
        relation < indices.upperBound ? relations[relation].description.target.schema.keyPrefix : nil
    }

    func savesRecord(of keyPrefix: UInt32) -> Bool { record != nil && Entity.schema.keyPrefix == keyPrefix }

    func saveRecords(inside outer: [[UInt8]], _ context: TransactionContext) throws {
        count = try relations[relation].accessor.saveRecords(of: entity, from: count, inside: outer, in: context)
    }

    func visitNext(_ visitor: inout some EntityVisitor) throws -> Bool {
        let known = count
        count = try relations[relation].accessor.forEachEntity(of: entity, from: known, &visitor)
        return count > known
    }

    func noteUnsaved(_ key: [UInt8], _ schema: RecordSchema) { unsaved[key] = schema }

    func saveLinks(_ context: TransactionContext) throws {
        if try !isDeleted(context) {
            try context.change(try Entity.declaredRelations()[relation], of: key, try linkChange(context))
        }
        relation += 1
        (count, unsaved) = (0, [:])
        skipUnsetRelations()
    }

    func finish(_ context: TransactionContext) throws {
        guard let record, !Entity.hasDefault(.didSave), try !isDeleted(context) else { return }
        let stored = record.entity(withRelationsOf: entity)
        try context.keepRecords(of: stored, key)
        try context.calling(hookOf: stored) { try stored.didSave(to: context) }
    }

    /// Returns the change of the relation's links. An entity that a collision rule left unsaved is not linked, unless
    /// it is stored with other values.
    private func linkChange(_ context: TransactionContext) throws -> LinkChange {
        let change = relations[relation].accessor.change(by: entity)
        if unsaved.isEmpty { return change }
        return try change.filter { key in try unsaved[key].map { try context.hasRecord($0, key) } ?? true }
    }

    /// Returns whether the entity was stored, and has been deleted since and not been saved again.
    private func isDeleted(_ context: TransactionContext) throws -> Bool {
        // A deleted entity may be saved again, which is not counted.
        if removedEntities != Self.isNeverStored,
            !mayHaveLinks || removedEntities != context.entityCounts.value.removedEntities
        {
            mayHaveLinks = try context.hasRecord(Entity.schema, key)
            removedEntities = context.entityCounts.value.removedEntities
        }
        return !mayHaveLinks
    }
}
