// The sum of a property of the matching records.

import TroveCoding

/// A request for the sum of a property of a query's records: ``Query/sum(of:)``.
public struct SumRequest<Record: IndexKeyRecord, Property: Summable>: StoreRequest, Explainable {
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
        let total = try query.total(of: property.path, in: context)
        guard let sum = Property.Number._sum(total.sum) else { throw query.sumOverflow(property.path) }
        return sum
    }

    /// A description of the plan of the sum, and the maximum number of entries to read.
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest {
        ExplainRequest { context in try query.explainTotal(of: property.path, "sum", in: context) }
    }
}
