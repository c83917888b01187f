// The counts and first records of a query for a single record and of a query for a list of keys.

import TroveCoding

extension RecordQuery: QueryCounting {
    /// Returns 1 if the record is stored, otherwise 0. The record is not decoded.
    public func _count(in context: ReadContext) throws -> Int { try _exists(in: context) ? 1 : 0 }

    /// Returns whether the record is stored. The record is not decoded.
    public func _exists(in context: ReadContext) throws -> Bool {
        try found(in: context)?._exists(in: context) ?? false
    }

    /// Returns a description of the query's plan: a count reads what the query reads.
    public func _explainCount(in context: ReadContext) throws -> String { try _explain(in: context) }
}

extension RecordListQuery: QueryCounting {
    /// Returns the number of records that the query returns. No record is decoded, unless a key occurs twice.
    public func _count(in context: ReadContext) throws -> Int {
        let (query, hasRepeats) = queryAndRepeats
        return hasRepeats ? try resolve(in: context).count : try query._count(in: context)
    }

    /// Returns whether any of the records is stored. No record is decoded.
    public func _exists(in context: ReadContext) throws -> Bool { try query._exists(in: context) }

    /// Returns a description of the query's plan, with a line for each requested relation.
    public func _explain(in context: ReadContext) throws -> String { try query._explain(in: context) }

    /// Returns a description of the plan of a count. With a repeated key, a count reads what the query reads.
    public func _explainCount(in context: ReadContext) throws -> String {
        let (query, hasRepeats) = queryAndRepeats
        return hasRepeats ? try query._explain(in: context) : try query._explainCount(in: context)
    }
}

// MARK: The first record

extension RecordQuery {
    /// Returns the record; nil if there is none: `resolve(in:)`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? { try resolve(in: source) }

    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? { try await resolve(in: store) }
}

extension BoundRecordQuery {
    /// Returns the record; nil if there is none: `resolve()`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first() throws -> Record? { try resolve() }
}

extension BoundRecordQuery where Source == Store {
    /// The async form of `first()`.
    public func first() async throws -> Record? { try await query.first(in: source) }
}

extension RecordListQuery {
    /// Returns the record of the first key that has one; nil if there is none.
    ///
    /// - Parameter source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? {
        try changing { $0.limit = Swift.min($0.limit ?? 1, 1) }.resolve(in: source).first
    }

    /// The async form of `first(in:)`.
    public func first(in store: Store) async throws -> Record? { try await store.read { try first(in: $0) } }
}

extension BoundRecordListQuery {
    /// Returns the record of the first key that has one; nil if there is none.
    @available(*, noasync, message: "await the call")
    public func first() throws -> Record? { try query.first(in: source) }
}

extension BoundRecordListQuery where Source == Store {
    /// The async form of `first()`.
    public func first() async throws -> Record? { try await query.first(in: source) }
}
