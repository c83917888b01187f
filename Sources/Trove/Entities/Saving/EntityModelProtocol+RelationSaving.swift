// Statements that save the targets of a single relation of an entity.
//
// A statement on a mutual relation names its inverse, so that a reader of the call sees both sides of the change.

import TroveCoding

// MARK: One-way relations

extension EntityModelProtocol {
    /// Saves the entities inside a one-way relation, and its links. The entity itself is not saved.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$author`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``save(to:options:)-(RecordWritable,_)``. Nothing is then stored.
    @available(*, noasync, message: "await the call")
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        to destination: some RecordWritable
    ) throws {
        try saveRelation(relation, to: destination)
    }
}

// MARK: Mutual relations

extension EntityModelProtocol {
    /// Saves the entities inside a mutual relation, and its links. The entity itself is not saved.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$chats`.
    ///   - inverse: The relation of the other type, such as `\.$users`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``save(to:options:)-(RecordWritable,_)``. Nothing is then stored.
    @available(*, noasync, message: "await the call")
    public func save<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        to destination: some RecordWritable
    ) throws {
        try Self.checkInverse(of: relation, inverse)
        try saveRelation(relation, to: destination)
    }

    /// Does not exist: the inverse is missing.
    @available(*, unavailable, message: "a mutual relation is saved with its inverse: save(\\.$x, inverse: \\.$y, to:)")
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        to destination: some RecordWritable
    ) throws {}
}

// MARK: The work

extension EntityModelProtocol {
    private func saveRelation(_ path: AnyKeyPath, to destination: some RecordWritable) throws {
        let index = try Self.relation(at: path).index
        let key = KeyWriter.bytes { encodeKey(into: &$0) }
        try destination.writingStatement { try $0.saveRelation(index, of: self, key) }
    }
}
