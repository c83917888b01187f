// The methods that shape a query: filters, order, limit, offset and continuation.

import TroveCoding

/// The methods that build a query. ``Query`` has them, and so has a query that is ``Bound`` to a context.
public protocol QueryShaping<Record>: GraphShaping {}

extension QueryShaping {
    /// Returns the query for its records that also match a filter.
    @inlinable
    public func filter(_ filter: Filter<Record>) -> Self { changing { $0.add(filter) } }

    /// Returns the query for its records that a closure accepts, for conditions that no stored property expresses:
    /// `filter { $0.text.count > 3 }`.
    ///
    /// No index serves a closure; see ``Filter/where(_:)``. A limit and an offset count the accepted records.
    public func filter(where matches: @escaping @Sendable (Record) -> Bool) -> Self { filter(.where(matches)) }

    /// Returns the query for the records matching the conditions so far, or a filter, or both.
    ///
    /// A query that begins with a key range, such as `User.query(lastName: "Dallas")`, finds only records within that
    /// range. Without a condition before the `or`, it finds all of them already.
    ///
    /// - Throws: When run, ``StoreError/QueryError/noCondition(type:)`` if a query for a range of keys has no condition
    ///   before.
    @inlinable
    public func or(_ filter: Filter<Record>) -> Self { changing { $0.addAlternative(filter) } }

    /// Returns the query with an order: `sorted(by: \.lastName, \.firstName.desc)`.
    ///
    /// Records with equal values in all these properties are in key order. The order is free if the key or an index
    /// already has it. Otherwise the records are sorted in memory. With a ``limit(_:)``, at most twice that number of
    /// records (or 64) is kept.
    @inlinable
    public func sorted<each Value: KeyComponent>(by properties: repeat KeyPath<Record, each Value>) -> Self {
        changing { $0.sort = sortTerms(repeat each properties) }
    }

    /// Refuses properties whose values have no order.
    @available(
        *, unavailable, message: "records sort by properties that are a KeyComponent, such as numbers and strings"
    )
    @_disfavoredOverload
    public func sorted<each Value>(by properties: repeat KeyPath<Record, each Value>) -> Self { self }

    /// Returns the query with an order built from sort keys.
    @inlinable
    public func sorted(by keys: [SortKey<Record>]) -> Self { changing { $0.sort = keys.map(\.term) } }

    /// Returns the query in the order of the key. It replaces an order by properties.
    public func order(_ order: KeyOrder) -> Self {
        changing { query in
            query.keyOrder = order
            query.sort = []
        }
    }

    /// Returns the query with a limit on the number of records; nil for no limit. A negative limit is 0.
    @inlinable
    public func limit(_ limit: Int?) -> Self { changing { $0.limit = limit.map { max(0, $0) } } }

    /// Returns the query with a limit on the number of records, and without its first `offset` records.
    @inlinable
    public func limit(_ limit: Int?, offset: Int) -> Self { self.limit(limit).offset(offset) }

    /// Returns the query without its first `offset` records. A negative offset is 0.
    ///
    /// The records are still read and skipped, unless a ranked index has the order of the query, and its ranges express
    /// the whole filter: see ``Index(_:ranked:where:)``. For successive pages, ``after(_:)-(Self.Record?)`` is faster,
    /// and it misses no record when records are added in between.
    @inlinable
    public func offset(_ offset: Int) -> Self { changing { $0.offset = max(0, offset) } }

    /// Returns the query for the records after a record, in the query's order: the next page after the last record
    /// seen. Nil returns the first page.
    ///
    /// The record may have been deleted. Its fields are encoded, since a later sort may need them: for a query in key
    /// order, ``after(key:)`` costs less.
    public func after(_ record: Record?) -> Self { changing { $0.goOn(after: record) } }

    /// Returns the query for the records after the record with a key, in the query's order. Nil returns the first page.
    ///
    /// If the query is sorted or scans an index, it looks up that record when it runs.
    ///
    /// - Throws: When run, ``StoreError/QueryError/noContinuation(type:key:)`` if that record is needed and no longer
    ///   exists.
    public func after(key: Record.IndexKey?) -> Self {
        changing { $0.continuation = key.map { .key(KeyWriter.bytes(of: $0)) } }
    }
}
