// The links that a write transaction has used: each relation is searched in the catalog once.

/// The links of relations in a write transaction, ready for writing.
struct KnownLinks {
    /// The links of a relation, and the side of an end.
    final class Links {
        let relation: CatalogRelation
        let table: RecordTable
        let side: LinkSide

        init(relation: CatalogRelation, table: RecordTable, side: LinkSide) {
            self.relation = relation
            self.table = table
            self.side = side
        }
    }

    /// The links by the description of a relation; nil if the store has no links of the relation.
    var ends: [ObjectIdentifier: Links?] = [:]
    /// The links of the one-way relations that lead to a type, by its prefix.
    var incoming: [UInt32: [Links]] = [:]
}

extension KnownLinks.Links {
    /// Returns the links in a transaction.
    func table(in context: ReadContext) -> LinkTable {
        LinkTable(relation: relation, table: table, keyspace: context.keyspace)
    }
}
