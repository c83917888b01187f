// The async forms of the second spellings.

extension Store {
    /// The core's spelling is the async `write(_:)`.
    @discardableResult
    public func withTransaction<R: Sendable>(
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) async throws -> R {
        try await write(body)
    }

    /// The core's spelling is the async ``KeyQuery/select(in:)-(Store)``.
    public func select<Record: IndexKeyRecord>(query: KeyQuery<Record>) async throws -> [Record] {
        try await query.select(in: self)
    }

    /// The core's spelling is the async ``KeyQuery/delete(in:)-(Store)``.
    @discardableResult
    public func delete<Record: IndexKeyRecord>(query: KeyQuery<Record>) async throws -> Int {
        try await query.delete(in: self)
    }
}

extension Query {
    /// The core's spelling is the async ``StoreRequest/resolve(in:)-(Store)``.
    public func select(in store: Store) async throws -> [Record] { try await resolve(in: store) }
}

extension KeyQuery {
    /// The core's spelling is the async ``select(in:)-(Store)``.
    public func resolve(in store: Store) async throws -> [Record] { try await select(in: store) }
}
