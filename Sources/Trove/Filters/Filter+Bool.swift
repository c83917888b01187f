// Bool properties as filters: `filter(\.isPinned)`.

import TroveCoding

extension Filter {
    /// Creates a filter for the records whose property is true. It is the filter `property == true`.
    public init(_ property: KeyPath<Record, Bool>) { self = property == true }

    /// Returns a filter for the records that match the filter and whose property is true.
    public func and(_ property: KeyPath<Record, Bool>) -> Filter { and(Filter(property)) }

    /// Returns a filter for the records that match the filter, or whose property is true.
    public func or(_ property: KeyPath<Record, Bool>) -> Filter { or(Filter(property)) }

    /// Returns a filter for the records whose property is false.
    public static func not(_ property: KeyPath<Record, Bool>) -> Filter { property == false }
}
