// The async forms of distinct values in a store.

import TroveCoding

extension Query {
    /// The async form of `distinct(_:in:)`.
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value> & Sendable, in store: Store
    ) async throws -> [(repeat each Value)] {
        try await store.read { try distinct(repeat each properties, in: $0) }
    }
}

extension KeyQuery {
    /// The async form of `distinct(_:in:)`.
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value> & Sendable, in store: Store
    ) async throws -> [(repeat each Value)] {
        try await store.read { try distinct(repeat each properties, in: $0) }
    }
}

extension IndexKeyRecord {
    /// The async form of `distinct(_:in:)`.
    public static func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Self, each Value> & Sendable, in store: Store
    ) async throws -> [(repeat each Value)] {
        try await store.read { try distinct(repeat each properties, in: $0) }
    }
}

extension BoundQuery where Source == Store {
    /// The async form of ``distinct(_:)``.
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value> & Sendable
    ) async throws -> [(repeat each Value)] {
        try await query.distinct(repeat each properties, in: source)
    }
}
