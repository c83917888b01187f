// A quantile of a property of the matching records.

import TroveCoding

/// A request for a quantile of a property of a query's records: ``Query/quantile(_:of:)``.
public struct QuantileRequest<Record: IndexKeyRecord, Property: KeyComponent>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Property>
    @usableFromInline let share: Double

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Property>, _ share: Double) {
        self.query = query
        self.property = SendablePath(property)
        self.share = share
    }

    /// Returns the value; nil if there is none other than nil.
    ///
    /// - Throws: ``StoreError/QueryError/wrongShare(type:property:share:)``.
    @inlinable
    public func value(in context: ReadContext) throws -> Property._Unwrapped? {
        try query.quantile(share, of: property.path, in: context)
    }
}

extension Query {
    /// Returns a request for the least value of a property that a share of the values does not exceed; nil if the query
    /// finds no value other than nil.
    ///
    /// ```swift
    /// let median = try Player.query().quantile(0.5, of: \.score).resolve(in: store)
    /// let slow = try Call.filter(\.day == today).quantile(0.99, of: \.milliseconds).resolve(in: store)
    /// ```
    ///
    /// Of *n* values in key order, it is the value at the position *share* × *n*, rounded up: always a stored value. 0
    /// is the least value, and 1 the greatest. With a limit, an offset or a continuation, the values are those of the
    /// page's records.
    ///
    /// - Parameters:
    ///   - share: A number from 0 to 1: 0.5 for the median, 0.99 for the 99th percentile.
    ///   - property: A stored property.
    /// - Returns: A request, which throws ``StoreError/QueryError/wrongShare(type:property:share:)``, and
    ///   ``StoreError/QueryError/notStored(type:property:)`` for a computed or nested property.
    /// - Complexity: O(log *n*) if a ranked index begins with the properties that the filter fixes, and goes on with
    ///   the property: see ``Index(_:ranked:where:)``; otherwise as for the sorted values up to the position.
    @inlinable
    public func quantile<Value: KeyComponent>(
        _ share: Double, of property: KeyPath<Record, Value>
    ) -> QuantileRequest<Record, Value> {
        QuantileRequest(self, property, share)
    }

    @usableFromInline
    func quantile<Value: KeyComponent>(
        _ share: Double, of property: KeyPath<Record, Value>, in context: ReadContext
    ) throws -> Value._Unwrapped? {
        guard share >= 0, share <= 1 else {
            throw StoreError.query(
                .wrongShare(type: Record.schema.name, property: "\(property)", share: "\(share)"))
        }
        if isPage { return try quantileOfPage(share, of: property, in: context) }
        let known = withoutNil(property)
        let count = try known._count(in: context)
        guard count > 0 else { return nil }
        return try known.sorted(by: [SortKey(property)]).offset(Self.position(share, of: count)).limit(1)
            .values(of: property, in: context).first.flatMap(Value._unwrapped)
    }

    /// Returns the quantile of a page, by reading all its records.
    private func quantileOfPage<Value: KeyComponent>(
        _ share: Double, of property: KeyPath<Record, Value>, in context: ReadContext
    ) throws -> Value._Unwrapped? {
        var values: [(value: Value._Unwrapped, bytes: [UInt8])] = []
        try forEachValue(of: property, in: context) { property in
            guard let value = Value._unwrapped(property) else { return }
            values.append((value, KeyWriter.bytes(of: value)))
        }
        guard !values.isEmpty else { return nil }
        values.sort { TopN.precedes($0.bytes, $1.bytes) }
        return values[Self.position(share, of: values.count)].value
    }

    /// Returns the position of a quantile among some values, from 0 on.
    ///
    /// - Parameter count: The number of values, greater than 0.
    private static func position(_ share: Double, of count: Int) -> Int {
        let exact = share * Double(count)
        // 0.07 × 100 is a little more than 7.
        let near = exact.rounded()
        let position = abs(exact - near) <= exact * 4e-15 ? near : exact.rounded(.up)
        return Swift.min(Swift.max(Int(position), 1), count) - 1
    }
}
