// The sum of a property of the matching records.

import TroveCoding

/// A request for the sum of a property of a query's records: ``Query/sum(of:)``.
public struct SumRequest<Record: IndexKeyRecord, Property: Summable>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Property>

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Property>) {
        self.query = query
        self.property = SendablePath(property)
    }

    /// Returns the sum; 0 if the query finds no record.
    ///
    /// - Throws: ``StoreError/QueryError/sumOverflow(type:property:)``.
    @inlinable
    public func value(in context: ReadContext) throws -> Property.Number {
        var total = Property.Number._Total.zero
        try query.forEachValue(of: property.path, in: context) { value in
            guard let number = Property._number(value) else { return }
            if !Property.Number._add(number, to: &total) { throw query.sumOverflow(property.path) }
        }
        return Property.Number._sum(total)
    }
}
