// The queries whose matches can be counted: their number, whether there are any, and the plans.

/// A query whose matches can be counted: ``Query``, ``RecordQuery`` or ``RecordListQuery``.
public protocol QueryCounting<Record>: StoreRequest, Explainable {
    /// The type of the matching records.
    associatedtype Record: IndexKeyRecord

    /// A request for the first record.
    var first: RecordQuery<Record> { get }

    /// Returns the first record; nil if there is none.
    func _first(in context: ReadContext) throws -> Record?
    /// Returns the number of matching records.
    func _count(in context: ReadContext) throws -> Int
    /// Returns whether there is a matching record.
    func _exists(in context: ReadContext) throws -> Bool
    /// Returns a description of the plan.
    func _explain(in context: ReadContext) throws -> String
    /// Returns a description of the plan of a count.
    func _explainCount(in context: ReadContext) throws -> String
}

extension QueryCounting {
    /// The number of matching records.
    ///
    /// ```swift
    /// let adults = try User.filter(\.age >= 18).count(in: store)
    /// for try await count in User.filter(\.age >= 18).count.values(in: store) { show(count) }
    /// ```
    ///
    /// No record is decoded, unless a list of keys has a key twice. If key ranges alone answer the query, no value is
    /// read either.
    ///
    /// While there are at most 1,000 matches, an observed count keeps their keys: a change of a record that matches
    /// before and after, or neither, does not wake the loop. Of more matches, only the number is kept, and they are
    /// counted again after each change in the query's key ranges.
    ///
    /// - Complexity: O(1) for all records of a type; otherwise O(log *n* + *m*) for *m* keys.
    @inlinable public var count: CountRequest<Self> { CountRequest(self) }

    /// Whether the query finds any record. No record is decoded.
    ///
    /// ```swift
    /// let hasAdults = try User.filter(\.age >= 18).exists(in: store)
    /// ```
    ///
    /// - Complexity: As for the first record of the query.
    @inlinable public var exists: ExistsRequest<Self> { ExistsRequest(self) }

    /// A description of the plan, and the maximum number of entries to read. The plan of a count is
    /// ``CountRequest/explain``.
    ///
    /// ```swift
    /// print(try User.filter(\.age >= 18).explain(in: store))
    /// ```
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest { ExplainRequest { context in try _explain(in: context) } }
}

extension QueryCounting {
    /// Returns the first record; nil if there is none. See ``first``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? { try source.reading { try _first(in: $0) } }

    /// The async form of `first(in:)`. It reads on another thread.
    public func first(in store: Store) async throws -> Record? { try await store.read { try _first(in: $0) } }

    /// Returns the number of matching records; see ``count``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func count(in source: some RecordReadable) throws -> Int { try count.resolve(in: source) }

    /// The async form of `count(in:)`. It reads on another thread.
    public func count(in store: Store) async throws -> Int { try await count.resolve(in: store) }

    /// Returns whether the query finds any record; see ``exists``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func exists(in source: some RecordReadable) throws -> Bool { try exists.resolve(in: source) }

    /// The async form of `exists(in:)`. It reads on another thread.
    public func exists(in store: Store) async throws -> Bool { try await exists.resolve(in: store) }
}
