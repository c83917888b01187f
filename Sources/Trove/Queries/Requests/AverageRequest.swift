// The average of a property of the matching records.

import TroveCoding

/// A request for the average of a property of a query's records: ``Query/average(of:)``.
public struct AverageRequest<Record: IndexKeyRecord, Property: Summable>: StoreRequest, Explainable {
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
        let total = try query.total(of: property.path, in: context)
        if total.count == 0 { return nil }
        guard let average = Property.Number._average(total.sum, count: total.count) else {
            throw query.sumOverflow(property.path)
        }
        return average
    }

    /// A description of the plan of the average, and the maximum number of entries to read.
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest {
        ExplainRequest { context in try query.explainTotal(of: property.path, "average", in: context) }
    }
}
