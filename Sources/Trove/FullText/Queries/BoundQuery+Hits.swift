// The hits of a search: the forms for a bound query, and the async forms.

extension BoundQuery {
    /// Returns the matching records with their scores, in the query's order; see ``Query/hits(in:)-(RecordReadable)``.
    @available(*, noasync, message: "await the call")
    public func hits() throws -> [TextHit<Record>] { try query.hits(in: source) }
}

extension BoundQuery where Source == Store {
    /// The async form of `hits()`.
    public func hits() async throws -> [TextHit<Record>] { try await query.hits(in: source) }
}

extension Query {
    /// The async form of `hits(in:)`.
    public func hits(in store: Store) async throws -> [TextHit<Record>] {
        try await store.read { try hits(in: $0) }
    }
}
