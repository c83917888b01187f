// The numbers of a type's tables. A number never changes its meaning.

/// The number of a table within its record type, as part of the table's name. Indexes have numbers from 1 on, in the
/// order of their creation.
struct TableNumber: RawRepresentable, Hashable {
    /// The record table.
    static let records = TableNumber(rawValue: 0)

    /// The numbers of the records, for full-text indexes.
    static let recordNumbers = TableNumber(rawValue: .max)

    let rawValue: UInt32
}
