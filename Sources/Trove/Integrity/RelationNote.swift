// A note about an entity in a relation: a link to an entity that is not stored, or a required relation that is not set.

/// A note about an entity in a relation.
public struct RelationNote: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of a note.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A link leads to an entity that is not stored.
        case danglingEnd
        /// An entity has no link in a required relation to one.
        case unset
    }

    /// The kind of the note.
    public var kind: Kind
    /// The relation, such as `Chats.Message.chat`.
    public var relation: String
    /// The key of the entity that is not stored, or that has no link.
    public var entity: StoredKey
    /// The key of the link; nil if there is none.
    public var link: StoredKey?

    /// The note, in a single line.
    public var description: String {
        switch kind {
        case .danglingEnd:
            "\(relation): the link \(link.map(\.description) ?? "") leads to the \(entity.type) \(entity), which is not stored"
        case .unset: "\(relation): the \(entity.type) \(entity) has no link, and the relation is required"
        }
    }
}
