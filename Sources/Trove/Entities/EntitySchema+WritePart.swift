// The saves and deletes of entities, for code that writes records of any type.

extension EntitySchema: WritePart {
    func save(_ record: UntypedRecord, onConflict rule: ConflictRule, in context: TransactionContext) throws -> Bool {
        try type.save(record, onConflict: rule, in: context)
    }

    func delete(_ key: [UInt8], in context: TransactionContext) throws -> Bool { try type.delete(key, in: context) }

    /// Whether saving an entity may save others: entities inside its relations, or entities of its hooks.
    var mayAddBySaving: Bool { !hasDefault(.saving) || !type.relationDescriptions.isEmpty }

    /// Whether deleting an entity may save others: entities of its hooks, or of the hooks of the entities that it takes
    /// along.
    var mayAddByDeleting: Bool {
        !hasDefault(.deleting) || type.relationDescriptions.contains { $0.deleteRule == .cascade }
    }

    /// Whether deleting all entities removes records and links alone: no hook runs, nothing is kept of a deleted
    /// entity, and no relation takes its targets along or denies the delete.
    var canBeEmptied: Bool {
        hasDefault(.deleting) && !type.entityOptions.keepsDeleted
            && type.relationDescriptions.allSatisfy { $0.deleteRule == .nullify }
    }

    func removeLinks(ofAll records: RecordTable, in context: TransactionContext) throws {
        try context.removeLinks(ofAll: records)
    }
}
