// The relations of a live entity.

import TroveCoding

extension Live where Record: EntityModelProtocol {
    /// Returns a query for the entities that a relation of the entity leads to, in the order of its list.
    ///
    /// ```swift
    /// let chats = try user.related(\.$chats).live()            // [Live<Chat>]
    /// let list = try LiveList(user.related(\.$chats))          // a list that follows the relation
    /// let count = try user.related(\.$chats).count()            // the query has its store already
    /// let author = try message.related(\.$author).live().first // at most one, from a to-one relation
    /// ```
    ///
    /// The query reads the stored links. Links that are set in the object, and not saved yet, are not in it.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    /// - Throws: When run, ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    /// - Complexity: A page costs O(*k* log *n*) for *k* links of *n*, anywhere in the list.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<Query<Target>, Store> {
        Bound(Record.query(key).related(relation), in: store)
    }
}

extension Bound where Source == Store {
    /// Returns the live objects of the matches, in the query's order.
    ///
    /// - Throws: The errors of ``Query/resolve(in:)-(RecordReadable)``.
    public func live<Record>() throws -> [Live<Record>] where Request == Query<Record> { try request.live(in: source) }

    /// Does not exist: the query has its store already.
    @available(*, unavailable, message: "the query has its store already: live()")
    public func live<Record>(in other: Store) throws -> [Live<Record>] where Request == Query<Record> {
        try request.live(in: other)
    }
}
