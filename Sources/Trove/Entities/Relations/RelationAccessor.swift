// The access to a relation of an entity whose target type is not known at the call.

/// Reads and sets a relation of an owner.
///
/// Code that knows only the owner's type calls the methods. Code that needs the target's type opens the existential:
/// it passes the accessor to a generic function.
@usableFromInline
protocol RelationAccessor<Owner>: Sendable {
    associatedtype Owner: EntityModelProtocol
    associatedtype Target: EntityModelProtocol

    /// Returns the relation.
    func state(of owner: Owner) -> RelationState<Target>

    /// Sets the relation.
    func set(_ state: RelationState<Target>, in owner: inout Owner)

    /// Returns whether the relation is unset.
    func isNone(in owner: Owner) -> Bool
}

/// Reads and sets a relation by closures, which are much faster than key paths.
@usableFromInline
struct ClosureAccessor<Owner: EntityModelProtocol, Target: EntityModelProtocol>: RelationAccessor {
    @usableFromInline let get: @Sendable (Owner) -> RelationState<Target>
    @usableFromInline let set: @Sendable (inout Owner, RelationState<Target>) -> Void

    @inlinable
    init(
        get: @escaping @Sendable (Owner) -> RelationState<Target>,
        set: @escaping @Sendable (inout Owner, RelationState<Target>) -> Void
    ) {
        self.get = get
        self.set = set
    }

    @inlinable
    func state(of owner: Owner) -> RelationState<Target> { get(owner) }

    @inlinable
    func set(_ state: RelationState<Target>, in owner: inout Owner) { set(&owner, state) }

    @inlinable
    func isNone(in owner: Owner) -> Bool { get(owner).isNone }
}

// MARK: What saving does

extension RelationAccessor {
    /// Returns what saving the owner does to the links of the relation.
    func change(by owner: Owner) -> LinkChange {
        let state = state(of: owner)
        switch state {
        case .none: return .none
        case .null: return .set(KeyList())
        case .id(let id): return .set(KeyList(id))
        case .entity(let entity, _): return .set(KeyList(entity.id))
        case .ids(let ids, let isSlice): return .list(of: ids, isSlice: isSlice)
        case .entities(let entities, _, let isSlice): return .list(of: entities.lazy.map(\.id), isSlice: isSlice)
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

    /// Copies the relation from one owner to another.
    func copy(from source: Owner, to owner: inout Owner) { set(state(of: source), in: &owner) }

    /// Sets the relation to the targets with these keys, without their entities.
    ///
    /// - Parameter isSlice: Whether the keys are a part of the list.
    /// - Throws: `CodingError` if a key is not an id of the target.
    func setIDs(_ keys: KeyList, isToMany: Bool, isSlice: Bool, in owner: inout Owner) throws(CodingError) {
        var ids: [Target.ID] = []
        for key in keys { ids.append(try key.component()) }
        if isToMany {
            set(.ids(ids, isSlice: isSlice), in: &owner)
        } else {
            set(ids.first.map { .id($0) } ?? .none, in: &owner)
        }
    }
}

/// A visitor of entities of any types.
protocol EntityVisitor {
    /// Visits an entity.
    ///
    /// - Parameter isFragment: Whether the entity is incomplete.
    /// - Returns: Whether to visit the next entity.
    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl
}
