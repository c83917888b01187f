// Deletes all entities of a type at once, if a delete does nothing but remove a record and its links.
//
// Then the tables of the type and of its relations are emptied, with the result of deletes one by one. Such deletes
// keep the links of identifiers that are not stored. So a walk first looks for such links, and where it finds one, the
// links of the relation are removed an entity at a time.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Removes the links of all stored entities of a type, whichever type declares the relations.
    ///
    /// - Parameter records: The entities.
    /// - Complexity: O(*n*) steps in the number of links and entities, and O(*p*) writes in the number of pages. If a
    ///   relation has links of entities that are not stored, O(*n* log *n*) writes.
    func removeLinks(ofAll records: RecordTable) throws {
        let type = records.schema.keyPrefix
        entityCounts.value.removedEntities += 1
        for (keyPrefix, stored) in relations where stored.relation.hasEnd(type) {
            let writer = try linkWriter(of: stored)
            let sides = stored.relation.sides(of: type)
            try translatingErrors {
                let table = writer.links.table
                guard try keyspace.count(table.database) > 0 else { return }
                guard try sides.contains(where: { try writer.links.areAllStored($0, records.database) }) else {
                    return try removeLinks(ofEach: records, writer, sides)
                }
                try noteRemovals(from: table, in: [KeyRange(prefix: [])])
                for index in table.indexes { try keyspace.deleteAll(index.database) }
                try keyspace.deleteAll(table.database)
                noteChange()
                changedKeys.noteAny(keyPrefix)
            }
        }
    }

    /// Removes the links of each entity of a type in a relation.
    private func removeLinks(ofEach records: RecordTable, _ writer: LinkWriter, _ sides: [LinkSide]) throws {
        guard var scan = try keyspace.scan(records.database, ScanRange(), mayWrite: true) else { return }
        while let batch = try scan.next() {
            for index in 0..<batch.count {
                let key = batch[index].key.copy()
                for side in sides { try writer.removeAll(key, side) }
            }
        }
    }
}

extension CatalogRelation {
    /// Returns the ends with the entities of a type. Each link of a symmetric relation is at the first end of both its
    /// entities.
    fileprivate func sides(of keyPrefix: UInt32) -> [LinkSide] {
        if form.isSymmetric { return [.first] }
        return LinkSide.allCases.filter { self[$0].keyPrefix == keyPrefix }
    }
}

extension LinkTable {
    /// The number of entities for each link up from which a link is searched, and the entities in between are skipped.
    private static let searchedGap = 8

    /// Returns whether the entity of each link at an end is stored.
    ///
    /// Keys are not prefixes of each other. So the entity of a link is the last record before the link, and its key is
    /// the beginning of the link's.
    fileprivate func areAllStored(_ side: LinkSide, _ records: Database) throws -> Bool {
        var links = try KeyCursor(keyspace, database(of: side))
        if try keyspace.count(table.database) < keyspace.count(records) / Self.searchedGap {
            while let link = try links.next() {
                var isStored = false
                try keyspace.withLastKey(records, below: link.copy()) { record in
                    isStored = ByteView.with(record) { link.starts(with: $0) }
                }
                guard isStored else { return false }
            }
            return true
        }
        var entities = try KeyCursor(keyspace, records)
        var entity = try entities.next()
        while let link = try links.next() {
            while let key = entity, !link.starts(with: key), key.compare(link) < 0 { entity = try entities.next() }
            guard let entity, link.starts(with: entity) else { return false }
        }
        return true
    }
}
