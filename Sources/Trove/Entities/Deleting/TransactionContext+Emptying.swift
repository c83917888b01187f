// Deletes all entities of a type at once, if a delete does nothing but remove a record and its links: then the tables
// of the type and of its relations are emptied. Every link of the relations has an end at the type.

import LMDB
import TroveCoding

extension RecordSchema {
    /// Whether deleting all entities removes records and links alone: no hook runs, nothing is kept of a deleted
    /// entity, and no relation takes its targets along or denies the delete.
    var canBeEmptied: Bool {
        guard let entity, entity.hasDefault(.deleting), !entity.type.entityOptions.keepsDeleted else { return false }
        return entity.type.relationDescriptions.allSatisfy { $0.deleteRule == .nullify }
    }
}

extension TransactionContext {
    /// Removes all links of the relations of a type, whichever type declares them. Links to entities that are not
    /// stored go too.
    ///
    /// - Complexity: O(*p*) in the number of pages, not in the number of links.
    func removeLinks(ofAll schema: RecordSchema) throws {
        for (keyPrefix, stored) in relations where stored.relation.hasEnd(schema.keyPrefix) {
            let table = try writer(of: stored).links.table
            try translatingErrors {
                guard try keyspace.count(table.database) > 0 else { return }
                for index in table.indexes { try keyspace.deleteAll(index.database) }
                try keyspace.deleteAll(table.database)
                noteChange()
                changedKeys.noteAny(keyPrefix)
            }
        }
    }
}
