// The search for migrations of relations, their checks, and the rewrite of links.

import LMDB
import TroveCoding

// MARK: Finding

extension ReadContext {
    /// Returns the migrations of the relations that types declare, each once.
    final func relationMigrations(of types: [any IndexKeyRecord.Type]) throws -> [RelationMigration] {
        var migrations: [RelationMigration] = []
        for type in types {
            for relation in try type.schema.entity?.type.declaredRelations() ?? [] {
                guard let stored = relation.links.find(among: relations.values),
                    !migrations.contains(where: { $0.keyPrefix == stored.schema.keyPrefix }),
                    let migration = RelationMigration(relation.links, over: stored, in: self)
                else { continue }
                migrations.append(migration)
            }
        }
        return migrations
    }
}

// MARK: Checking

extension RelationMigration {
    /// Throws if the migration is impossible. Nothing is changed.
    ///
    /// - Throws: ``StoreError/SchemaError/relationNotUnique(relation:owner:targets:)``, and
    ///   ``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)`` if the links had the
    ///   declared form before, unless older layouts are allowed.
    func check(in store: Store) throws {
        try store.readToEnd { context in
            try translatingErrors {
                try checkVersion(in: context, allowsOlderLayouts: store.allowsOlderLayout)
                try checkDeletedEntities(context)
                guard !difference.newlyExclusive.isEmpty, let links = try context.links(stored) else { return }
                let keys = try LinkKeys(links.table.type)
                try links.keyspace.scan(links.table.database, ScanRange()) { key, _ in
                    if let ends = keys.ends(of: key) { try checkIsUnique(ends, links, context) }
                    return .continue
                }
            }
        }
    }

    /// Throws if a deleted entity has several ids of a relation that is to one now.
    private func checkDeletedEntities(_ context: ReadContext) throws {
        for side in difference.newlyExclusive {
            let own = difference.source(of: side)
            let end = difference.source[own]
            guard end.property != nil, !end.isExclusive, let kept = try KeptEntities(of: end.keyPrefix, in: context)
            else { continue }
            try kept.forEachRecord(context.keyspace) { record in
                for place in kept.places(of: [end], in: record.layout) {
                    let ids = try record.keys(at: place)
                    guard ids.count > 1 else { continue }
                    throw StoreError.schema(
                        .relationNotUnique(
                            relation: declared.name,
                            owner: StoredKey(record.key, of: kept.type.qualifiedName, layout: kept.type.keyLayout),
                            targets: try ids.prefix(2).map { try context.storedKey($0, own.other, of: stored) }))
                }
                return .continue
            }
        }
    }

    private func checkVersion(in context: ReadContext, allowsOlderLayouts: Bool) throws {
        let target = try target()
        guard difference.rewritesLinks, !allowsOlderLayouts,
            let type = context.catalogSnapshot.recordTable(keyPrefix)?.type, type.hasNewerLayout(than: target.schema)
        else { return }
        throw context.catalog.newer(type, than: target.schema)
    }

    /// Throws if an entity at an end of a link would have two links in a relation to one.
    fileprivate func checkIsUnique(_ ends: LinkKeys.Ends, _ links: LinkTable, _ context: ReadContext) throws {
        for side in difference.newlyExclusive {
            for own in difference.addsMirrors ? LinkSide.allCases : [difference.source(of: side)] {
                let owner = ends[own]
                var targets = try links.targets(of: owner, own, limit: 2)
                if difference.addsMirrors {
                    targets += try links.targets(of: owner, own.other, limit: 2)
                        .filter { !targets.contains($0) }
                }
                guard targets.count > 1 else { continue }
                throw StoreError.schema(
                    .relationNotUnique(
                        relation: declared.name, owner: try context.storedKey(owner, own, of: stored),
                        targets: try targets.prefix(2).map { try context.storedKey($0, own.other, of: stored) }))
            }
        }
    }
}

extension ReadContext {
    /// Returns the key of an entity at an end of a link, for errors.
    final func storedKey(_ key: [UInt8], _ side: LinkSide, of stored: StoredRelation) throws -> StoredKey {
        let prefix = stored.relation[side].keyPrefix
        guard let type = catalogSnapshot.recordTable(prefix)?.type else {
            return StoredKey(key, of: TableName.hexadecimal(prefix))
        }
        return StoredKey(key, of: type.qualifiedName, layout: type.keyLayout)
    }
}

// MARK: Carrying out

extension RelationMigration {
    /// Changes the relation to its declaration.
    ///
    /// - Parameter progress: Receives the progress of a rewrite.
    func carryOut(
        in store: @autoclosure () throws -> Store, _ size: TypeMigration.BatchSize,
        _ progress: (MigrationProgress) -> Void
    ) throws {
        var size = size
        while let step = try runBatch(in: store(), &size) { progress(step) }
    }

    /// Rewrites a batch of links in a transaction. If the map is full, the batch is retried with fewer bytes.
    ///
    /// - Returns: The progress; nil after the last step.
    private func runBatch(in store: Store, _ size: inout TypeMigration.BatchSize) throws -> MigrationProgress? {
        while true {
            do {
                return try store.write { [size] context in try translatingErrors { try runBatch(context, size) } }
            } catch StoreError.file(.mapFull) where size.bytes > TypeMigration.BatchSize.minimumBytes {
                size.bytes /= 4
            }
        }
    }

    private func runBatch(
        _ context: TransactionContext, _ size: TypeMigration.BatchSize
    ) throws -> MigrationProgress? {
        // Another program may have changed the relation meanwhile.
        guard let stored = declared.find(among: context.relations.values),
            let current = RelationMigration(declared, over: stored, in: context)
        else { return nil }
        try current.checkVersion(in: context, allowsOlderLayouts: context.allowsOlderLayouts)
        guard current.difference.rewritesLinks else {
            try current.adopt(context)
            return nil
        }
        let rewrite = LinkRewrite(source: stored, target: try current.target(), isSwapped: current.difference.isSwapped)
        guard let links = try context.links(stored) else { return nil }
        let conversions = current.conversions()
        let identifiers: LinkRewrite.Identifiers = { side, key in
            guard let conversion = conversions[side] else { return key }
            return try conversion?.newKey(key)
        }
        let step = try rewrite.copyBatch(
            context, size, until: .now + size.time, identifiers,
            check: { try current.checkIsUnique($0, links, context) })
        if step.isOver { try rewrite.finish(context) }
        return step.progress
    }

    /// Returns the conversion of the identifiers at each end; nil for an end without a conversion by the rules. Then
    /// its links are dropped.
    private func conversions() -> [LinkSide: RecordConversion?] {
        var conversions: [LinkSide: RecordConversion?] = [:]
        for (side, (old, new)) in zip(LinkSide.allCases, zip(stored.identifiers, identifiers)) where old != new {
            func layout(_ type: LayoutType) -> RecordLayout { RecordLayout(key: [LayoutField("id", type)], fields: []) }
            do throws(ConversionError) {
                conversions[side] = .some(try RecordConversion(from: layout(old), to: layout(new)))
            } catch {
                conversions[side] = .some(nil)
            }
        }
        return conversions
    }

    /// Changes the entries of the relation. The links stay as they are.
    private func adopt(_ context: TransactionContext) throws {
        guard let links = try context.links(stored) else { return }
        if !difference.newlyExclusive.isEmpty {
            let keys = try LinkKeys(links.table.type)
            try links.keyspace.scan(links.table.database, ScanRange()) { key, _ in
                if let ends = keys.ends(of: key) { try checkIsUnique(ends, links, context) }
                return .continue
            }
        }
        try context.adopt(self)
    }
}
