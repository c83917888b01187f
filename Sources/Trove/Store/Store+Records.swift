// The async forms of the reads and writes of records in a store.

import TroveCoding

extension Store {
    /// The async form of ``RecordReadable/get(_:key:)``.
    public func get<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) async throws -> Record? {
        try await read { try $0.get(type, key: key) }
    }

    /// The async form of ``RecordReadable/get(_:keys:)``.
    public func get<Record: IndexKeyRecord>(
        _ type: Record.Type, keys: some Sequence<Record.IndexKey> & Sendable
    ) async throws -> [Record] {
        try await read { try $0.get(type, keys: keys) }
    }

    /// The async form of the `get` that generated code calls.
    public func get<Record: IndexKeyRecord>(
        _ type: Record.Type, _ encodeKey: @escaping @Sendable (inout KeyWriter) -> Void
    ) async throws -> Record? {
        try await read { try $0.get(type, encodeKey) }
    }

    /// The async form of ``RecordReadable/contains(_:key:)``.
    public func contains<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) async throws -> Bool {
        try await read { try $0.contains(type, key: key) }
    }

    /// The async form of ``RecordWritable/insert(_:onConflict:)``.
    @discardableResult
    public func insert<Record: IndexKeyRecord>(
        _ record: Record, onConflict rule: ConflictRule = .replace
    ) async throws -> Bool {
        try await write { try $0.insert(record, onConflict: rule) }
    }

    /// The async form of ``RecordWritable/insert(_:orUpdate:)``. The closure runs on the store's writer thread.
    @discardableResult
    public func insert<Record: IndexKeyRecord>(
        _ record: Record, orUpdate change: @escaping @Sendable (inout Record) throws -> Void
    ) async throws -> Record? {
        try await write { try $0.insert(record, orUpdate: change) }
    }

    /// The async form of ``RecordWritable/insert(contentsOf:onConflict:)``.
    public func insert<Record: IndexKeyRecord>(
        contentsOf records: some Sequence<Record> & Sendable, onConflict rule: ConflictRule = .replace
    ) async throws {
        try await write { try $0.insert(contentsOf: records, onConflict: rule) }
    }

    /// The async form of ``RecordWritable/delete(_:)``.
    @discardableResult
    public func delete<Record: IndexKeyRecord>(_ record: Record) async throws -> Bool {
        try await write { try $0.delete(record) }
    }

    /// The async form of ``RecordWritable/delete(_:key:)``.
    @discardableResult
    public func delete<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) async throws -> Bool {
        try await write { try $0.delete(type, key: key) }
    }

    /// The async form of ``RecordWritable/delete(_:key:ignoringDamage:)``.
    @discardableResult
    public func delete<Record: IndexKeyRecord>(
        _ type: Record.Type, key: Record.IndexKey, ignoringDamage: Bool
    ) async throws -> Bool {
        try await write { try $0.delete(type, key: key, ignoringDamage: ignoringDamage) }
    }
}

extension IndexKeyRecord {
    /// The async form of `insert(in:onConflict:)`.
    @discardableResult
    public func insert(in store: Store, onConflict rule: ConflictRule = .replace) async throws -> Bool {
        try await store.insert(self, onConflict: rule)
    }

    /// The async form of `insert(in:orUpdate:)`. The closure runs on the store's writer thread.
    @discardableResult
    public func insert(
        in store: Store, orUpdate change: @escaping @Sendable (inout Self) throws -> Void
    ) async throws -> Self? {
        try await store.insert(self, orUpdate: change)
    }

    /// The async form of `delete(in:)`.
    @discardableResult
    public func delete(in store: Store) async throws -> Bool { try await store.delete(self) }
}
