// Queries with Bool properties as filters: `filter(\.isPinned)`.

import TroveCoding

extension IndexKeyRecord {
    /// Returns a query for the records whose property is true: `Item.filter(\.isPinned)`.
    ///
    /// `Item.filter(!\.isPinned)` finds the others. Both use an index on the property.
    public static func filter(_ property: KeyPath<Self, Bool>) -> Query<Self> { filter(Filter(property)) }

    /// Returns a query for the records whose property is true, bound to a context.
    public static func filter<Source: RecordReadable>(
        _ property: KeyPath<Self, Bool>, in source: Source
    ) -> Bound<Query<Self>, Source> {
        filter(Filter(property), in: source)
    }
}

extension QueryShaping {
    /// Returns the query for its records whose property is true, too.
    public func filter(_ property: KeyPath<Record, Bool>) -> Self { filter(Filter(property)) }

    /// Returns the query for the records matching the conditions so far, or whose property is true, or both.
    public func or(_ property: KeyPath<Record, Bool>) -> Self { or(Filter(property)) }
}
