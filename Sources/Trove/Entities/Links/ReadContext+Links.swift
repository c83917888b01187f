// The links of declared relations in a transaction.

import LMDB
import TroveCoding

extension ReadContext {
    /// Returns the stored relation of a declaration, and the prefix of its links; nil if the store has none.
    final func stored(_ declared: LinkDeclaration) -> StoredRelation? {
        declared.find(among: relations.values) ?? catalogSnapshot.relationWithoutEntry(declared)
    }

    /// Returns the links of a declared relation; nil if the store has none.
    final func links(_ declared: LinkDeclaration) throws -> LinkTable? {
        guard let stored = stored(declared) else {
            noteMissingLinks()
            return nil
        }
        return try links(stored)
    }

    /// Notes a read of links whose relation the store does not have. The prefix that they will get is not known.
    final func noteMissingLinks() { readRegion?.noteEverything() }

    /// Returns the links of a stored relation.
    final func links(_ stored: StoredRelation) throws -> LinkTable? {
        try table(for: stored.schema).map { LinkTable(relation: stored.relation, table: $0, keyspace: keyspace) }
    }
}

extension ReadContext {
    /// Returns the links of a relation, and its owner's side in them; nil if the store has none.
    final func links(_ relation: DeclaredRelation) throws -> (links: LinkTable, side: LinkSide)? {
        guard let stored = stored(relation.links), let side = relation.links.side(relation.side, in: stored.relation),
            let links = try links(stored)
        else {
            noteMissingLinks()
            return nil
        }
        return (links, side)
    }

    /// Returns the links of the one-way relations that lead to an entity type, declared or not, and the side of its
    /// entities.
    final func incomingLinks(of keyPrefix: UInt32) throws -> [(links: LinkTable, side: LinkSide)] {
        try incomingRelations(of: keyPrefix).compactMap { stored, side in try links(stored).map { ($0, side) } }
    }

    /// Returns the one-way relations that lead to an entity type, and the side of its entities.
    fileprivate final func incomingRelations(of keyPrefix: UInt32) -> [(stored: StoredRelation, side: LinkSide)] {
        relations.sorted { $0.key < $1.key }.flatMap { _, stored in
            LinkSide.allCases.compactMap { side in
                let end = stored.relation[side]
                return end.keyPrefix == keyPrefix && end.property == nil ? (stored, side) : nil
            }
        }
    }

    /// Returns whether the store may have lost an entry of a declared relation, or has links without ready lists.
    final func mayNeedRestoring(_ declared: LinkDeclaration) throws -> Bool {
        guard let stored = stored(declared) else {
            let name = TableName(keyPrefix: declared.keyPrefix)
            return try !catalogSnapshot.hasType(declared.keyPrefix)
                && translatingErrors { try keyspace.hasTable(named: name.text) }
        }
        let prefix = stored.schema.keyPrefix
        guard relations[prefix] != nil, let links = catalogSnapshot.recordTable(prefix)?.type else { return true }
        return !links.hasReadyIndexes(of: stored.schema)
    }
}

extension TransactionContext {
    /// Returns the writer of a relation's links, and its owner's side in them.
    ///
    /// - Parameter creates: Whether to create the relation if the store does not have it.
    /// - Returns: Nil if the store does not have the relation.
    func linkWriter(of relation: DeclaredRelation, creates: Bool = false) throws -> (links: LinkWriter, side: LinkSide)?
    {
        let name = ObjectIdentifier(relation.description)
        let known = knownLinks
        if let writer = known.value.writers[name] { return writer }
        var writer: (links: LinkWriter, side: LinkSide)?
        switch known.value.ends[name] {
        case let links??: writer = (try links.writer(in: self), links.side)
        case .some(nil) where !creates: return nil
        default:
            if creates || stored(relation.links) != nil {
                let links = try linkWriter(of: relation.links)
                writer = (links, relation.links.side(relation.side, in: links.links.relation) ?? relation.side)
            }
            known.value.ends[name] = .some(writer.map { KnownLinks.Links($0.links.links, $0.side) })
        }
        known.value.writers[name] = writer
        return writer
    }

    /// Returns the writers of the links of the one-way relations that lead to an entity type, and the side of its
    /// entities.
    func incomingLinkWriters(of keyPrefix: UInt32) throws -> [(links: LinkWriter, side: LinkSide)] {
        let known = knownLinks
        let links =
            try known.value.incoming[keyPrefix]
            ?? incomingRelations(of: keyPrefix).map { stored, side in
                KnownLinks.Links(try linkWriter(of: stored).links, side)
            }
        known.value.incoming[keyPrefix] = links
        return try links.map { (try $0.writer(in: self), $0.side) }
    }

