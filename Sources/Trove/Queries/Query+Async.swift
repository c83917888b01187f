// The async forms of a query's runs in a store.

import TroveCoding

extension Query {
    /// The async form of `forEach(in:_:)`. The closure runs on a background thread.
    public func forEach(in store: Store, _ body: @escaping @Sendable (Record) throws -> Void) async throws {
        try await store.read { try forEach(in: $0, body) }
    }

    /// The async form of `forEach(in:_:)`, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    public func forEach(in store: Store, _ body: @escaping @Sendable (Record) throws -> ScanControl) async throws {
        try await store.read { try forEach(in: $0, body) }
    }

    /// The async form of `delete(in:)`.
    @discardableResult
    public func delete(in store: Store) async throws -> Int {
        try await store.write { try delete(in: $0) }
    }

    /// The async form of `update(in:_:)`. The closure runs on the store's writer thread.
    @discardableResult
    public func update(
        in store: Store, _ change: @escaping @Sendable (inout Record) throws -> Void
    ) async throws -> Int {
        try await store.write { try update(in: $0, change) }
    }
}
