// A query: which records of a type, in which order, from where on and how many. A value; Query+Run runs it.

import TroveCoding

/// A query for records by what is in them.
///
/// ```swift
/// let query = User.filter(\.age >= 18).and(\.status == .active)
///     .or(.filter(\.lastName == "Dallas"))
///     .sorted(by: \.lastName, \.firstName.desc)
///     .limit(20)
/// let users = try store.read { context in try query.resolve(in: context) }
/// ```
///
/// It is a value: made without a store, it can be kept, shared between threads and run any number of times. A chain
/// groups from left to right: what stands before an `or`, all of it, is one of its sides.
///
/// What the leading components of the key, or an index, can answer becomes ranges of that table; of what is left, the
/// properties that it names are read, and only records that match are decoded. ``explain(in:)`` tells.
///
/// Without `sorted`, the order is unspecified, unless the query was made of a ``KeyQuery`` with an order, a limit or a
/// continuation: then it is that of the keys.
public struct Query<Record: IndexKeyRecord>: Sendable {
    var ranges: [KeyRange]
    var keyOrder: KeyOrder?
    @usableFromInline var filter: Filter<Record>
    @usableFromInline var sort: [SortKey<Record>]
    @usableFromInline var limit: Int?
    @usableFromInline var offset: Int
    @usableFromInline var continuation: Continuation?
    /// What is wrong with the query apart from its filter and its sort; thrown when it is run.
    private var failure: StoreError?

    /// The place behind which a page begins.
    @usableFromInline
    enum Continuation: Sendable {
        case key([UInt8])
        case record(key: [UInt8], fields: [UInt8])
    }

    /// All records of the type.
    public init() {
        ranges = .everything
        filter = .everything
        sort = []
        offset = 0
    }

    /// The records of a query by key, to be filtered further. Its limit, order and continuation become this query's.
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

    /// Throws what is wrong with the query.
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

/// What a query can be told, whether it is bound to a context or not.
public protocol QueryShaping<Record> {
    /// The type of the records that the query finds.
    associatedtype Record: IndexKeyRecord

    /// The same with another query.
    func with(_ change: (inout Query<Record>) -> Void) -> Self
}

extension Query: QueryShaping {
    /// The query as a closure changes it.
    @inlinable
    public func with(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

extension QueryShaping {
    /// The records that match a filter besides.
    @inlinable
    public func filter(_ filter: Filter<Record>) -> Self { with { $0.filter = $0.filter.and(filter) } }

    /// The records that match all that was asked so far, and a filter.
    @inlinable
    public func and(_ filter: Filter<Record>) -> Self { self.filter(filter) }

    /// The records that match all that was asked so far, or a filter.
    ///
    /// Where the query began with a range of keys, as `User.query(lastName: "Dallas")` does, all is within that range.
    @inlinable
    public func or(_ filter: Filter<Record>) -> Self { with { $0.filter = $0.filter.or(filter) } }

    /// The records in the order of some properties: `sorted(by: \.lastName, \.firstName.desc)`.
    ///
    /// Records that are equal in all of them come in the order of their keys. Where the key or an index has the order that
    /// is asked for, it costs nothing; otherwise all that is found is sorted in memory, or, with a ``limit(_:)``, no more
    /// than twice that many records are kept.
    ///
    /// Each call makes the paths again, which takes longer than planning the query. A query that runs very often can
    /// keep its keys: `static let byAge = SortKey(\User.age)`, then `sorted(by: [byAge])`.
    @inlinable
    public func sorted(by properties: KeyPath<SortProperties<Record>, SortKey<Record>>...) -> Self {
        sorted(by: properties.map { SortProperties()[keyPath: $0] })
    }

    /// The records in an order that was made by hand.
    @inlinable
    public func sorted(by keys: [SortKey<Record>]) -> Self { with { $0.sort = keys } }

    /// At most so many records; nil for all.
    @inlinable
    public func limit(_ limit: Int?) -> Self { with { $0.limit = limit } }

    /// The records without the first so many. They are passed over one by one: for page after page, ``after(_:)`` is
    /// faster, and misses none when records are added meanwhile.
    @inlinable
    public func offset(_ offset: Int) -> Self { with { $0.offset = max(0, offset) } }

    /// The records behind one, in the query's order: the next page after the last record seen; nil for the first page.
    ///
    /// The record need not be stored any more.
    public func after(_ record: Record?) -> Self { with { $0.goOn(after: record) } }

    /// The records behind the one with a key, in the query's order; nil for the first page.
    ///
    /// Where the query is sorted, or walks an index, the record is looked up when the query is run.
    ///
    /// - Throws: When run, ``StoreError/noContinuation(type:key:)`` where it is needed and not there any more.
    public func after(key: Record.IndexKey?) -> Self {
        with { $0.continuation = key.map { .key(KeyWriter.bytes(of: $0)) } }
    }
}

extension IndexKeyRecord {
    /// A query for the records that match a filter.
    @inlinable
    public static func filter(_ filter: Filter<Self>) -> Query<Self> { Query().filter(filter) }

    /// A query for the record of a key.
    public static func query(_ key: IndexKey) -> RecordQuery<Self> { RecordQuery(key: key) }
}

extension KeyQuery {
    /// Those of the records that match a filter.
    public func filter(_ filter: Filter<Record>) -> Query<Record> { Query(self).filter(filter) }

    /// The records in the order of some properties; those that are equal in all of them in the order of their keys.
    public func sorted(by properties: KeyPath<SortProperties<Record>, SortKey<Record>>...) -> Query<Record> {
        Query(self).sorted(by: properties.map { SortProperties()[keyPath: $0] })
    }

    /// The records without the first so many.
    public func offset(_ offset: Int) -> Query<Record> { Query(self).offset(offset) }
}

/// A query for one record, by its key.
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key.
    public let key: Record.IndexKey

    /// The record; nil where there is none of that key.
    @inlinable
    public func resolve(in source: some RecordReadable) throws -> Record? { try source.get(Record.self, key: key) }
}
