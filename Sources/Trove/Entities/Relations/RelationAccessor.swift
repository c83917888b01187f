// The access to a relation of an entity whose target type is not known at the call.

import LMDB
import TroveCoding

/// Reads and sets a relation of an owner.
///
/// Code that knows only the owner's type calls the methods. Code that needs the target's type opens the existential:
/// it passes the accessor to a generic function. An accessor is an object, so that a list of relations is cheap to
/// walk.
@usableFromInline
protocol RelationAccessor<Owner>: AnyObject, Sendable {
    associatedtype Owner: EntityModelProtocol
    associatedtype Target: EntityModelProtocol

    /// The declaration, without generic parameters.
    var description: RelationDescription { get }

    /// Returns the relation.
    func state(of owner: borrowing Owner) -> RelationState<Target>

    /// Sets the relation.
    func set(_ state: RelationState<Target>, in owner: inout Owner)

    /// Returns whether the relation is unset.
    func isNone(in owner: borrowing Owner) -> Bool

    /// Sets the relation of owners to the targets chosen for each, as `TargetValues` does.
    var handOut: HandOut<Owner, Target> { get }

    /// The loops over targets.
    var code: TargetCode<Target> { get }
}

/// Sets the relation of owners to targets.
@usableFromInline
typealias HandOut<Owner, Target: EntityModelProtocol> =
    @Sendable (
        TargetValues<Target>, ChosenTargets, NestedForm, _ owners: inout [Owner], _ places: [Int32]
    ) -> Void

/// Reads and sets a relation by closures, which are much faster than key paths.
@usableFromInline
final class ClosureAccessor<
    Owner: EntityModelProtocol, Target: EntityModelProtocol, Directionality: DirectionalityProtocol,
    Cardinality: CardinalityProtocol, Constraints: ConstraintsProtocol
>: RelationAccessor where Cardinality.Entity == Target {
    @usableFromInline typealias Value = Relation<Target, Directionality, Cardinality, Constraints>

    @usableFromInline let description: RelationDescription
    @usableFromInline let code: TargetCode<Target>
    @usableFromInline let handOut: HandOut<Owner, Target>
    private let get: @Sendable (borrowing Owner) -> Value
    private let set: @Sendable (inout Owner, Value) -> Void

    @usableFromInline
    init(
        _ description: RelationDescription, _ code: TargetCode<Target>,
        handOut: @escaping HandOut<Owner, Target>, get: @escaping @Sendable (borrowing Owner) -> Value,
        set: @escaping @Sendable (inout Owner, Value) -> Void
    ) {
        self.description = description
        self.code = code
        self.handOut = handOut
        self.get = get
        self.set = set
    }

    @usableFromInline
    func state(of owner: borrowing Owner) -> RelationState<Target> { get(owner).state }

    @usableFromInline
    func set(_ state: RelationState<Target>, in owner: inout Owner) { set(&owner, Relation(state)) }

    @usableFromInline
    func isNone(in owner: borrowing Owner) -> Bool { get(owner).isNone }
}

// MARK: Changes by saves

extension RelationAccessor {
    /// Returns the change of the relation's links by a save of the owner.
    func change(by owner: Owner) -> LinkChange {
        switch state(of: owner) {
        case .none: .none
        case .null: .set(KeyList())
        case .id(let id): .set(KeyList(id))
        case .entity(let entity, _): .set(KeyList(entity.id))
        case .ids(let ids, let isSlice): .list(of: code.keysOfIDs(ids), isSlice: isSlice)
        case .entities(let entities, _, let isSlice): .list(of: code.keys(entities), isSlice: isSlice)
        }
    }

    /// Returns whether there are entities inside the relation.
    func holdsEntities(of owner: Owner) -> Bool {
        switch state(of: owner) {
        case .entity: true
        case .entities(let entities, _, _): !entities.isEmpty
        case .none, .null, .id, .ids: false
        }
    }

    /// Saves entities inside a list from an index on, up to the first entity that is more than a record to write, or
    /// that has one of the outer keys.
    ///
    /// - Returns: The number of entities that have been skipped or saved.
    func saveRecords(
        of owner: Owner, from start: Int, inside outer: [[UInt8]], in context: TransactionContext
    ) throws -> Int {
        guard case .entities(let entities, let isFragment, _) = state(of: owner) else { return start }
        return try code.saveRecords(entities, start, isFragment, outer, context)
    }

    /// Calls a visitor with the entities inside the relation, in order.
    ///
    /// - Parameter start: The number of entities to skip.
    /// - Returns: The number of entities that have been skipped or visited.
    func forEachEntity(of owner: Owner, from start: Int, _ visitor: inout some EntityVisitor) throws -> Int {
        switch state(of: owner) {
        case .entity(let entity, let isFragment):
            if start == 0 { _ = try visitor.visit(entity, isFragment: isFragment) }
            return 1
        case .entities(let entities, let isFragment, _):
            for index in start..<entities.count {
                if try visitor.visit(entities[index], isFragment: isFragment) == .stop { return index + 1 }
            }
            return entities.count
        case .none, .null, .id, .ids: return 0
        }
    }

    /// Sets the relation to unset.
    func unset(in owner: inout Owner) { set(.none, in: &owner) }

    /// Sets the relation as in another owner.
    func copy(from other: Owner, to owner: inout Owner) { set(state(of: other), in: &owner) }

    /// Sets the relation to the targets with these keys, without their entities.
    ///
    /// - Parameter isSlice: Whether the keys are a part of the list.
    /// - Throws: `CodingError` if a key is not an id of the target.
    func setIDs(_ keys: KeyList, isSlice: Bool = false, in owner: inout Owner) throws(CodingError) {
        var ids: [Target.ID] = []
        for key in keys { ids.append(try key.component()) }
        if description.isToMany {
            set(.ids(ids, isSlice: isSlice), in: &owner)
        } else {
            set(ids.first.map { .id($0) } ?? .none, in: &owner)
        }
    }
}
