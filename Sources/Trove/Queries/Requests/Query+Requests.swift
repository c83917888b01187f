// The methods that compute a few values from many records: minimum, maximum, sum, average, distinct values and groups.
// With a limit, an offset or a continuation, they are computed from the page's records.

import TroveCoding

extension Query {
    /// The keys of the matching records, in the query's order. Fields are not decoded.
    ///
    /// Observed keys ascend unless the query has an order, and a change of other properties is not reported.
    @inlinable public var keys: KeysRequest<Record> { KeysRequest(self) }

    /// Returns the keys of the matching records, in the query's order; see ``keys``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func keys(in source: some RecordReadable) throws -> [Record.IndexKey] { try keys.resolve(in: source) }

    /// The async form of `keys(in:)`. It reads on another thread.
    public func keys(in store: Store) async throws -> [Record.IndexKey] { try await keys.resolve(in: store) }

    /// Returns a request for the least value of a property, in key order; nil if the query finds no value other than
    /// nil.
    ///
    /// ```swift
    /// let youngest = try User.filter(\.city == "Oslo").min(of: \.age).resolve(in: store)
    /// ```
    ///
    /// It costs a single seek if the property is the first key component that the query does not fix.
    ///
    /// - Parameter property: A stored property.
    /// - Returns: A request, which throws ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested
    ///   property.
    @inlinable
    public func min<Value: KeyComponent>(of property: KeyPath<Record, Value>) -> ExtremeRequest<Record, Value> {
        ExtremeRequest(self, property, isGreatest: false)
    }

    /// Returns a request for the greatest value of a property, in key order; nil if the query finds no value other than
    /// nil.
    ///
    /// - Parameter property: A stored property.
    /// - Returns: A request, which throws ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested
    ///   property.
    @inlinable
    public func max<Value: KeyComponent>(of property: KeyPath<Record, Value>) -> ExtremeRequest<Record, Value> {
        ExtremeRequest(self, property, isGreatest: true)
    }

    /// Returns a request for the sum of a property; 0 if the query finds no record. Nil counts as 0.
    ///
    /// ```swift
    /// let total = try Order.filter(\.isPaid).sum(of: \.total).resolve(in: store)
    /// ```
    ///
    /// The sum is exact, and rounded once: floating-point numbers to the nearest number of their type, decimal numbers
    /// to 38 or 39 digits. NaN makes the sum NaN. If ``Totals(by:of:where:)`` answer the query, no record is read.
    ///
    /// - Parameter property: A stored property: a number, or an optional number.
    /// - Returns: A request, which throws ``StoreError/QueryError/sumOverflow(type:property:)``, and
    ///   ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested property.
    @inlinable
    public func sum<Value: Summable>(of property: KeyPath<Record, Value>) -> SumRequest<Record, Value> {
        SumRequest(self, property)
    }

    /// Returns a request for the average of a property; nil if the query finds no number. Nil does not count.
    ///
    /// - Parameter property: A stored property: a number, or an optional number.
    /// - Returns: A request, which throws ``StoreError/QueryError/sumOverflow(type:property:)`` for decimal numbers,
    ///   and ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested property.
    @inlinable
    public func average<Value: Summable>(of property: KeyPath<Record, Value>) -> AverageRequest<Record, Value> {
        AverageRequest(self, property)
    }

    /// Returns a request for the distinct values of a property among the matching records, in key order.
    ///
    /// ```swift
    /// let cities = try Order.filter(\.isPaid).distinct(\.city).resolve(in: store)
    /// ```
    ///
    /// Nil is a value. Strings with different UTF-8 bytes are different values. With a limit, an offset or a
    /// continuation, the values are from the page's records.
    ///
    /// - Parameter property: A stored property; with `desc`, the greatest value comes first, and the values are
    ///   ``/TroveCoding/Descending``.
    /// - Returns: A request, which throws ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested
    ///   property.
    /// - Complexity: O(*d* log *n*) for *d* values if an index begins with the property, see ``GroupedQuery``;
    ///   otherwise O(*m*) for *m* matching records.
    public func distinct<Value: KeyComponent>(_ property: KeyPath<Record, Value>) -> GroupRequest<[Value]> {
        grouped(by: property).keys
    }

    /// Returns a request for the distinct values of several properties, in key order; see ``distinct(_:)``.
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> GroupRequest<[(First, Second, repeat each Rest)]> {
        grouped(by: first, second, repeat each rest).keys
    }
}

extension IndexKeyRecord {
    /// Returns a request for the distinct values of a property among the records of the type, in key order; see
    /// ``Query/distinct(_:)``.
    public static func distinct<Value: KeyComponent>(_ property: KeyPath<Self, Value>) -> GroupRequest<[Value]> {
        Query().distinct(property)
    }

    /// Returns a request for the distinct values of several properties, in key order; see
    /// ``Query/distinct(_:)``.
    public static func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        _ rest: repeat KeyPath<Self, each Rest>
    ) -> GroupRequest<[(First, Second, repeat each Rest)]> {
        Query().distinct(first, second, repeat each rest)
    }
}
