// The reads of records, by a context, or by a store as a read transaction of its own.

import TroveCoding

/// What records can be read from: the context of a transaction, or a store, which then begins a read of its own.
public protocol RecordReadable {
    /// Runs a closure with a context to read from.
    func reading<R>(_ body: (ReadContext) throws -> R) throws -> R
}

extension ReadContext: RecordReadable {
    /// Runs a closure with this context.
    @inlinable
    public final func reading<R>(_ body: (ReadContext) throws -> R) throws -> R { try body(self) }
}

extension RecordReadable {
    /// The record of a key; nil where there is none.
    ///
    /// - Complexity: O(log *n*) in the number of records.
    @inlinable
    public func get<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Record? {
        try get(type) { key.encodeKey(into: &$0) }
    }

    /// The records of several keys, in the order of the keys; those that are missing are left out.
    ///
    /// - Complexity: O(*k* log *n*) for *k* keys in *n* records.
    @inlinable
    public func get<Record: IndexKeyRecord>(
        _ type: Record.Type, keys: some Sequence<Record.IndexKey>
    ) throws -> [Record] {
        try reading { context in
            try keys.compactMap { key in try context.get(type, key: key) }
        }
    }

    /// The record whose key a closure writes; nil where there is none. Generated code calls this.
    @inlinable
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
                // No record has a key that is too large.
                if case .keyTooLarge = error.reason { return nil }
                throw error
            }
        }
    }

    /// Whether there is a record of a key, which is not decoded.
    @inlinable
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
