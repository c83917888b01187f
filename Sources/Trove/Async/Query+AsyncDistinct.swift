// The async forms of distinct values in a store.

import TroveCoding

extension Query {
    /// The async form of `distinct(_:in:)`.
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [Value] {
        try await store.read { try distinct(property, in: $0) }
    }

    /// The async form of `distinct` for several properties.
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable, in store: Store
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await store.read { try distinct(first, second, repeat each rest, in: $0) }
    }
}

extension KeyQuery {
    /// The async form of `distinct(_:in:)`.
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [Value] {
        try await store.read { try distinct(property, in: $0) }
    }

    /// The async form of `distinct` for several properties.
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable, in store: Store
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await store.read { try distinct(first, second, repeat each rest, in: $0) }
    }
}

extension IndexKeyRecord {
    /// The async form of `distinct(_:in:)`.
    public static func distinct<Value: KeyComponent>(
        _ property: KeyPath<Self, Value> & Sendable, in store: Store
    ) async throws -> [Value] {
        try await store.read { try distinct(property, in: $0) }
    }

    /// The async form of `distinct` for several properties.
    public static func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Self, First> & Sendable, _ second: KeyPath<Self, Second> & Sendable,
        _ rest: repeat KeyPath<Self, each Rest> & Sendable, in store: Store
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await store.read { try distinct(first, second, repeat each rest, in: $0) }
    }
}

extension BoundQuery where Source == Store {
    /// The async form of ``distinct(_:)``.
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value> & Sendable
    ) async throws -> [Value] {
        try await query.distinct(property, in: source)
    }

    /// The async form of `distinct` for several properties.
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable
    ) async throws -> [(First, Second, repeat each Rest)] {
        try await query.distinct(first, second, repeat each rest, in: source)
    }
}
