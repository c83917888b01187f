// A deleted entity that a store keeps: a record of a type of its own.
//
//     type     = <name of the entity's type>~deleted
//     key      = the entity's key
//     fields   = the entity's fields, and after them
//                $<name of a relation>   for each relation in the order of its declaration: the target's id or nil, or
//                                        the ids of the list
//                ~deletedAt              8 bytes
//     version  = the version of the entity's fields ^ the hash of the layout of the fields after them

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An entity after its delete.
///
/// A store keeps the deleted entities of a type with `@EntityModel(keepsDeleted: true)`. They are entities themselves,
/// with the id of the entity:
///
/// ```swift
/// try message.delete(from: store)
/// let trash = try Deleted<Message>.query().sorted(by: \.deletedAt.desc).resolve(in: store)
/// try Deleted<Message>.query("1").resolve(in: store)?.restore(in: store)
/// try Deleted<Message>.filter(\.deletedAt < monthAgo).delete(in: store)
/// ```
///
/// Without that argument, each read and write of deleted entities throws
/// ``StoreError/EntityError/notKept(type:option:)``.
///
/// - Saving an entity removes the deleted entity of the same id.
/// - Saving a deleted entity deletes the entity of the same id.
/// - Queries name the entity's properties too: `Deleted<Message>.filter(\.entity.text == "Hello")`. They have no
///   indexes; ``deletedAt`` has.
public struct Deleted<Entity: EntityModelProtocol>: EntityModelProtocol {
    /// The entity. Its relations have the ids of the entities that it was linked to, or are ``Relation/none``.
    public let entity: Entity
    /// The time of the delete.
    public let deletedAt: Date

    /// Creates a deleted entity. Saving it deletes the entity of the same id.
    ///
    /// - Parameters:
    ///   - entity: The entity. Of the entities inside its relations, only the ids are stored.
    ///   - deletedAt: The time of the delete.
    public init(_ entity: Entity, deletedAt: Date = Date()) {
        self.entity = entity
        self.deletedAt = deletedAt
    }

    /// The id of the entity.
    public var id: Entity.ID { entity.id }

    /// The id of the entity.
    public var indexKey: Entity.ID { entity.id }

    /// No relations: the relations of the entity are stored as ids.
    public static var relations: [EntityRelation<Self>] { [] }

    /// A fragment replaces the stored entity.
    public static var patches: [MergeStrategy<Self>] { [] }

    /// Deletes the entity of the same id.
    public mutating func willSave(to context: TransactionContext) throws {
        try Entity.delete(id: id, from: context)
    }
}

extension Deleted: Equatable where Entity: Equatable {}
extension Deleted: Hashable where Entity: Hashable {}
extension Deleted: Encodable where Entity: Encodable {}
extension Deleted: Decodable where Entity: Decodable {}
