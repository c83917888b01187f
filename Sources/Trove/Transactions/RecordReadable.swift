// The reads of records, in a context or in a store.

import TroveCoding

/// A source of records: the context of a transaction, or a store with a read transaction of its own.
public protocol RecordReadable {
    /// Runs a closure with a context for reading.
    func reading<R>(_ body: (ReadContext) throws -> R) throws -> R
}

extension ReadContext: RecordReadable {
    /// Runs a closure with this context.
    @inlinable
    public final func reading<R>(_ body: (ReadContext) throws -> R) throws -> R { try body(self) }
}

extension RecordReadable {
    /// Returns the record with a key; nil if there is none.
    ///
    /// - Complexity: O(log *n*) in the number of records.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func get<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Record? {
        try get(type) { key.encodeKey(into: &$0) }
    }

    /// Returns the records with several keys, in the order of the keys. Missing records are left out.
    ///
    /// - Complexity: O(*k* log *n*) for *k* keys in *n* records.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func get<Record: IndexKeyRecord>(
        _ type: Record.Type, keys: some Sequence<Record.IndexKey>
    ) throws -> [Record] {
        try reading { context in
            try keys.compactMap { key in try context.get(type, key: key) }
        }
    }

    /// Returns the record whose key a closure writes; nil if there is none. Generated code calls this.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func get<Record: IndexKeyRecord>(
        _ type: Record.Type, _ encodeKey: (inout KeyWriter) -> Void
    ) throws -> Record? {
        try reading { context in
            do {
                return try KeyWriter.withKey(encodeKey) { key in
                    guard let found = try context.open(Record.schema, key) else { return nil }
                    defer { context.close(found) }
                    return try found.decode(Record.self, key)
                }
            } catch let error as CodingError {
                // The key is too large for any record.
                if case .keyTooLarge = error.reason { return nil }
                throw error
            }
        }
    }

    /// Returns whether a record has the key. The record is not decoded.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func contains<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Bool {
        try reading { context in
            do {
                return try KeyWriter.withKey({ key.encodeKey(into: &$0) }) { key in
                    guard let found = try context.open(Record.schema, key) else { return false }
                    context.close(found)
                    return true
                }
            } catch let error as CodingError {
                if case .keyTooLarge = error.reason { return false }
                throw error
            }
        }
    }
}
