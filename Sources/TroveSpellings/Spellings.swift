// Spellings of other libraries, for their code and for habits. `Trove` has one verb for each idea; the comment of each
// spelling here gives that of `Trove`.

import Trove

// MARK: Stores

/// The spelling of `Trove` is `MemoryStore`.
public typealias Context = MemoryStore

extension Store {
    /// The spelling of `Trove` is `write(_:)`.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func withTransaction<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try write(body)
    }

    /// The spelling of `Trove` is the async `write(_:)`.
    @discardableResult
    public func withTransaction<R: Sendable>(
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) async throws -> R {
        try await write(body)
    }
}

// MARK: Running a query

extension Query {
    /// The spelling of `Trove` is `resolve(in:)`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select(in source: some RecordReadable) throws -> [Record] { try resolve(in: source) }
}

extension RecordReadable {
    /// The spelling of `Trove` is `query.resolve(in:)`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<Record: IndexKeyRecord>(query: Query<Record>) throws -> [Record] {
        try query.resolve(in: self)
    }
}

extension Query {
    /// The spelling of `Trove` is the async `query.resolve(in:)`.
    public func select(in store: Store) async throws -> [Record] { try await resolve(in: store) }
}

extension RecordWritable {
    /// Deletes the records of a query: `query.delete(in:)`.
    ///
    /// - Returns: The number of records deleted.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record: IndexKeyRecord>(query: Query<Record>) throws -> Int {
        try query.delete(in: self)
    }
}

extension Store {
    /// The spelling of `Trove` is the async `query.resolve(in:)`.
    public func select<Record: IndexKeyRecord>(query: Query<Record>) async throws -> [Record] {
        try await query.resolve(in: self)
    }

    /// The spelling of `Trove` is the async `query.delete(in:)`.
    @discardableResult
    public func delete<Record: IndexKeyRecord>(query: Query<Record>) async throws -> Int {
        try await query.delete(in: self)
    }
}

// MARK: Filters

extension QueryShaping {
    /// The spelling of `Trove` is `filter(_:)`.
    public func and(_ filter: Filter<Record>) -> Self { self.filter(filter) }

    /// The spelling of `Trove` is `filter(_:)`.
    public func and(_ property: KeyPath<Record, Bool>) -> Self { filter(property) }
}

extension Filter {
    /// The spelling of `Trove` is `and(_:)`.
    public func filter(_ other: Filter) -> Filter { and(other) }

    /// The spelling of `Trove` is the filter itself: `.or(.filter(\.age == 30))` is `.or(\.age == 30)`.
    public static func filter(_ filter: Filter) -> Filter { filter }

    /// The spelling of `Trove` is the filter itself: it runs in the context of its query.
    public static func filter(_ filter: Filter, in source: some RecordReadable) -> Filter { filter }
}

extension IndexKeyRecord {
    /// The spelling of `Trove` is `filter(first && second)`.
    public static func filter(
        _ first: Filter<Self>, _ second: Filter<Self>, _ others: Filter<Self>...
    ) -> Query<Self> {
        filter(others.reduce(first.and(second)) { $0.and($1) })
    }
}

extension QueryShaping {
    /// The spelling of `Trove` is `filter(first && second)`.
    public func filter(_ first: Filter<Record>, _ second: Filter<Record>, _ others: Filter<Record>...) -> Self {
        filter(others.reduce(first.and(second)) { $0.and($1) })
    }
}

// MARK: Saving with a strategy

extension EntityModelProtocol {
    /// The spelling of `Trove` is `save(to:merging:)`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func save(to destination: some RecordWritable, options strategy: MergeStrategy<Self>) throws {
        try save(to: destination, merging: strategy)
    }

    /// The spelling of `Trove` is the async `save(to:merging:)`.
    public func save(to store: Store, options strategy: MergeStrategy<Self>) async throws {
        try await save(to: store, merging: strategy)
    }
}

extension Sequence where Element: EntityModelProtocol {
    /// The spelling of `Trove` is `save(to:merging:)`.
    @available(*, noasync, message: "await the call")
    public func save(to destination: some RecordWritable, options strategy: MergeStrategy<Element>) throws {
        try save(to: destination, merging: strategy)
    }
}

extension Sequence where Self: Sendable, Element: EntityModelProtocol {
    /// The spelling of `Trove` is the async `save(to:merging:)`.
    public func save(to store: Store, options strategy: MergeStrategy<Element>) async throws {
        try await save(to: store, merging: strategy)
    }
}
