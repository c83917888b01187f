// The changes of other records that a save or a delete of a record takes along.

/// A part of a schema whose records are saved and deleted together with others.
protocol WritePart: TablePart {
    /// Saves a record of the type, with the records inside its relations.
    ///
    /// - Returns: False if a rule left the record unsaved.
    func save(_ record: UntypedRecord, onConflict rule: ConflictRule, in context: TransactionContext) throws -> Bool

    /// Deletes the record with a key by the rules of its relations. Returns whether the record existed.
    func delete(_ key: [UInt8], in context: TransactionContext) throws -> Bool

    /// Whether a save may save other records.
    var mayAddBySaving: Bool { get }

    /// Whether a delete may save other records.
    var mayAddByDeleting: Bool { get }

    /// Whether deleting all records removes records and links alone.
    var canBeEmptied: Bool { get }

    /// Removes the links of all stored records of the type.
    func removeLinks(ofAll records: RecordTable, in context: TransactionContext) throws
}

extension RecordSchema {
    /// The part for saves and deletes; nil for a type whose records are saved and deleted alone.
    var writePart: (any WritePart)? { part as? any WritePart }

    /// Whether saving a record may save others.
    var mayAddBySaving: Bool { writePart?.mayAddBySaving ?? false }

    /// Whether deleting a record may save others.
    var mayAddByDeleting: Bool { writePart?.mayAddByDeleting ?? false }
}
