// Finds dangling links by the catalog alone, and required relations without a link by the Swift types.

import LMDB
import TroveCoding

extension ReadContext {
    /// Returns the notes about the records of a type: for links, their ends whose entities are not stored; for the
    /// times of an entity type, times of entities that are not stored; for deleted entities, entities that are stored
    /// as well.
    ///
    /// Required relations that are not set are known to the Swift types only; see `Store.relationNotes()`.
    ///
    /// - Parameter type: An element of ``storedTypes()``. Other types have no notes.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of records, in constant memory.
    public final func relationNotes(of type: StoredType) throws -> RelationNotes {
        try translatingErrors {
            var notes = RelationNotes()
            guard let relation = relations[type.keyPrefix]?.relation else {
                try addFollowingNotes(of: type, to: &notes)
                return notes
            }
            let keys = try LinkKeys(type.keyLayout, of: type.name)
            let ends = Dictionary(
                uniqueKeysWithValues: LinkSide.allCases.map {
                    ($0, catalogSnapshot.recordTable(relation[$0].keyPrefix))
                })
            // The links of an entity are adjacent: it is looked up once.
            var first: (key: [UInt8], isStored: Bool)?
            try keyspace.scan(type.records, ScanRange()) { key, value in
                guard StoredValue.isIntact(value, key: key, seed: type.checksumSeed), let pair = keys.ends(of: key)
                else {
                    return .continue
                }
                // The other direction of a symmetric link has the same ends.
                for side in relation.form.isSymmetric ? [.first] : LinkSide.allCases {
                    let entity = pair[side]
                    let table = ends[side] ?? nil
                    let isStored: Bool
                    if side == .first, let first, first.key == entity {
                        isStored = first.isStored
                    } else {
                        isStored = try table.map { try keyspace.withEntry($0.records, entity) { _, _ in } } ?? false
                    }
                    if side == .first { first = (entity, isStored) }
                    guard !isStored else { continue }
                    notes.add(
                        RelationNote(
                            kind: .danglingEnd, relation: type.name,
                            entity: table.map { $0.type.storedKey(entity) }
                                ?? StoredKey(entity, of: "type " + TableName.hexadecimal(relation[side].keyPrefix)),
                            link: type.storedKey(copiedBytes(key))))
                }
                return .continue
            }
            return notes
        }
    }
}

extension Store {
    /// Returns the notes about the entities of the store: links to entities that are not stored, entities of the
    /// declared types without a link in a required relation to one, times of entities that are not stored, and deleted
    /// entities that are stored as well.
    ///
    /// ```swift
    /// for note in try store.relationNotes().notes { print(note) }
    /// ```
    ///
    /// Notes are allowed states, so `check()` does not report them.
    ///
    /// - Returns: The numbers of notes, and the first 1,000.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of links, entities, times and deleted entities, in one snapshot and
    ///   in constant memory.
    @available(*, noasync, message: "await the call")
    public func relationNotes() throws -> RelationNotes {
        try readToEnd { context in
            var notes = RelationNotes()
            for type in try context.storedTypes() {
                notes.formUnion(try context.relationNotes(of: type))
            }
            for type in declaredTypes {
                if let entity = type.schema.entity?.type { try entity.addUnsetRelations(context, to: &notes) }
            }
            return notes
        }
    }
}

extension EntityModelProtocol {
    /// Adds the entities without a link in a required relation to one.
    fileprivate static func addUnsetRelations(_ context: ReadContext, to notes: inout RelationNotes) throws {
        let required = try declaredRelations().filter { $0.description.isRequired && !$0.description.isToMany }
        guard !required.isEmpty, let table = try context.table(for: schema) else { return }
        let links = try required.map { (relation: $0, stored: try context.links($0)) }
        try translatingErrors {
            try context.keyspace.scan(table.database, ScanRange()) { key, _ in
                let key = copiedBytes(key)
                for (relation, stored) in links {
                    if let stored, try stored.links.count(of: key, stored.side, atMost: 1) > 0 { continue }
                    notes.add(
                        RelationNote(
                            kind: .unset, relation: "\(schema.qualifiedName).\(relation.description.property)",
                            entity: table.type.storedKey(key)))
                }
                return .continue
            }
        }
    }
}
