// Second spellings, for code and habits from other libraries. The core has one verb for each idea; the comment of each
// spelling here gives the core's.

// MARK: Transactions

extension Store {
    /// The core's spelling is `write(_:)`.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func withTransaction<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try write(body)
    }
}

// MARK: Running a query

extension Query {
    /// The core's spelling is ``resolve(in:)-(RecordReadable)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select(in source: some RecordReadable) throws -> [Record] { try resolve(in: source) }
}

extension KeyQuery {
    /// The core's spelling is ``select(in:)-(RecordReadable)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> [Record] { try select(in: source) }
}

extension RecordReadable {
    /// The core's spelling is ``KeyQuery/select(in:)-(RecordReadable)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<Record: IndexKeyRecord>(query: KeyQuery<Record>) throws -> [Record] {
        try query.select(in: self)
    }
}

extension IndexKeyRecord {
    /// The core's spelling is ``RecordReadable/get(_:key:)``, called when the query is resolved.
    public static func query(_ key: IndexKey) -> RecordQuery<Self> { RecordQuery(key: key) }

    /// The core's spelling is ``RecordReadable/get(_:key:)``, called when the query is resolved.
    public static func query<Source: RecordReadable>(
        _ key: IndexKey, in source: Source
    ) -> BoundRecordQuery<Self, Source> {
        BoundRecordQuery(RecordQuery(key: key), in: source)
    }
}

// MARK: Combining filters

extension KeyQuery {
    /// The core's spelling is ``filter(_:)-(Filter<Record>)``.
    public func and(_ filter: Filter<Record>) -> Query<Record> { self.filter(filter) }
}

extension QueryShaping {
    /// The core's spelling is `filter(_:)`.
    public func and(_ filter: Filter<Record>) -> Self { self.filter(filter) }
}

extension Filter {
    /// The core's spelling is `and(_:)`.
    public func filter(_ other: Filter) -> Filter { and(other) }

    /// The core's spelling is the filter itself: `.or(.filter(\.age == 30))` is `.or(\.age == 30)`.
    public static func filter(_ filter: Filter) -> Filter { filter }

    /// The core's spelling is the filter itself: it runs in the context of its query.
    public static func filter(_ filter: Filter, in source: some RecordReadable) -> Filter { filter }
}

extension RecordWritable {
    /// Deletes the records of a query: ``KeyQuery/delete(in:)-(RecordWritable)``.
    ///
    /// - Returns: The number of records deleted.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record: IndexKeyRecord>(query: KeyQuery<Record>) throws -> Int {
        try query.delete(in: self)
    }
}

// MARK: Several filters

extension IndexKeyRecord {
    /// The core's spelling is `filter(first && second)`.
    public static func filter(
        _ first: Filter<Self>, _ second: Filter<Self>, _ others: Filter<Self>...
    ) -> Query<Self> {
        filter(others.reduce(first.and(second)) { $0.and($1) })
    }
}

extension KeyQuery {
    /// The core's spelling is `filter(first && second)`.
    public func filter(
        _ first: Filter<Record>, _ second: Filter<Record>, _ others: Filter<Record>...
    ) -> Query<Record> {
        filter(others.reduce(first.and(second)) { $0.and($1) })
    }
}

extension QueryShaping {
    /// The core's spelling is `filter(first && second)`.
    public func filter(_ first: Filter<Record>, _ second: Filter<Record>, _ others: Filter<Record>...) -> Self {
        filter(others.reduce(first.and(second)) { $0.and($1) })
    }
}
