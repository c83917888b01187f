// The number of links of an entity.

import TroveCoding

/// A request for the number of an entity's links in a relation: ``RecordQuery/linkCount(of:)``.
public struct LinkCountRequest<Record: EntityModelProtocol>: StoreRequest {
    private let query: RecordQuery<Record>
    private let relation: Result<DeclaredRelation, StoreError>

    init(_ query: RecordQuery<Record>, _ relation: Result<DeclaredRelation, StoreError>) {
        self.query = query
        self.relation = relation
    }

    /// Returns the number of links; 0 if there is no entity.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    public func value(in context: ReadContext) throws -> Int {
        let declared = try relation.get()
        guard let key = try query.keyBytes(in: context), key.count <= LinkWriter.sizeLimit else { return 0 }
        return try translatingErrors {
            try context.links(declared).map { try $0.links.count(of: key, $0.side) } ?? 0
        }
    }
}

extension RecordQuery where Record: EntityModelProtocol {
    /// Returns a request for the number of an entity's links in a relation. Links to entities that are not stored
    /// count, and so do the links of an entity that is not stored.
    ///
    /// ```swift
    /// let members = try Chat.query("1").linkCount(of: \.$users).resolve(in: store)
    /// ```
    ///
    /// The number of stored targets is `related(\.$users).count(in: store)`, which looks up each of them.
    ///
    /// - Parameter relation: A relation, such as `\.$users`.
    /// - Returns: A request, which throws ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    /// - Complexity: O(log *n* + *m*) for *m* links of *n*. No entity is read.
    public func linkCount<Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> LinkCountRequest<Record> {
        LinkCountRequest(self, Record.declaredRelation(at: relation))
    }
}

extension Bound {
    /// Returns a request for the number of the entity's links in a relation, to stored entities and others; see
    /// ``RecordQuery/linkCount(of:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$users`.
    public func linkCount<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        of relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<LinkCountRequest<Record>, Source> where Request == RecordQuery<Record> {
        Bound<_, Source>(request.linkCount(of: relation), in: source)
    }
}
