// The requirements of an entity. `@EntityModel` generates the requirements without a default.

import TroveCoding

/// A record with an `id` as its key, and with relations to other entities.
///
/// Declare it with the macro:
///
/// ```swift
/// @EntityModel
/// struct Message {
///     let id: String
///     var text: String
///     @Relationship(.required, inverse: \.messages) var chat: Chat?
/// }
/// ```
///
/// Every requirement with a default can be implemented in an extension. A conformance by hand stores the same bytes.
public protocol EntityModelProtocol: IndexKeyRecord, Identifiable, EntityHolding where ID == IndexKey {
    /// The relations of the type, in the order of their declaration.
    ///
    /// Declare it as a `static let`: it is read once, and the order is relied on.
    static var relations: [EntityRelation<Self>] { get }

    /// The additional records that a store keeps of the type. By default none.
    static var entityOptions: EntityOptions { get }

    /// Sets all relations to ``Relation/none``. Saving a normalized entity keeps its stored links.
    mutating func normalize()

    /// Whether all relations are ``Relation/none``. A save of such an entity does not visit its relations.
    var isNormalized: Bool { get }

    /// Called before the entity is saved, also as a part of another entity.
    ///
    /// It can change properties and relations, except for the `id`; write in the context; or throw, which undoes the
    /// save. At most 32 hooks run within each other, so a hook that saves its own entity ends in
    /// ``StoreError/EntityError/hooksTooDeep(type:key:limit:)``. By default it does nothing.
    mutating func willSave(to context: TransactionContext) throws

    /// Called after the entity and its relations have been saved, unless a part of its graph has deleted it.
    ///
    /// The entity has the stored properties, as a merge strategy has combined them, and the relations that were given.
    /// It can write in the context; or throw, which undoes the save. At most 32 hooks run within each other. By default
    /// it does nothing.
    func didSave(to context: TransactionContext) throws

    /// Called before the stored entity is deleted, also by a delete rule.
    ///
    /// It can write in the context; or throw, which undoes the whole statement. Delete rules also apply to links that
    /// it adds: a hook that adds an entity to a cascade each time it is called does not end. At most 32 hooks run
    /// within each other, so a hook that deletes its own entity ends in
    /// ``StoreError/EntityError/hooksTooDeep(type:key:limit:)``. By default it does nothing.
    func willDelete(from context: TransactionContext) throws

    /// Called after the entity and its links have been deleted, unless another hook has saved the entity again
    /// meanwhile.
    ///
    /// It can write in the context, and save the entity again; or throw, which undoes the whole statement. The entities
    /// that it adds to a cascade are not deleted. At most 32 hooks run within each other. By default it does nothing.
    func didDelete(from context: TransactionContext) throws

    /// Returns the record that the store keeps of the entity after its delete; nil to keep nothing.
    ///
    /// Called before the entity is deleted and before ``willDelete(from:)``, if the type's ``entityOptions`` keep
    /// deleted entities. By default, it returns the entity with the ids of its links.
    func asDeleted(in context: ReadContext) throws -> Deleted<Self>?

    /// Stores the metadata that the store keeps of a saved entity in addition to its record.
    ///
    /// Called after the links are saved and before ``didSave(to:)``, if the type's ``entityOptions`` keep metadata. By
    /// default, it stores the time as the entity's stamp.
    func saveMetadata(to context: TransactionContext) throws

    /// Removes the metadata that ``saveMetadata(to:)`` has stored.
    ///
    /// Called after the links are removed and before ``didDelete(from:)``, if the type's ``entityOptions`` keep
    /// metadata. For an entity whose record is damaged, the stamp is removed without a call.
    func deleteMetadata(from context: TransactionContext) throws

    /// How an entity is combined with the stored entity of the same id. By default, it replaces it.
    static var defaultMergeStrategy: MergeStrategy<Self> { get }

    /// How an incomplete entity is combined with the stored entity of the same id. By default ``patch``.
    static var fragmentMergeStrategy: MergeStrategy<Self> { get }

    /// Keeps the stored value of each optional variable that is nil in the saved entity.
    static var patch: MergeStrategy<Self> { get }

    /// Returns a query with the relations that a bulk query requests: ``GraphShaping/with(_:)-(NestedRelations...)``.
    ///
    /// Bulk queries call it at every depth, for lists and for single entities. By default, it requests all relations of
    /// the type: ``Query/withAllRelations(_:)``. Implement it to leave a relation out, or to filter, sort or limit it.
    /// For the entities of the last depth there are no forms: filters and orders count, and requests for relations do
    /// not.
    ///
    /// ```swift
    /// static func nestedQueryModifier(_ query: Query<Chat>, nested: [NestedRelations]) -> Query<Chat> {
    ///     query.withAllRelations(nested)
    ///         .without(\.$admins)
    ///         .with(\.$messages) { $0.sorted(by: \.sent.desc).limit(20).with(Array(nested.dropFirst())) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - query: The query for entities of the type.
    ///   - nested: The forms of the relations: the first for the relations of the type, the second for the relations of
    ///     the related entities, and so on.
    static func nestedQueryModifier(_ query: Query<Self>, nested: [NestedRelations]) -> Query<Self>

    /// The parts of ``patch``: for each optional variable, the strategy to keep its stored value.
    static var patches: [MergeStrategy<Self>] { get }
}

extension EntityModelProtocol {
    /// The relations and hooks of the type.
    public static func _schemaPart() -> (any _SchemaPart)? { EntitySchema(self) }

    /// Nothing but records and links.
    public static var entityOptions: EntityOptions { EntityOptions() }

    /// Sets all relations to ``Relation/none``.
    public mutating func normalize() {
        for relation in Self.relations { relation.accessor.unset(in: &self) }
    }

    /// Whether all relations are ``Relation/none``.
    public var isNormalized: Bool { Self.relations.allSatisfy { $0.accessor.isNone(in: self) } }

    /// Returns the entity with all relations ``Relation/none``.
    public func normalized() -> Self {
        var entity = self
        entity.normalize()
        return entity
    }

    /// Does nothing.
    public mutating func willSave(to context: TransactionContext) throws { Self.noteDefault(.willSave) }

    /// Does nothing.
    public func didSave(to context: TransactionContext) throws { Self.noteDefault(.didSave) }

    /// Does nothing.
    public func willDelete(from context: TransactionContext) throws { Self.noteDefault(.willDelete) }

    /// Does nothing.
    public func didDelete(from context: TransactionContext) throws { Self.noteDefault(.didDelete) }

    /// The entity, with the ids of its links.
    public func asDeleted(in context: ReadContext) throws -> Deleted<Self>? {
        Deleted(try withLinkedIDs(in: context))
    }

    /// Stores the time of the save, unless the type keeps no metadata. It is not before another stamp of the
    /// transaction.
    public func saveMetadata(to context: TransactionContext) throws { try saveStamp(to: context) }

    /// Removes the time of the last save.
    public func deleteMetadata(from context: TransactionContext) throws { try deleteStamp(from: context) }

    /// The saved entity replaces the stored entity.
    public static var defaultMergeStrategy: MergeStrategy<Self> { .replace }

    /// All relations of the type.
    public static func nestedQueryModifier(_ query: Query<Self>, nested: [NestedRelations]) -> Query<Self> {
        query.withAllRelations(nested)
    }

    /// All ``patches``.
    public static var patch: MergeStrategy<Self> { MergeStrategy(patches) }

    /// The patch of the type.
    public static var fragmentMergeStrategy: MergeStrategy<Self> { patch }
}
