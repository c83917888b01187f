// The migrations of relations when a store is opened, and the relations that a program no longer declares.

extension Store {
    /// Changes the stored relations to the declarations of this program. Links of another form cannot wait: they are
    /// rewritten with every policy except for `refuse`.
    func migrateRelations(
        _ policy: MigrationPolicy, unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void
    ) throws {
        let migrations = try readToEnd { context in try context.relationMigrations(of: declaredTypes) }
        guard !migrations.isEmpty else { return }
        let writeError = try readToEnd { $0.catalogSnapshot.writeError }
        if isReadOnly || writeError != nil { return }
        for migration in migrations { try migration.check(in: try isCancelled.passing(self)) }
        if policy.timing == .refuse, migrations.contains(where: \.difference.rewritesLinks) {
            throw StoreError.schema(
                .migrationRefused(
                    path: path, plan: try migrationPlan(for: declaredTypes, validating: false).description))
        }
        for migration in migrations {
            try migration.carryOut(in: try isCancelled.passing(self), .large, progress)
        }
    }

    /// Drops the relations that are properties of this program's types in the store and no longer in this program, with
    /// all their links, and with their ids in deleted entities. The drop concerns the types that the store was opened
    /// with, and the types that the program has used since.
    ///
    /// Until then, such relations are kept for the program that declares them. This program would not maintain their
    /// links, so it can read the types' records but not write them
    /// (``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``). The linked records are
    /// kept. If the layout of a type has changed as well, call `finishMigrations(progress:)` afterwards.
    ///
    /// ```swift
    /// print(try store.migrationPlan(for: [Message.self]))   // how many links each relation has
    /// try store.dropUndeclaredRelations()
    /// ```
    ///
    /// - Returns: The names of the relations, such as `Chats.Message.chat`.
    /// - Throws: ``StoreError/SchemaError/valuesWouldBeLost(path:losses:)`` for relations with links, if the store was
    ///   opened with ``MigrationPolicy/refusingLoss``. Then no relation is dropped.
    /// - Complexity: O(*p* + *n*) in the number of pages and of deleted entities, in a single transaction. Pages of
    ///   links are not read.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func dropUndeclaredRelations() throws -> [String] {
        try write { context in
            try translatingErrors {
                var undeclared: [UInt32: StoredRelation] = [:]
                for schema in schemasInUse {
                    for stored in try schema.undeclared(among: context.relations) {
                        undeclared[stored.schema.keyPrefix] = stored
                    }
                }
                let dropped = undeclared.values.sorted { $0.schema.qualifiedName < $1.schema.qualifiedName }
                try checkLosses(of: dropped, context)
                for stored in dropped { try context.drop(stored) }
                return dropped.map(\.schema.qualifiedName)
            }
        }
    }

    private func checkLosses(of dropped: [StoredRelation], _ context: TransactionContext) throws {
        let losses = try dropped.flatMap { stored -> [FieldLoss] in
            let ids = try context.keptEnds(of: stored.relation).compactMap { kept, end -> FieldLoss? in
                let count = try kept.count(withIDsOf: [end], context.keyspace)
                let field = KeptEntities.field(end.property ?? "")
                return count > 0 ? FieldLoss(type: kept.type.qualifiedName, field: field, records: count) : nil
            }
            return (try context.loss(of: stored).map { [$0] } ?? []) + ids
        }
        guard !losses.isEmpty else { return }
        if refusesLoss { throw StoreError.schema(.valuesWouldBeLost(path: path, losses: losses)) }
        for loss in losses { loss.log(path) }
    }
}

extension TransactionContext {
    /// Removes a relation with its links from the catalog.
    fileprivate func drop(_ stored: StoredRelation) throws {
        let prefix = stored.schema.keyPrefix
        let catalog = try catalogStorage()
        guard var type = try catalog.type(prefix) else { return }
        for (kept, end) in try keptEnds(of: stored.relation) { try kept.replaceIDs(of: [end], self) { _ in nil } }
        try endMigration(of: type, prefix)
        // The tables themselves stay, without a page: other processes may have their handles open.
        let name = TableName(keyPrefix: prefix, generation: type.generation)
        try keyspace.deleteAll(keyspace.createTable(named: name.text))
        for number in type.indexes.keys { try empty(number, of: &type, prefix) }
        try catalog.removeRelation(prefix, type)
        try beginSchemaEpoch(catalog)
        noteAny(prefix, type)
        droppedRelations.insert(prefix)
        pendingRelations[prefix] = nil
        forgetTables()
    }
}

extension ReadContext {
    /// Returns the deleted entities with ids of a relation, and their ends.
    final func keptEnds(of relation: CatalogRelation) throws -> [(kept: KeptEntities, end: LinkEnd)] {
        try LinkSide.allCases.compactMap { side in
            let end = relation[side]
            if end.property == nil || relation.form.isSymmetric && side == .second { return nil }
            return try KeptEntities(of: end.keyPrefix, in: self).map { ($0, end) }
        }
    }

    /// Returns the number of links of a relation as a loss; nil if it has none.
    final func loss(of stored: StoredRelation) throws -> FieldLoss? {
        let count = try countRecords(of: stored.schema)
        guard count > 0 else { return nil }
        return loss(of: stored.relation.form.isSymmetric ? (count + 1) / 2 : count, in: stored.relation)
    }

    /// Returns a number of links of a relation as a loss.
    final func loss(of links: Int, in relation: CatalogRelation) -> FieldLoss {
        let owner = LinkSide.allCases.first { relation[$0].property != nil } ?? .first
        let end = relation[owner]
        let type = catalogSnapshot.recordTable(end.keyPrefix)?.type.qualifiedName
        return FieldLoss(
            type: type ?? TableName.hexadecimal(end.keyPrefix), field: end.property ?? "", links: links)
    }

    /// Returns the number of records of a type, whatever their layout.
    final func countRecords(of schema: RecordSchema) throws -> Int {
        guard let (_, _, records) = catalogSnapshot.recordTable(schema.keyPrefix) else { return 0 }
        return try translatingErrors { try keyspace.count(records) }
    }
}
