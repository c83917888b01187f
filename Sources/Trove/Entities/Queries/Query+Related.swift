// Queries for the entities that a relation leads to.

import TroveCoding

extension Query where Record: EntityModelProtocol {
    /// Returns a query for the entities that a relation leads to from the matches of this query: each entity once, in
    /// the order of its first appearance.
    ///
    /// ```swift
    /// let unread = try User.query("1").related(\.$chats).related(\.$messages)
    ///     .filter(\.isRead == false)
    ///     .count(in: store)
    /// ```
    ///
    /// The targets of the first match come first, in the order of its list, then the targets of the next match. Ids
    /// that are not stored are left out. The limit, the offset and the order of this query decide which matches it has;
    /// the limit, the offset and the order of the returned query apply to the targets. An `or` adds no entities that
    /// are not related.
    ///
    /// A page that continues with ``QueryShaping/after(_:)-(Self.Record?)`` in the order of the lists needs the link
    /// of its last entity.
    ///
    /// - Parameter relation: A relation, such as `\.$messages`.
    /// - Throws: When run, ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``,
    ///   ``StoreError/QueryError/noContinuation(type:key:)`` if the page begins after an entity that is no longer
    ///   related, and ``StoreError/EntityError/graphTooDeep(type:key:limit:)`` for more than 16 relations after each
    ///   other.
    /// - Complexity: O(*k* log *n*) for *k* links read of *n*. A page of a single list begins at its place. From
    ///   several lists, the links before the page are read too.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Query<Target> {
        .related(from: .query(self, nil), relation) { "\(self)" }
    }
}

extension RecordQuery where Record: EntityModelProtocol {
    /// Returns a query for the entities that a relation leads to from an entity, in the order of its list.
    ///
    /// ```swift
    /// let chats = try User.query("1").related(\.$chats).resolve(in: store)
    /// let author = try Message.query("7").related(\.$author).first(in: store)
    /// ```
    ///
    /// From a to-one relation, the query finds an entity at most: ``QueryCounting/first(in:)-(RecordReadable)`` returns
    /// it. Ids that are not stored are left out, and an entity that is not stored has no targets.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    /// - Throws: When run, ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``, and
    ///   ``StoreError/QueryError/noContinuation(type:key:)`` if a page begins after an entity that is no longer
    ///   related.
    /// - Complexity: A page costs O(*k* log *n*) for *k* links of *n*, anywhere in the list.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Query<Target> {
        let owners: LinkOwners =
            if let key, isByKeyAlone {
                .entities([KeyWriter.bytes(of: key)], Record.schema)
            } else {
                .query(self, nil)
            }
        return .related(from: owners, relation) { "\(self)" }
    }
}

extension Bound {
    /// Returns a query for the entities that a relation leads to; see ``Query/related(_:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$messages`.
    public func related<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<Query<Target>, Source> where Request == Query<Record> {
        Bound<Query<Target>, Source>(request.related(relation), in: source)
    }
}

extension Bound {
    /// Returns a query for the entities that a relation leads to; see ``RecordQuery/related(_:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$messages`.
    public func related<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<Query<Target>, Source> where Request == RecordQuery<Record> {
        Bound<Query<Target>, Source>(request.related(relation), in: source)
    }
}

extension Query where Record: EntityModelProtocol {
    /// Creates the query for the targets of a relation.
    ///
    /// - Parameter ownerText: Returns the query for the owners, as Swift.
    fileprivate static func related<Owner: EntityModelProtocol, Directionality, Cardinality, Constraints>(
        from owners: LinkOwners, _ path: KeyPath<Owner, Relation<Record, Directionality, Cardinality, Constraints>>,
        _ ownerText: @escaping @Sendable () -> String
    ) -> Query {
        do throws(StoreError) {
            let relation = try Owner.relation(at: path).declared
            let source = LinkSource(relation, isForward: true, owners) { source in
                let text = ownerText()
                let links = owners.knownCount == nil ? "links \(relation.description.text) of \(text)" : source
                return ("in \(links)", "\(text).related(\\.$\(relation.description.property))")
            }
            guard source.depth <= LinkSource.depthLimit else {
                let (type, limit) = (Record.schema.name, LinkSource.depthLimit)
                throw .entity(.graphTooDeep(type: type, key: StoredKey([], of: type), limit: limit))
            }
            return Query(source)
        } catch {
            return Query(failure: error)
        }
    }
}
