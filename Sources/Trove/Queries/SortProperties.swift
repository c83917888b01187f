// The properties by which a query can be sorted, for key paths.

import LMDB
import TroveCoding

/// The root of the key paths in `sorted(by:)`, such as `\.age` and `\.age.desc`.
@dynamicMemberLookup
public struct SortProperties<Record: IndexKeyRecord>: Sendable {
    /// Returns the sort key of a property.
    @inlinable
    public subscript<Value: KeyComponent>(dynamicMember property: KeyPath<Record, Value>) -> SortKey<Record> {
        SortKey(property)
    }

    @usableFromInline
    init() {}
}
