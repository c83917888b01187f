// The totals of a type's records, as queries read them.

/// An index of totals for the scans of queries.
final class TotalsPath: Sendable {
    /// The position of the index among the indexes of the type.
    let ordinal: Int
    /// The access path to the groups. Its entries are the columns of a group, without a record key.
    let path: AccessPath
    /// The summed properties; nil for a property that is not stored.
    let sums: [StoredProperty?]

    init(_ ordinal: Int, _ path: AccessPath, sums: [StoredProperty?]) {
        self.ordinal = ordinal
        self.path = path
        self.sums = sums
    }
}
