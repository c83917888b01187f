// The async forms of the queries bound to a store.

import TroveCoding

extension BoundQuery where Source == Store {
    /// The async form of `resolve()`.
    public func resolve() async throws -> [Record] { try await query.resolve(in: source) }

    /// The async form of `first()`.
    public func first() async throws -> Record? { try await query.first(in: source) }

    /// The async form of `forEach(_:)`. The closure runs on a background thread.
    public func forEach(_ body: @escaping @Sendable (Record) throws -> Void) async throws {
        try await query.forEach(in: source, body)
    }

    /// The async form of `forEach(_:)`, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    public func forEach(_ body: @escaping @Sendable (Record) throws -> ScanControl) async throws {
        try await query.forEach(in: source, body)
    }

    /// The async form of `select(_:)`.
    public func select<Value: Sendable>(_ property: KeyPath<Record, Value> & Sendable) async throws -> [Value] {
        try await query.select(property, in: source)
    }

    /// The async form of `select(_:_:_:)`.
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await query.select(first, second, repeat each rest, in: source)
    }

    /// The async form of `delete()`.
    @discardableResult
    public func delete() async throws -> Int { try await query.delete(in: source) }

    /// The async form of `update(_:)`. The closure runs on the store's writer thread.
    @discardableResult
    public func update(_ change: @escaping @Sendable (inout Record) throws -> Void) async throws -> Int {
        try await query.update(in: source, change)
    }
}

extension BoundRecordQuery where Source == Store {
    /// The async form of `resolve()`.
    public func resolve() async throws -> Record? { try await query.resolve(in: source) }
}
