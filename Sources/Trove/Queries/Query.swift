// A query by properties: filter, order, offset and limit, as a value. Query+Run runs it.

import TroveCoding

/// A query for records by their properties.
///
/// ```swift
/// let query = User.filter(\.age >= 18).and(\.status == .active)
///     .or(.filter(\.lastName == "Dallas"))
///     .sorted(by: \.lastName, \.firstName.desc)
///     .limit(20)
/// let users = try store.read { context in try query.resolve(in: context) }
/// ```
///
/// A query is a value. It needs no store until it runs. It can be kept, shared between threads and run any number of
/// times. A chain groups from left to right: everything before an `or` is its left side.
///
/// Conditions on the leading components of the key or of an index become ranges of that table or index. For the other
/// conditions, only the named properties are read, and only matching records are decoded. ``explain(in:)`` prints the
/// plan.
///
/// Without `sorted`, the order is unspecified. The exception is a query built from a ``KeyQuery`` with an order, a
/// limit or a continuation: it returns the records in key order.
public struct Query<Record: IndexKeyRecord>: Sendable {
    var ranges: [KeyRange]
    var keyOrder: KeyOrder?
    @usableFromInline var filter: Filter<Record>
    @usableFromInline var sort: [SortKey<Record>]
    @usableFromInline var limit: Int?
    @usableFromInline var offset: Int
    @usableFromInline var continuation: Continuation?
    /// The error in the query, apart from filter and sort order; thrown when the query runs.
    private var failure: StoreError?

    /// The record after which a page begins.
    @usableFromInline
    enum Continuation: Sendable {
        case key([UInt8])
        case record(key: [UInt8], fields: [UInt8])
    }

    /// Creates a query for all records of the type.
    public init() {
        ranges = .everything
        filter = .everything
        sort = []
        offset = 0
    }

    /// Creates a query that filters the records of a key query. It keeps the key query's limit, order and continuation.
    public init(_ keys: KeyQuery<Record>) {
        ranges = keys.ranges
        let hasPlace = keys.chosenLimit != nil || keys.continuation != nil
        keyOrder = keys.requestedOrder ?? (hasPlace ? .ascending : nil)
        filter = .everything
        sort = []
        limit = keys.chosenLimit
        offset = 0
        continuation = keys.continuation.map { .key(KeyWriter.bytes(of: $0)) }
        failure = keys.failure
    }

    /// Throws the query's error, if it has any.
    func check() throws {
        if let failure = failure ?? filter.failure { throw failure }
        for key in sort { _ = try key.property() }
    }

    mutating func goOn(after record: Record?) {
        guard let record else { return continuation = nil }
        do {
            let bytes = try record.currentBytes()
            continuation = .record(key: bytes.key, fields: bytes.fields)
        } catch {
            failure = error as? StoreError ?? failure
        }
    }
}

/// The methods that build a query, shared by ``Query`` and ``BoundQuery``.
public protocol QueryShaping<Record> {
    /// The type of the matching records.
    associatedtype Record: IndexKeyRecord

    /// Returns a copy whose query a closure has changed.
    func changing(_ change: (inout Query<Record>) -> Void) -> Self
}

extension Query: QueryShaping {
    /// Returns a copy that a closure has changed.
    @inlinable
    public func changing(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

extension QueryShaping {
    /// Returns the query for those of its records that also match a filter.
    @inlinable
    public func filter(_ filter: Filter<Record>) -> Self { changing { $0.filter = $0.filter.and(filter) } }

    /// Returns the query for the records matching the conditions so far, or a filter, or both.
    ///
    /// A query that begins with a key range, such as `User.query(lastName: "Dallas")`, finds only records within that
    /// range.
    @inlinable
    public func or(_ filter: Filter<Record>) -> Self { changing { $0.filter = $0.filter.or(filter) } }

    /// Returns the query with an order: `sorted(by: \.lastName, \.firstName.desc)`.
    ///
    /// Records that are equal in all these properties are in key order. The order is free if the key or an index
    /// already has it. Otherwise the records are sorted in memory. With a ``limit(_:)``, at most twice that number of
    /// records (or 64) is kept.
    @inlinable
    public func sorted(by properties: KeyPath<SortProperties<Record>, SortKey<Record>>...) -> Self {
        sorted(by: properties.map { SortProperties()[keyPath: $0] })
    }

    /// Returns the query with an order built from sort keys.
    @inlinable
    public func sorted(by keys: [SortKey<Record>]) -> Self { changing { $0.sort = keys } }

    /// Returns the query with a limit on the number of records; nil for no limit.
    @inlinable
    public func limit(_ limit: Int?) -> Self { changing { $0.limit = limit } }

    /// Returns the query without its first `offset` records. The records are still read and skipped. For successive
    /// pages, ``after(_:)`` is faster, and it misses no record when records are added in between.
    @inlinable
    public func offset(_ offset: Int) -> Self { changing { $0.offset = max(0, offset) } }

    /// Returns the query for the records after a record, in the query's order: the next page after the last record
    /// seen. Nil returns the first page.
    ///
    /// The record may have been deleted.
    public func after(_ record: Record?) -> Self { changing { $0.goOn(after: record) } }

    /// Returns the query for the records after the record with a key, in the query's order. Nil returns the first page.
    ///
    /// If the query is sorted or scans an index, it looks up that record when it runs.
    ///
    /// - Throws: When run, ``StoreError/noContinuation(type:key:)`` if that record is needed and no longer exists.
    public func after(key: Record.IndexKey?) -> Self {
        changing { $0.continuation = key.map { .key(KeyWriter.bytes(of: $0)) } }
    }
}

extension IndexKeyRecord {
    /// Returns a query for the records matching a filter.
    @inlinable
    public static func filter(_ filter: Filter<Self>) -> Query<Self> { Query().filter(filter) }
}

extension KeyQuery {
    /// Returns a query for those of the records that match a filter.
    public func filter(_ filter: Filter<Record>) -> Query<Record> { Query(self).filter(filter) }

    /// Returns a query for the records in the order of some properties. Records that are equal in all of them are in
    /// key order.
    public func sorted(by properties: KeyPath<SortProperties<Record>, SortKey<Record>>...) -> Query<Record> {
        Query(self).sorted(by: properties.map { SortProperties()[keyPath: $0] })
    }

    /// Returns a query without the first `offset` records.
    public func offset(_ offset: Int) -> Query<Record> { Query(self).offset(offset) }
}

/// A query for a single record, by its key.
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key.
    public let key: Record.IndexKey

    /// Returns the record; nil if no record has the key.
    @inlinable
    public func resolve(in source: some RecordReadable) throws -> Record? { try source.get(Record.self, key: key) }
}
