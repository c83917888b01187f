// Hashes of records by their stored bytes: two values with equal hashes count as equal, so that no value is given
// twice.

import LMDB
import TroveCoding

/// A hash of stored contents: of a record's fields in the present layout, or of an entity with its relations.
///
/// It has 64 bits and is seeded for each process. `==` of an entity would not do: it compares the ids of relations, and
/// not the loaded entities.
struct ContentHash {
    private var hasher = Hasher()

    /// Returns the hash of a record's fields.
    static func of(_ fields: ByteView) -> Int { fields.seededHash }

    /// Returns the hash of a record, for an entity with its loaded relations.
    ///
    /// - Throws: The error of encoding the record.
    static func of(_ record: some IndexKeyRecord) throws -> Int {
        var hash = ContentHash()
        try hash.add(record)
        return hash.hasher.finalize()
    }

    /// Returns the hash of a list of records, for entities with their loaded relations.
    ///
    /// - Throws: The error of encoding a record.
    static func of(_ records: some Sequence<some IndexKeyRecord>) throws -> Int {
        var hash = ContentHash()
        for record in records { try hash.add(record) }
        return hash.hasher.finalize()
    }

    private mutating func add(_ record: some IndexKeyRecord) throws {
        let bytes = try record.currentBytes()
        hasher.combine(bytes.key)
        hasher.combine(bytes.fields)
        if let entity = record as? any EntityModelProtocol { try addRelations(of: entity) }
    }

    private mutating func addRelations<Entity: EntityModelProtocol>(of entity: Entity) throws {
        for relation in Entity.relations { try add(relation.accessor, of: entity) }
    }

    private mutating func add<Accessor: RelationAccessor>(_ accessor: Accessor, of owner: Accessor.Owner) throws {
        let state = accessor.state(of: owner)
        hasher.combine(state.isNone)
        hasher.combine(state.isId)
        hasher.combine(state)
        for entity in state.entity.map({ [$0] }) ?? state.entities ?? [] { try add(entity) }
    }
}
