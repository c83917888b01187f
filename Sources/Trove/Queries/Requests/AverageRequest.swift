// The average of a property of the matching records.

import TroveCoding

/// A request for the average of a property of a query's records: ``Query/average(of:)``.
public struct AverageRequest<Record: IndexKeyRecord, Property: Summable>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Property>

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Property>) {
        self.query = query
        self.property = SendablePath(property)
    }

    /// Returns the average of the numbers; nil if there are none.
    ///
    /// - Throws: ``StoreError/QueryError/sumOverflow(type:property:)`` for decimal numbers.
    @inlinable
    public func value(in context: ReadContext) throws -> Property.Number.Average? {
        var numbers = RunningAverage<Property.Number>()
        try query.forEachValue(of: property.path, in: context) { value in
            guard let number = Property._number(value) else { return }
            if !numbers.add(number) { throw query.sumOverflow(property.path) }
        }
        return numbers.average
    }
}
