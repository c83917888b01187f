// The end of a rewrite of links, and the tables that it leaves.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Ends a rewrite of links: it would miss a change of the links. Other programs load the catalog again.
    func endRewrite(of type: CatalogType, _ keyPrefix: UInt32) throws {
        guard try catalogStorage().migration(keyPrefix) != nil else { return }
        try endMigration(of: type, keyPrefix)
        try set(type, keyPrefix)
    }

    /// Writes the entry of a relation, and the type of its links.
    func replace(_ stored: StoredRelation, _ type: CatalogType) throws {
        let prefix = stored.schema.keyPrefix
        try use(.links)
        try catalogStorage().setRelation(prefix, stored.relation)
        try set(type, prefix)
        try use(type, for: stored.schema)
        pendingRelations[prefix] = stored
    }

    /// Removes the new keys of records.
    func removeNewKeys(_ keyPrefix: UInt32) throws {
        let name = TableName.newKeys(keyPrefix)
        if let table = try keyspace.table(named: name.text) { try keyspace.deleteAll(table) }
    }

    /// Removes the rows that a migration has written beside the records: the lists of rewritten links, and the
    /// rewritten links of records with new keys.
    func removeRewrittenLinks(of type: CatalogType, _ keyPrefix: UInt32) throws {
        try removeNewKeys(keyPrefix)
        if let stored = relations[keyPrefix] {
            // A rewrite has as many lists as the relation: one at each end at most. Their numbers are the least that
            // are not in use.
            let lists = max(2, stored.schema.indexes.count)
            for number in UInt32(1)...UInt32(2 * lists) where type.indexes[number] == nil {
                let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
                if let table = try keyspace.table(named: name.text) { try keyspace.deleteAll(table) }
            }
            return
        }
        for (prefix, stored) in relations where stored.relation.hasEnd(keyPrefix) {
            guard let links = try catalogStorage().type(prefix) else { continue }
            try endRewrite(of: links, prefix)
        }
    }
}
