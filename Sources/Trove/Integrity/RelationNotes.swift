// Notes about the entities of a store: states that are allowed, and may be unintended.

/// Notes about entities: links to entities that are not stored, required relations that are not set, and times and
/// deleted entities that contradict the stored entities.
///
/// None is an error. The identifiers of entities may be linked before the entities are stored, and a required relation
/// loses its link when the other entity is deleted. A program whose type keeps no times or no deleted entities does not
/// remove the times and deleted entities of other programs.
public struct RelationNotes: Hashable, Sendable, Codable {
    /// The maximum number of notes in ``notes``.
    static let limit = 1000

    /// The number of ends of links whose entities are not stored.
    public internal(set) var danglingEnds = 0
    /// The number of entities without a link in a required relation to one.
    public internal(set) var unsetRelations = 0
    /// The number of times of entities that are not stored.
    public internal(set) var timesWithoutEntity = 0
    /// The number of deleted entities whose ids are stored as well.
    public internal(set) var deletedAndStored = 0
    /// The first notes, at most 1,000.
    public private(set) var notes: [RelationNote] = []

    /// The number of all notes, also of the notes that are not in ``notes``.
    public var count: Int { danglingEnds + unsetRelations + timesWithoutEntity + deletedAndStored }

    /// Whether there are no notes.
    public var isEmpty: Bool { count == 0 }

    mutating func add(_ note: RelationNote) {
        switch note.kind {
        case .danglingEnd: danglingEnds += 1
        case .unset: unsetRelations += 1
        case .timeWithoutEntity: timesWithoutEntity += 1
        case .deletedAndStored: deletedAndStored += 1
        }
        if notes.count < Self.limit { notes.append(note) }
    }

    /// Adds notes, as far as there is room for them.
    mutating func formUnion(_ other: RelationNotes) {
        danglingEnds += other.danglingEnds
        unsetRelations += other.unsetRelations
        timesWithoutEntity += other.timesWithoutEntity
        deletedAndStored += other.deletedAndStored
        notes += other.notes.prefix(Self.limit - notes.count)
    }
}
