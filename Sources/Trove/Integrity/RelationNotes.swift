// Notes about the relations of a store: states that are allowed, and may be unintended.

/// Notes about relations: links to entities that are not stored, and required relations that are not set.
///
/// Neither is an error. The identifiers of entities may be linked before the entities are stored, and a required
/// relation loses its link when the other entity is deleted.
public struct RelationNotes: Hashable, Sendable, Codable {
    /// The maximum number of notes in ``notes``.
    static let limit = 1000

    /// The number of ends of links whose entities are not stored.
    public internal(set) var danglingEnds = 0
    /// The number of entities without a link in a required relation to one.
    public internal(set) var unsetRelations = 0
    /// The first notes, at most 1,000.
    public private(set) var notes: [RelationNote] = []

    /// Whether there are no notes.
    public var isEmpty: Bool { danglingEnds == 0 && unsetRelations == 0 }

    mutating func add(_ note: RelationNote) {
        switch note.kind {
        case .danglingEnd: danglingEnds += 1
        case .unset: unsetRelations += 1
        }
        if notes.count < Self.limit { notes.append(note) }
    }

    /// Adds notes, as far as there is room for them.
    mutating func formUnion(_ other: RelationNotes) {
        danglingEnds += other.danglingEnds
        unsetRelations += other.unsetRelations
        notes += other.notes.prefix(Self.limit - notes.count)
    }
}

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
