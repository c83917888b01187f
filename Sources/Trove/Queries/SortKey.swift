// A property of the sort order of a query, and its direction.

import TroveCoding

/// A property to sort records by, and the direction.
///
/// `sorted(by: \.lastName, \.firstName.desc)` takes key paths. If the property is chosen at run time, create sort keys
/// by hand: `sorted(by: [SortKey(\User.age).desc])`.
public struct SortKey<Record: IndexKeyRecord>: Sendable {
    @usableFromInline let term: SortTerm

    /// Creates a sort key that sorts by a property, the least value first; or by `desc` of a property, the greatest
    /// value first.
    @inlinable
    public init<Value: KeyComponent>(_ property: KeyPath<Record, Value>) { self.init(SortTerm(property)) }

    @usableFromInline
    init(_ term: SortTerm) { self.term = term }

    /// The sort key with the opposite direction.
    public var desc: SortKey { SortKey(term.reversed) }
}
