// The sum of a property of the matching records.

import TroveCoding

/// A request for the sum of a property of a query's records: ``QueryAggregating/sum(of:)``.
public struct SumRequest<Record: IndexKeyRecord, Value: Summable>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Value>

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Value>) {
        self.query = query
        self.property = SendablePath(property)
    }

    /// Returns the sum; 0 if the query finds no record.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    public func value(in context: ReadContext) throws -> Value.Number {
        var total = Value.Number._Total.zero
        try query.forEachValue(of: property.path, in: context) { value in
            guard let number = Value._number(value) else { return }
            if !Value.Number._add(number, to: &total) { throw query.sumOverflow(property.path) }
        }
        return Value.Number._sum(total)
    }
}