    /// Returns the writer of the links of a declared relation. Creates the relation if the store does not have it.
    func linkWriter(of declared: LinkDeclaration) throws -> LinkWriter {
        var known = stored(declared)
        if let relation = known {
            if relations[relation.schema.keyPrefix] == nil { try add(relation) }
            let isCurrent = relation.relation.isSameDeclaration(as: declared.relation)
            if !isCurrent || relation.identifiers != declared.identifiers {
                known = try adopt(declared, over: relation)
            }
        }
        return try linkWriter(of: known ?? create(declared))
    }

    /// Returns the writer of the links of a stored relation, whose lists are ready.
    func linkWriter(of stored: StoredRelation) throws -> LinkWriter {
        var table = try tableForWriting(stored.schema).table
        // A rewrite of the links by another program would miss the written links.
        if stored.isBeingRewritten { try translatingErrors { try endRewrite(of: table.type, stored.schema.keyPrefix) } }
        // The list may have lost its entry in the catalog, or a salvage may have found the links of a lost type.
        if !table.type.hasReadyIndexes(of: stored.schema) {
            _ = try translatingErrors { try rebuildLinks(stored.schema.keyPrefix) }
            table = try tableForWriting(stored.schema).table
        }
        return try LinkWriter(
            links: LinkTable(relation: stored.relation, table: table, keyspace: keyspace), context: self)
    }

    /// Enters a declared relation again if its entry, or the entry of its links, is lost. Builds its lists unless they
    /// are ready. Its form and its names stay as they are stored.
    func restore(_ declared: LinkDeclaration) throws {
        if let stored = stored(declared) {
            if relations[stored.schema.keyPrefix] == nil { try add(stored) }
            _ = try linkWriter(of: stored)
        } else if try hasLinksWithoutType(declared) {
            _ = try linkWriter(of: create(declared))
        }
    }

    /// Returns whether the store has links of a declared relation, and the entry of their type is lost.
    private func hasLinksWithoutType(_ declared: LinkDeclaration) throws -> Bool {
        guard !catalogSnapshot.hasType(declared.keyPrefix) else { return false }
        return try translatingErrors {
            guard let links = try keyspace.table(named: TableName(keyPrefix: declared.keyPrefix).text) else {
                return false
            }
            return try keyspace.count(links) > 0
        }
    }

    /// Changes a stored relation to its declaration, if its links stay as they are.
    ///
    /// - Throws: ``StoreError/SchemaError/relationChanged(path:relation:stored:declared:)`` if the links must be
    ///   rewritten or checked first.
    private func adopt(_ declared: LinkDeclaration, over stored: StoredRelation) throws -> StoredRelation {
        guard declared.identifiers(in: stored.relation) == stored.identifiers else {
            throw StoreError.schema(
                .relationChanged(
                    path: core.path, relation: declared.name, stored: stored.schema.keyLayout,
                    declared: declared.layout.keyDescription))
        }
        guard let migration = RelationMigration(declared, over: stored, in: self) else { return stored }
        guard migration.isTrivial else { throw try migration.notCarriedOut(in: self) }
        return try translatingErrors { try adopt(migration) }
    }

    /// Adds a relation to the catalog.
    private func create(_ declared: LinkDeclaration) throws -> StoredRelation {
        let known = relations
        var prefix = declared.keyPrefix
        var schema: RecordSchema
        repeat {
            schema = RecordSchema(declared.relation, name: declared.name, keyPrefix: prefix, declared.layout)
            prefix &+= 1
        } while catalogSnapshot.hasType(schema.keyPrefix) || known[schema.keyPrefix] != nil
            || catalog.isTaken(by: schema)
        let stored = StoredRelation(declared.relation, schema, identifiers: declared.identifiers)
        try add(stored)
        return stored
    }

    /// Writes the entry of a relation.
    private func add(_ stored: StoredRelation) throws {
        let prefix = stored.schema.keyPrefix
        try use(.links)
        try translatingErrors {
            let catalog = try catalogStorage()
            try catalog.setRelation(prefix, stored.relation)
            // Other programs reload the catalog.
            if let links = try catalog.type(prefix) { try set(links, prefix) }
        }
        pendingRelations[prefix] = stored
    }
}
