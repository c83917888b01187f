// The links of declared relations in a transaction.

import LMDB
import TroveCoding

extension ReadContext {
    /// Returns the stored relation of a declaration, and the prefix of its links; nil if the store has none.
    final func stored(_ declared: LinkDeclaration) -> StoredRelation? {
        let named = relations.values.filter { declared.side(.first, in: $0.relation) != nil }
        // A name in use precedes an older name.
        return named.first { $0.relation.identity == declared.relation.identity } ?? named.first
    }

    /// Returns the links of a declared relation; nil if the store has none.
    final func links(_ declared: LinkDeclaration) throws -> LinkTable? {
        guard let stored = stored(declared) else { return nil }
        return try links(stored)
    }

    /// Returns the links of a stored relation.
    final func links(_ stored: StoredRelation) throws -> LinkTable? {
        try table(for: stored.schema).map { LinkTable(relation: stored.relation, table: $0, keyspace: keyspace) }
    }
}

extension TransactionContext {
    /// Returns the links of a declared relation for writing. Creates the relation if the store does not have it.
    func linksForWriting(_ declared: LinkDeclaration) throws -> LinkWriter {
        let known = stored(declared)
        let stored = try known ?? create(declared)
        let table = try tableForWriting(stored.schema).table
        return LinkWriter(
            links: LinkTable(relation: stored.relation, table: table, keyspace: keyspace), context: self)
    }

    /// Adds a relation to the catalog.
    private func create(_ declared: LinkDeclaration) throws -> StoredRelation {
        let known = relations
        var prefix = SDBM.hash32(declared.relation.identity)
        var schema: RecordSchema
        repeat {
            schema = RecordSchema(declared.relation, name: declared.name, keyPrefix: prefix, declared.layout)
            prefix &+= 1
        } while catalogSnapshot.hasType(schema.keyPrefix) || known[schema.keyPrefix] != nil
            || catalog.isTaken(by: schema)
        let stored = StoredRelation(declared.relation, schema)
        try translatingErrors { try catalogStorage().setRelation(schema.keyPrefix, declared.relation) }
        pendingRelations[schema.keyPrefix] = stored
        return stored
    }
}
