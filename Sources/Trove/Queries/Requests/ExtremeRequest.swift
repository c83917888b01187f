// The least or greatest value of a property of the matching records.

import TroveCoding

/// A request for the least or greatest value of a property of a query's records: ``Query/min(of:)`` and
/// ``Query/max(of:)``.
public struct ExtremeRequest<Record: IndexKeyRecord, Property: KeyComponent>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Property>
    @usableFromInline let isGreatest: Bool

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Property>, isGreatest: Bool) {
        self.query = query
        self.property = SendablePath(property)
        self.isGreatest = isGreatest
    }

    /// Returns the value; nil if there is none other than nil.
    @inlinable
    public func value(in context: ReadContext) throws -> Property._Unwrapped? {
        try query.extreme(of: property.path, isGreatest: isGreatest, in: context)
    }
}
