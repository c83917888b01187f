// An entity that is being saved. A graph is a stack of these, so that its depth is not limited by the thread's stack.

/// The maximum depth of a graph.
let graphLimit = 1000

/// A frame of an entity of any type.
protocol AnySavingFrame: AnyObject {
    /// Saves the next entities and links.
    ///
    /// - Parameter depth: The number of entities around the next entity.
    /// - Returns: The frame of an entity inside that has to be finished first; nil if the entity is saved.
    func next(_ context: TransactionContext, depth: Int) throws -> (any AnySavingFrame)?
}

/// An entity whose record is saved, and the progress of its relations.
final class SavingFrame<Entity: EntityModelProtocol> {
    private let entity: Entity
    private let key: [UInt8]
    private let relations = Entity.relations
    /// The relations to save.
    private let indices: Range<Int>
    /// Whether the entity's own record is a part of the statement.
    private let savesRecord: Bool
    /// The relation that is being saved.
    private var relation: Int
    /// The number of entities inside it that are saved.
    private var count = 0
    /// The entities inside it that a collision rule left unsaved, and their type.
    private var unsaved: [[UInt8]: RecordSchema] = [:]

    /// - Parameter relation: The only relation to save, without the entity itself; nil for all.
    init(_ entity: Entity, _ key: [UInt8], only relation: Int? = nil) {
        self.entity = entity
        self.key = key
        indices = relation.map { $0..<$0 + 1 } ?? relations.indices
        savesRecord = relation == nil
        self.relation = indices.lowerBound
    }

    /// Whether there are entities inside the relations.
    var holdsEntities: Bool {
        for index in indices where relations[index].holdsEntities(of: entity) { return true }
        return false
    }

    /// Saves the links of an entity without entities inside its relations.
    func saveLinks(_ context: TransactionContext) throws { _ = try next(context, depth: 0) }
}

extension SavingFrame: AnySavingFrame {
    func next(_ context: TransactionContext, depth: Int) throws -> (any AnySavingFrame)? {
        while relation < indices.upperBound {
            let declared = relations[relation]
            if !declared.isNone(in: entity) {
                if let inside = try saveEntities(declared, context, depth) { return inside }
                try context.change(try Entity.relationEnds()[relation], of: key, change(declared, context))
            }
            relation += 1
            (count, unsaved) = (0, [:])
        }
        if savesRecord, !Entity.hasDefault(.didSave) {
            try context.keepRecords(of: entity, key)
            try context.calling(hookOf: entity) { try entity.didSave(to: context) }
        }
        return nil
    }
}

extension SavingFrame {
    /// Saves the rest of the entities inside a relation, up to the first with entities inside its own relations.
    ///
    /// - Returns: The frame of that entity; nil if all are saved.
    private func saveEntities(
        _ declared: EntityRelation<Entity>, _ context: TransactionContext, _ depth: Int
    ) throws -> (any AnySavingFrame)? {
        var visitor = SavingVisitor(context, depth)
        while true {
            if depth < graphLimit { count = try declared.saveRecords(of: entity, from: count, in: context) }
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
            guard let inside = try stack[last].next(self, depth: stack.count) else {
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
    /// Its frame, if there are entities inside its own relations.
    var unfinished: (any AnySavingFrame)?
    /// The key and the type of the entity, if a collision rule left it unsaved.
    var unsaved: (key: [UInt8], schema: RecordSchema)?

    init(_ context: TransactionContext, _ depth: Int) {
        self.context = context
        self.depth = depth
    }

    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
        guard depth < graphLimit else {
            throw StoreError.graphTooDeep(type: Entity.schema.name, key: entity.storedKey, limit: graphLimit)
        }
        let strategy = isFragment ? Entity.fragmentMergeStrategy : Entity.defaultMergeStrategy
        let (isSaved, rest) = try context.begin(entity, strategy, onConflict: .replace)
        unfinished = rest
        if !isSaved { unsaved = (KeyWriter.bytes { entity.encodeKey(into: &$0) }, Entity.schema) }
        return .stop
    }
}
