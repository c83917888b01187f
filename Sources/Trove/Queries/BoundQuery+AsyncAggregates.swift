// The async forms of the aggregates and distinct values of queries bound to a store.

import TroveCoding

extension BoundQuery where Source == Store {
    /// The async form of `min(of:)`.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Value? {
        try await query.min(of: property, in: source)
    }

    /// The async form of `min(of:)` for an optional property.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Value? {
        try await query.min(of: property, in: source)
    }

    /// The async form of `max(of:)`.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Value? {
        try await query.max(of: property, in: source)
    }

    /// The async form of `max(of:)` for an optional property.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Value? {
        try await query.max(of: property, in: source)
    }

    /// The async form of `sum(of:)`.
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Value {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `sum(of:)` for an optional property.
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Value {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `sum(of:)`.
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Value {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `sum(of:)` for an optional property.
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Value {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `average(of:)`.
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Double? {
        try await query.average(of: property, in: source)
    }

    /// The async form of `average(of:)` for an optional property.
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Double? {
        try await query.average(of: property, in: source)
    }

    /// The async form of `average(of:)`.
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> Double? {
        try await query.average(of: property, in: source)
    }

    /// The async form of `average(of:)` for an optional property.
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> Double? {
        try await query.average(of: property, in: source)
    }

    /// The async form of `distinct(_:)`.
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
