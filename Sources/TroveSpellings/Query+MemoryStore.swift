// Statements of queries in a memory store.

import Trove

extension Query {
    /// Removes the matching records of a memory store, all or none.
    ///
    /// - Returns: The number of matches removed.
    /// - Throws: The errors of `delete(in:)`. Nothing is then deleted.
    @discardableResult
    public func delete(in context: inout MemoryStore) throws -> Int { try context.writing { try delete(in: $0) } }

    /// Changes the matching records of a memory store, all or none.
    ///
    /// - Parameters:
    ///   - context: The memory store.
    ///   - change: Changes a record. The key must stay the same.
    /// - Returns: The number of records changed.
    /// - Throws: The errors of `update(in:_:)`. Nothing is then changed.
    @discardableResult
    public func update(in context: inout MemoryStore, _ change: (inout Record) throws -> Void) throws -> Int {
        try context.writing { try update(in: $0, change) }
    }
}
