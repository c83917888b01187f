// The calls of a `Query` on a `KeyQuery`: the same query, seen as a query by properties.

import TroveCoding

extension KeyQuery {
    /// Changes the matching records, all or none; see ``Query/update(in:_:)-(RecordWritable,_)``.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - change: Changes a record. The key must stay the same.
    /// - Returns: The number of records changed, without records that a collision rule ignored.
    /// - Throws: ``StoreError/keyChanged(type:key:)``, ``StoreError/notUnique(type:index:key:existing:)``, or the
    ///   closure's error.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func update(
        in destination: some RecordWritable, _ change: (inout Record) throws -> Void
    ) throws -> Int {
        try Query(self).update(in: destination, change)
    }

    // MARK: Shaping

    /// Returns a query with an order built from sort keys.
    @inlinable
    public func sorted(by keys: [SortKey<Record>]) -> Query<Record> { Query(self).sorted(by: keys) }

    /// Returns the query for the records after the record with a key, in the query's order. Nil returns the first page.
    public func after(key: Record.IndexKey?) -> KeyQuery { after(key) }

    /// Returns the query for the records after a record, in the query's order. Nil returns the first page.
    ///
    /// The record may have been deleted.
    @_disfavoredOverload  // A nil literal is a key.
    public func after(_ record: Record?) -> KeyQuery { after(record?.indexKey) }
}
