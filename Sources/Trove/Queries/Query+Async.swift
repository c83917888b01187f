// The async forms of a query's runs in a store.

import TroveCoding

extension Query {
    /// The async form of `resolve(in:)`.
    public func resolve(in store: Store) async throws -> [Record] {
        try await store.read { try resolve(in: $0) }
    }

    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? {
        try await store.read { try first(in: $0) }
    }

    /// The async form of `keys(in:)`.
    public func keys(in store: Store) async throws -> [Record.IndexKey] {
        try await store.read { try keys(in: $0) }
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

    /// The async form of `count(in:)`.
    public func count(in store: Store) async throws -> Int {
        try await store.read { try count(in: $0) }
    }

    /// The async form of `exists(in:)`.
    public func exists(in store: Store) async throws -> Bool {
        try await store.read { try exists(in: $0) }
    }

    /// The async form of `explain(in:)`.
    public func explain(in store: Store) async throws -> String {
        try await store.read { try explain(in: $0) }
    }

    /// The async form of `explainCount(in:)`.
    public func explainCount(in store: Store) async throws -> String {
        try await store.read { try explainCount(in: $0) }
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
