// Statements that save the targets of a single relation of an entity.

import TroveCoding

extension EntityModelProtocol {
    /// Saves the entities inside a relation, and its links. The entity itself is not saved.
    ///
    /// ```swift
    /// try chat.save(\.$users, to: store)
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$users`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``save(to:merging:)-(RecordWritable,_)``. Nothing is then stored.
    @available(*, noasync, message: "await the call")
    public func save<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        to destination: some RecordWritable
    ) throws {
        let index = try Self.relation(at: relation).index
        let key = KeyWriter.bytes { encodeKey(into: &$0) }
        try destination.writingStatement { try $0.saveRelation(index, of: self, key) }
    }

    /// The async form of `save(_:to:)`. The statements of many tasks share a commit.
    public func save<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        to store: Store
    ) async throws {
        try await store.write { try save(relation, to: $0) }
    }
}
