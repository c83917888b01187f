// Live objects of all types, for the identity map and the rounds.

/// A live object of any record type.
protocol MappedObject: LiveObject {
    var mapKey: IdentityMap.Key { get }
    var home: LiveHome { get }
    /// The key, for errors.
    var storedKey: StoredKey { get }
    /// Whether there are changes that are not committed, without being observed.
    var isPending: Bool { get }
    /// The turn in which the object was last kept; guarded by the lock of ``KeptObjects``.
    var keptTurn: Int { get set }

    /// Reads the record in a snapshot.
    ///
    /// - Parameter again: Whether the numbers of transactions have begun again, so that an older state has a greater
    ///   number.
    /// - Returns: A closure that takes the record over, and returns the changed parts.
    func read(in context: ReadContext, again: Bool) throws -> @Sendable () -> LiveParts

    /// Notes that the record could not be read: the object may not show the stored record.
    func noteUnread()

    /// Saves the object in a transaction, if it still has changes.
    func saveEdits(in context: TransactionContext, keepsEdits: Bool) throws
}

extension Live: MappedObject {
    var mapKey: IdentityMap.Key { IdentityMap.Key(Record.keyPrefix, keyBytes) }

    var storedKey: StoredKey { Record.schema.storedKey(keyBytes) }

    func read(in context: ReadContext, again: Bool) throws -> @Sendable () -> LiveParts {
        let number = context.core.identifier
        // A save knows the record that it has stored. Mostly, nothing has changed it.
        let version = version
        if !again, version.state.lastRead < version.state.snapshot, let stored = version.state.stored,
            try context.hasValue(stored, Record.schema, keyBytes)
        {
            return {
                self.update { state in
                    if state.adoptUnchanged(stored, at: number) { return }
                    // Decoded only where an edit or a save has come between.
                    // A record that does not decode is read again by its next use, which throws the error.
                    guard let record = try? Record(key: self.keyBytes, encodedValue: stored) else {
                        state.isUnread = true
                        return
                    }
                    state.adopt(FoundRecord(record, bytes: stored), at: number)
                }
            }
        }
        let found = try context.found(Record.self, key)
        return {
            self.update { state in
                if again { state.snapshot = -1 }
                state.adopt(found, at: number)
            }
        }
    }

    func noteUnread() { update { $0.isUnread = true } }

    func saveEdits(in context: TransactionContext, keepsEdits: Bool) throws {
        // It may have been saved, reverted or deleted before the turn of this transaction.
        guard version.state.hasChanges else { return }
        try save(nil, in: context, keepsEdits: keepsEdits)
    }
}

extension ReadContext {
    /// Returns the record with a key in its encoded form; nil if there is none.
    func found<Record: IndexKeyRecord>(_ type: Record.Type, _ key: Record.IndexKey) throws -> FoundRecord<Record>? {
        try get(type, key: key).map { try FoundRecord($0) }
    }
}
