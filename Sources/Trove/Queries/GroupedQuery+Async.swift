// The async forms of grouped queries in a store.

import TroveCoding

extension GroupedQuery {
    /// The async form of ``keys(in:)``.
    public func keys(in store: Store) async throws -> [Key] {
        try await store.read { try keys(in: $0) }
    }

    /// The async form of ``counts(in:)``.
    public func counts(in store: Store) async throws -> [(key: Key, value: Int)] {
        try await store.read { try counts(in: $0) }
    }

    /// The async form of ``explain(in:)``.
    public func explain(in store: Store) async throws -> String {
        try await store.read { try explain(in: $0) }
    }

    /// The async form of ``explain(of:in:)``.
    public func explain(of property: KeyPath<Record, some KeyComponent> & Sendable, in store: Store) async throws
        -> String
    {
        try await store.read { try explain(of: property, in: $0) }
    }

    /// The async form of `min(of:in:)`.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try min(of: property, in: $0) }
    }

    /// The async form of `min(of:in:)` for an optional property.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value?)] {
        try await store.read { try min(of: property, in: $0) }
    }

    /// The async form of `max(of:in:)`.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try max(of: property, in: $0) }
    }

    /// The async form of `max(of:in:)` for an optional property.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value?)] {
        try await store.read { try max(of: property, in: $0) }
    }

    /// The async form of `sums(of:in:)`.
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `sums(of:in:)` for an optional property.
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `sums(of:in:)`.
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `sums(of:in:)` for an optional property.
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Value)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)`.
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Double)] {
        try await store.read { try averages(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)` for an optional property.
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Double?)] {
        try await store.read { try averages(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)`.
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Double)] {
        try await store.read { try averages(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)` for an optional property.
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Double?)] {
        try await store.read { try averages(of: property, in: $0) }
    }
}
