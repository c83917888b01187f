// The hits of a search, as a request.

/// A request for the matching records of a query with their scores: ``Query/hits``.
public struct HitsRequest<Record: IndexKeyRecord>: StoreRequest {
    private let query: Query<Record>

    init(_ query: Query<Record>) { self.query = query }

    /// Returns the hits, in the query's order.
    ///
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)``, and the errors of running the query.
    public func value(in context: ReadContext) throws -> [TextHit<Record>] { try query.readHits(in: context) }
}

extension Query {
    /// The matching records with their scores, in the query's order.
    ///
    /// ```swift
    /// for hit in try Article.matching("ordered store").limit(10).hits(in: store) {
    ///     print(hit.score, hit.record.title)
    /// }
    /// ```
    ///
    /// The scores of the text filters that a record matches are added. Filters under `not` add nothing, and a record
    /// that matches none has the score 0. The scores do not depend on the query's order.
    public var hits: HitsRequest<Record> { HitsRequest(self) }

    /// Returns the matching records with their scores, in the query's order; see ``hits``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)``, and the errors of running the query.
    @available(*, noasync, message: "await the call")
    public func hits(in source: some RecordReadable) throws -> [TextHit<Record>] { try hits.resolve(in: source) }

    /// The async form of `hits(in:)`. It reads on another thread.
    public func hits(in store: Store) async throws -> [TextHit<Record>] { try await hits.resolve(in: store) }
}

extension Bound {
    /// Returns the matching records with their scores, in the query's order; see ``Query/hits``.
    @available(*, noasync, message: "await the call")
    public func hits<Record>() throws -> [TextHit<Record>] where Request == Query<Record> {
        try request.hits(in: source)
    }
}

extension Bound where Source == Store {
    /// The async form of `hits()`. It reads on another thread.
    public func hits<Record>() async throws -> [TextHit<Record>] where Request == Query<Record> {
        try await request.hits(in: source)
    }
}
