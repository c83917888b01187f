// The async forms of a query's runs in a store.

import TroveCoding

extension Query {
    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? {
        try await store.read { try first(in: $0) }
    }

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

    /// The async form of `select(_:in:)`.
    public func select<Value: Sendable>(
        _ property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [Value] {
        try await store.read { try select(property, in: $0) }
    }

    /// The async form of `select(_:_:_:in:)`.
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable, in store: Store
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await store.read { try select(first, second, repeat each rest, in: $0) }
    }
}
