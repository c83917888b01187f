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
