// The number of links of an entity.

import TroveCoding

extension RecordQuery where Record: EntityModelProtocol {
    /// Returns the number of an entity's links in a relation. Links to entities that are not stored count, and so do
    /// the links of an entity that is not stored.
    ///
    /// ```swift
    /// let members = try Chat.query("1").linkCount(of: \.$users, in: store)
    /// ```
    ///
    /// The number of stored targets is `related(\.$users).count(in: store)`, which looks up each of them.
    ///
    /// - Parameters:
    ///   - relation: A relation, such as `\.$users`.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/relationMismatch(type:relation:inverse:)``.
    /// - Complexity: O(log *n* + *m*) for *m* links of *n*. No entity is read.
    @available(*, noasync, message: "await the call")
    public func linkCount<Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
        in source: some RecordReadable
    ) throws -> Int {
        let declared = try Record.relation(at: relation).declared
        return try source.reading { context in
            guard let key = try keyBytes(in: context), key.count <= LinkWriter.sizeLimit else { return 0 }
            return try translatingErrors {
                try context.links(declared).map { try $0.links.count(of: key, $0.side) } ?? 0
            }
        }
    }

    /// The async form of ``linkCount(of:in:)-(_,RecordReadable)``.
    public func linkCount<Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        in store: Store
    ) async throws -> Int {
        try await store.read { try linkCount(of: relation, in: $0) }
    }
}

extension BoundRecordQuery where Record: EntityModelProtocol {
    /// Returns the number of the entity's links in a relation, to stored entities and others.
    ///
    /// - Parameter relation: A relation, such as `\.$users`.
    @available(*, noasync, message: "await the call")
    public func linkCount<Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) throws -> Int {
        try query.linkCount(of: relation, in: source)
    }
}

extension BoundRecordQuery where Record: EntityModelProtocol, Source == Store {
    /// The async form of ``linkCount(of:)``.
    public func linkCount<Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable
    ) async throws -> Int {
        try await query.linkCount(of: relation, in: source)
    }
}
