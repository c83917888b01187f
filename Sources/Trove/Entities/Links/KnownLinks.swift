// The links that a write transaction has used: each relation is searched in the catalog once.

/// The links of relations in a write transaction and its nested transactions, ready for writing.
struct KnownLinks {
    /// The links of a relation, and the side of an end.
    final class Links {
        let side: LinkSide
        private let relation: CatalogRelation
        private let table: RecordTable

        init(_ links: LinkTable, _ side: LinkSide) {
            self.side = side
            relation = links.relation
            table = links.table
        }

        /// Creates a writer of the links in a transaction.
        func writer(in context: TransactionContext) throws -> LinkWriter {
            let links = LinkTable(relation: relation, table: table, keyspace: context.keyspace)
            return try LinkWriter(links: links, context: context)
        }
    }

    /// The links by the description of a relation; nil if the store has no links of the relation.
    var ends: [ObjectIdentifier: Links?] = [:]
    /// The links of the one-way relations that lead to a type, by its prefix.
    var incoming: [UInt32: [Links]] = [:]
    /// The writers of links, by the description of a relation.
    var writers: [ObjectIdentifier: (links: LinkWriter, side: LinkSide)] = [:]
    /// The plans for deletes, by the entity type.
    var deletePlans: [ObjectIdentifier: DeletePlan] = [:]
    /// A number that changes when the links are forgotten.
    private(set) var generation = 0
}

extension KnownLinks: PartValue {
    /// The links without writers and plans, which belong to a single transaction.
    var nested: KnownLinks { KnownLinks(ends: ends, incoming: incoming) }

    /// Takes over the found links. A nested transaction that has changed tables or relations lets them be forgotten.
    mutating func formCommit(of nested: KnownLinks) { (ends, incoming) = (nested.ends, nested.incoming) }

    mutating func forgetTables() {
        let forgotten = generation
        self = KnownLinks()
        generation = forgotten + 1
    }
}

extension TransactionContext {
    /// The links that this transaction has used.
    var knownLinks: ValuePart<KnownLinks> { part(ValuePart<KnownLinks>.self) }
}
