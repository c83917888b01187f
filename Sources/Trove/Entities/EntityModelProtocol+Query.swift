// The query for the stored entity with the id of an entity.

extension EntityModelProtocol {
    /// Returns a query for the stored entity with this id.
    ///
    /// ```swift
    /// let stored = try user.query().with(\.$chats).resolve(in: store)
    /// ```
    public func query() -> RecordQuery<Self> { RecordQuery(key: id) }

    /// Returns a query for the stored entity with this id, bound to a context.
    public func query<Source: RecordReadable>(in source: Source) -> Bound<RecordQuery<Self>, Source> {
        Bound(query(), in: source)
    }
}
