// The async forms of aggregates and distinct values in a store.

import TroveCoding

extension QueryAggregating {
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

extension QueryAggregating {
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
