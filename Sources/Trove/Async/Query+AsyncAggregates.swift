// The async forms of a query's aggregates in a store.

import TroveCoding

extension Query {
    /// The async form of `min(of:in:)`.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Value? {
        try await store.read { try min(of: property, in: $0) }
    }

    /// The async form of `min(of:in:)` for an optional property.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Value? {
        try await store.read { try min(of: property, in: $0) }
    }

    /// The async form of `max(of:in:)`.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Value? {
        try await store.read { try max(of: property, in: $0) }
    }

    /// The async form of `max(of:in:)` for an optional property.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Value? {
        try await store.read { try max(of: property, in: $0) }
    }

    /// The async form of `sum(of:in:)`.
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Value {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `sum(of:in:)` for an optional property.
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Value {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `sum(of:in:)`.
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Value {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `sum(of:in:)` for an optional property.
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Value {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)`.
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Double? {
        try await store.read { try average(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)` for an optional property.
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Double? {
        try await store.read { try average(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)`.
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> Double? {
        try await store.read { try average(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)` for an optional property.
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> Double? {
        try await store.read { try average(of: property, in: $0) }
    }
}
