// A note about an entity: a link to an entity that is not stored, a required relation that is not set, the time of an
// entity that is not stored, or a deleted entity that is stored as well.

/// A note about an entity in a relation, or about the time of an entity, or about a deleted entity.
public struct RelationNote: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of a note.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A link leads to an entity that is not stored.
        case danglingEnd
        /// An entity has no link in a required relation to one.
        case unset
        /// The store has the time of the last save of an entity that is not stored. A program whose type does not keep
        /// times has deleted the entity.
        case timeWithoutEntity
        /// The store has an entity, and a deleted entity of the same id. A program whose type does not keep deleted
        /// entities has saved the entity.
        case deletedAndStored
    }

    /// The kind of the note.
    public var kind: Kind
    /// The relation, such as `Chats.Message.chat`. For a time or a deleted entity, the name of the type of its records,
    /// such as `Chats.Message~deleted`.
    public var relation: String
    /// The key of the entity that is not stored, that has no link, or that is stored as well.
    public var entity: StoredKey
    /// The key of the link; nil if there is none.
    public var link: StoredKey?

    /// The note, in a single line.
    public var description: String {
        switch kind {
        case .danglingEnd:
            "\(relation): the link \(link.map(\.description) ?? "") leads to the \(entity.type) \(entity), which is not stored"
        case .unset: "\(relation): the \(entity.type) \(entity) has no link, and the relation is required"
        case .timeWithoutEntity:
            "\(relation): the \(entity.type) \(entity) has a time, and is not stored; store.delete(_:key:ignoringDamage:) removes the time"
        case .deletedAndStored:
            "\(relation): the \(entity.type) \(entity) is deleted, and is stored; saving it again removes the deleted entity, and restoring the deleted entity replaces it"
        }
    }
}
