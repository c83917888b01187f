// The writes of a record, as methods of the record.

extension IndexKeyRecord {
    /// Stores the record: `try person.insert(in: store)`.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - rule: The treatment of a stored record with the same key. By default, it is replaced.
    /// - Returns: False if a stored record was kept; see ``RecordWritable/insert(_:onConflict:)``.
    /// - Throws: The errors of ``RecordWritable/insert(_:onConflict:)``.
    @available(*, noasync, message: "await the call")
    @inlinable
    @discardableResult
    public func insert(in destination: some RecordWritable, onConflict rule: ConflictRule = .replace) throws -> Bool {
        try destination.insert(self, onConflict: rule)
    }

    /// Removes the record, by its key: `try person.delete(in: store)`.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Returns: Whether the record existed.
    /// - Throws: ``StoreError``.
    @available(*, noasync, message: "await the call")
    @inlinable
    @discardableResult
    public func delete(in destination: some RecordWritable) throws -> Bool { try destination.delete(self) }
}
