// The async forms of sums and averages of decimal numbers.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension QueryAggregating {
    /// The async form of `sum(of:in:)`.
    public func sum(of property: KeyPath<Record, Decimal> & Sendable, in store: Store) async throws -> Decimal {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `sum(of:in:)` for an optional property.
    public func sum(of property: KeyPath<Record, Decimal?> & Sendable, in store: Store) async throws -> Decimal {
        try await store.read { try sum(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)`.
    public func average(of property: KeyPath<Record, Decimal> & Sendable, in store: Store) async throws -> Decimal? {
        try await store.read { try average(of: property, in: $0) }
    }

    /// The async form of `average(of:in:)` for an optional property.
    public func average(of property: KeyPath<Record, Decimal?> & Sendable, in store: Store) async throws -> Decimal? {
        try await store.read { try average(of: property, in: $0) }
    }
}

extension GroupedQuery {
    /// The async form of `sums(of:in:)`.
    public func sums(
        of property: KeyPath<Record, Decimal> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Decimal)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `sums(of:in:)` for an optional property.
    public func sums(
        of property: KeyPath<Record, Decimal?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Decimal)] {
        try await store.read { try sums(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)`.
    public func averages(
        of property: KeyPath<Record, Decimal> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Decimal)] {
        try await store.read { try averages(of: property, in: $0) }
    }

    /// The async form of `averages(of:in:)` for an optional property.
    public func averages(
        of property: KeyPath<Record, Decimal?> & Sendable, in store: Store
    ) async throws -> [(key: Key, value: Decimal?)] {
        try await store.read { try averages(of: property, in: $0) }
    }
}

extension BoundQuery where Source == Store {
    /// The async form of `sum(of:)`.
    public func sum(of property: KeyPath<Record, Decimal> & Sendable) async throws -> Decimal {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `sum(of:)` for an optional property.
    public func sum(of property: KeyPath<Record, Decimal?> & Sendable) async throws -> Decimal {
        try await query.sum(of: property, in: source)
    }

    /// The async form of `average(of:)`.
    public func average(of property: KeyPath<Record, Decimal> & Sendable) async throws -> Decimal? {
        try await query.average(of: property, in: source)
    }

    /// The async form of `average(of:)` for an optional property.
    public func average(of property: KeyPath<Record, Decimal?> & Sendable) async throws -> Decimal? {
        try await query.average(of: property, in: source)
    }
}

extension BoundGroupedQuery where Source == Store {
    /// The async form of `sums(of:)`.
    public func sums(of property: KeyPath<Record, Decimal> & Sendable) async throws -> [(key: Key, value: Decimal)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `sums(of:)` for an optional property.
    public func sums(of property: KeyPath<Record, Decimal?> & Sendable) async throws -> [(key: Key, value: Decimal)] {
        try await query.sums(of: property, in: source)
    }

    /// The async form of `averages(of:)`.
    public func averages(of property: KeyPath<Record, Decimal> & Sendable) async throws -> [(key: Key, value: Decimal)]
    {
        try await query.averages(of: property, in: source)
    }

    /// The async form of `averages(of:)` for an optional property.
    public func averages(of property: KeyPath<Record, Decimal?> & Sendable) async throws -> [(
        key: Key, value: Decimal?
    )] {
        try await query.averages(of: property, in: source)
    }
}
