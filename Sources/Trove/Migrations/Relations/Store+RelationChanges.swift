// The changes of relations for a migration plan.

extension Store {
    /// Returns the changes of a type's relations.
    ///
    /// - Parameters:
    ///   - migration: The migration of the type's records; nil if there is none.
    ///   - types: All types of the plan.
    func relationChanges(
        of type: any IndexKeyRecord.Type, _ migration: TypeMigration?, amongChangesOf types: [any IndexKeyRecord.Type]
    ) throws -> [RelationChange] {
        try readToEnd { context in
            try translatingErrors {
                let migrations = try context.relationMigrations(of: types)
                let changes = try migrations.flatMap { try $0.changes(for: type.schema, context) }
                let undeclared = try type.schema.undeclaredProperties(among: context.relations)
                    .filter { property in !migrations.contains { $0.keyPrefix == property.stored.schema.keyPrefix } }
                    .map { try context.change(of: $0) }
                let lostIDs = try migration?.lostIDs(in: context).map { loss in
                    RelationChange(
                        relation: "\(loss.type).\(loss.field)", kind: .idsLost(deletedEntities: loss.records), links: 0,
                        rewritesLinks: false)
                }
                return try changes + (migration?.linkChanges(context) ?? []) + (lostIDs ?? []) + undeclared
            }
        }
    }
}

extension RelationMigration {
    /// Returns the changes at the ends of a type.
    fileprivate func changes(for schema: RecordSchema, _ context: ReadContext) throws -> [RelationChange] {
        let links = try context.countRecords(of: stored.schema)
        var changes: [RelationChange] = []
        for side in LinkSide.allCases where difference.target[side].keyPrefix == schema.keyPrefix {
            let (new, old) = (difference.target[side], difference.source[difference.source(of: side)])
            guard let name = new.property ?? old.property else { continue }
            var kinds: [RelationChange.Kind] = []
            let inverse = context.name(of: difference.target[side.other])
            let oldInverse = context.name(of: difference.source[difference.source(of: side.other)])
            if let old = old.property, let new = new.property, old != new { kinds.append(.renamed(from: old)) }
            if old.property != nil, new.property != nil, old.isExclusive != new.isExclusive {
                kinds.append(new.isExclusive ? .becameToOne : .becameToMany)
            }
            if new.property != nil, let inverse, oldInverse == nil { kinds.append(.becameMutual(inverse: inverse)) }
            if new.property != nil, inverse == nil, let oldInverse { kinds.append(.becameOneWay(inverse: oldInverse)) }
            changes += kinds.map {
                RelationChange(relation: name, kind: $0, links: links, rewritesLinks: difference.rewritesLinks)
            }
        }
        return changes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension TypeMigration {
    /// Returns the changes of the links that get new keys.
    fileprivate func linkChanges(_ context: ReadContext) throws -> [RelationChange] {
        guard changesKeys else { return [] }
        let lost = Dictionary(
            try lostLinks(in: context).map { ($0.relation.schema.keyPrefix, $0.count) }, uniquingKeysWith: { $1 })
        return try linkRelations(context).map { stored in
            let names = type.schema.properties(in: stored.relation)
            return RelationChange(
                relation: names.first ?? stored.schema.qualifiedName,
                kind: .keysChanged(lostLinks: lost[stored.schema.keyPrefix] ?? 0),
                links: try context.countRecords(of: stored.schema), rewritesLinks: true)
        }
    }
}

extension ReadContext {
    /// Returns an undeclared relation as a change of the type.
    fileprivate final func change(of undeclared: UndeclaredRelation) throws -> RelationChange {
        let other = undeclared.otherEnd
        let type = catalogSnapshot.recordTable(other.keyPrefix)?.type.qualifiedName
        let otherEnd = name(of: other) ?? type ?? TableName.hexadecimal(other.keyPrefix)
        return RelationChange(
            relation: undeclared.property,
            kind: .undeclared(
                otherEnd: undeclared.isRedeclared ? otherEnd : nil, possibleNames: undeclared.possibleNames,
                deletedEntities: try KeptEntities(of: undeclared.end.keyPrefix, in: self)?
                    .count(withIDsOf: [undeclared.end], keyspace) ?? 0),
            links: try countRecords(of: undeclared.stored.schema), rewritesLinks: false)
    }

    /// Returns the name of a property with the name of its type, such as `Chats.Chat.messages`; nil without a property.
    fileprivate final func name(of end: LinkEnd) -> String? {
        end.property.map { property in
            let type = catalogSnapshot.recordTable(end.keyPrefix)?.type.qualifiedName
            return (type ?? TableName.hexadecimal(end.keyPrefix)) + "." + property
        }
    }
}
