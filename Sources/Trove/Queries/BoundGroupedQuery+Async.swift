// The async forms of grouped queries bound to a store.

import TroveCoding

extension BoundGroupedQuery where Source == Store {
    /// The async form of `keys()`.
    public func keys() async throws -> [Key] { try await query.keys(in: source) }

    /// The async form of `counts()`.
    public func counts() async throws -> [(key: Key, value: Int)] { try await query.counts(in: source) }

    /// The async form of `explain()`.
    public func explain() async throws -> String { try await query.explain(in: source) }

    /// The async form of `explain(of:)`.
    public func explain(of property: KeyPath<Record, some KeyComponent> & Sendable) async throws -> String {
        try await query.explain(of: property, in: source)
    }

    /// The async form of `min(of:)`.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.min(of: property, in: source)
    }

    /// The async form of `min(of:)` for an optional property.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Value?)] {
        try await query.min(of: property, in: source)
    }

    /// The async form of `max(of:)`.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.max(of: property, in: source)
    }

    /// The async form of `max(of:)` for an optional property.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Value?)] {
        try await query.max(of: property, in: source)
    }

    /// The async form of `sums(of:)`.
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `sums(of:)` for an optional property.
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `sums(of:)`.
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `sums(of:)` for an optional property.
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Value)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `averages(of:)`.
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Double)] {
        try await query.averages(of: property, in: source)
    }

    /// The async form of `averages(of:)` for an optional property.
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Double?)] {
        try await query.averages(of: property, in: source)
    }

    /// The async form of `averages(of:)`.
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value> & Sendable
    ) async throws -> [(key: Key, value: Double)] {
        try await query.averages(of: property, in: source)
    }

    /// The async form of `averages(of:)` for an optional property.
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?> & Sendable
    ) async throws -> [(key: Key, value: Double?)] {
        try await query.averages(of: property, in: source)
    }
}
