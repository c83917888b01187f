// A relation of an entity, in the list `relations` of its type.

import LMDB
import TroveCoding

/// A relation that an entity declares.
///
/// `@EntityModel` lists the relations of a type in ``EntityModelProtocol/relations``; a conformance by hand does the
/// same:
///
/// ```swift
/// static let relations: [EntityRelation<Self>] = [
///     .oneWay(
///         RelationKeys.author.self, property: "author", at: \.$author, get: { $0.$author },
///         set: { $0.$author = $1 }),
///     .mutual(
///         RelationKeys.chat.self, property: "chat", inverse: "messages", at: \.$chat, get: { $0.$chat },
///         set: { $0.$chat = $1 }),
/// ]
/// ```
public struct EntityRelation<Owner: EntityModelProtocol>: Sendable {
    /// The access to the relation of an owner, with the declaration.
    let accessor: any RelationAccessor<Owner>

    @usableFromInline
    init(_ accessor: any RelationAccessor<Owner>) { self.accessor = accessor }

    /// The declaration, without generic parameters.
    var description: RelationDescription { accessor.description }
}

// MARK: Declaring

extension EntityRelation {
    /// Declares a one-way relation of the owner.
    ///
    /// - Parameters:
    ///   - key: The type that identifies the relation, of the owner's `RelationKeys`. Its inverse is ``NoInverse``.
    ///   - property: The name of the owner's property in the source: `"author"`.
    ///   - path: The key path of the relation, not of the entity: `\.$author`.
    ///   - value: The key path of the property itself: `\.author`. Errors name the property by it; nil if they cannot.
    ///   - get: Returns the relation of an owner.
    ///   - set: Sets the relation of an owner.
    ///   - name: The stored name; nil if it is the property's name.
    ///   - oldNames: The former stored names, the oldest first.
    ///   - deleteRule: The rule for the targets when the owner is deleted.
    @inlinable
    public static func oneWay<Key: RelationKey, Target, Cardinality, Constraints>(
        _ key: Key.Type, property: String,
        at path: WritableKeyPath<Owner, OneWayRelation<Target, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get: @escaping @Sendable (borrowing Owner) -> OneWayRelation<Target, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, OneWayRelation<Target, Cardinality, Constraints>) -> Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner, Key.TargetEntity == Target, Key.InverseKey == NoInverse {
        Self(
            property, inverse: nil, at: path, value: value, get: get, set: set, storedAs: name, renamedFrom: oldNames,
            deleteRule: deleteRule)
    }

    /// Declares a mutual relation, from the end of the owner. The type of the targets declares it from its own end.
    ///
    /// - Parameters:
    ///   - key: The type that identifies the relation, of the owner's `RelationKeys`. The inverse of its inverse is the
    ///     key itself; otherwise the call does not compile.
    ///   - property: The name of the owner's property in the source: `"chat"`.
    ///   - inverse: The name of the targets' property in the source: `"messages"`. It can be the same property of the
    ///     same type: then the relation is symmetric.
    ///   - path: The key path of the relation, not of the entity: `\.$chat`.
    ///   - value: The key path of the property itself: `\.chat`. Errors name the property by it; nil if they cannot.
    ///   - get: Returns the relation of an owner.
    ///   - set: Sets the relation of an owner.
    ///   - name: The stored name; nil if it is the property's name.
    ///   - oldNames: The former stored names, the oldest first.
    ///   - deleteRule: The rule for the targets when the owner is deleted.
    @inlinable
    public static func mutual<Key: RelationKey, Target, Cardinality, Constraints>(
        _ key: Key.Type, property: String, inverse: String,
        at path: WritableKeyPath<Owner, MutualRelation<Target, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get: @escaping @Sendable (borrowing Owner) -> MutualRelation<Target, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, MutualRelation<Target, Cardinality, Constraints>) -> Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner, Key.TargetEntity == Target, Key.InverseKey.InverseKey == Key {
        Self(
            property, inverse: inverse, at: path, value: value, get: get, set: set, storedAs: name,
            renamedFrom: oldNames, deleteRule: deleteRule)
    }

    @inlinable
    init<Target, Directionality, Cardinality, Constraints>(
        _ property: String, inverse: String?,
        at path: WritableKeyPath<Owner, Relation<Target, Directionality, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>?,
        get: @escaping @Sendable (borrowing Owner) -> Relation<Target, Directionality, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, Relation<Target, Directionality, Cardinality, Constraints>) -> Void,
        storedAs name: String?, renamedFrom oldNames: [String], deleteRule: Relations.DeleteRule
    ) {
        let description = RelationDescription(
            owner: Owner.self, target: Target.self, path: PropertyPath(path), value: value.map { PropertyPath($0) },
            property: property, name: name ?? property, oldNames: oldNames, inverseProperty: inverse,
            isToMany: Cardinality.isToMany,
            isRequired: Constraints.isRequired, deleteRule: deleteRule)
        let handOut: HandOut<Owner, Target> = { targets, chosen, form, owners, places in
            targets.handOut(chosen, form, isToMany: Cardinality.isToMany, to: &owners, places) {
                set(&$0, Relation($1))
            }
        }
        self.init(ClosureAccessor(description, TargetCode(), handOut: handOut, get: get, set: set))
    }
}

extension EntityModelProtocol {
    /// Returns the index in ``relations`` of the relation at a key path; nil if it is not a relation of the type.
    static func relationIndex(of path: AnyKeyPath) -> Int? { relations.firstIndex { $0.description.path.path == path } }
}
