// The kinds of indexes. A kind is a value of `IndexKind` in a file of its own, a line in `all` below, and a number in
// IndexKindNumber.swift. The files are in `Kinds/`. The file of a kind with tables of its own is beside their code, and
// so is its maintainer (IndexMaintenance.swift).
//
// The columns of a record (IndexColumn.swift) come from one of three sources: the decoded record, a batch of stored
// records read column by column, or a record read by its layout without the Swift type. Each source writes the columns
// by the index's `EntryRule`. So insert, build and check derive the same entries.

import TroveCoding

/// Derives several entries from a record's columns.
///
/// Each entry's value has the form of the columns' bytes: no value is the beginning of another value. The values may be
/// added in any order and repeatedly.
///
/// - Parameters:
///   - columns: The bytes of the record's columns in order.
///   - add: Adds an entry with a value.
@usableFromInline
typealias EntrySplit = @Sendable (_ columns: RawSpan, _ add: (_ value: RawSpan) -> Void) -> Void

/// A kind of index: the rules for deriving entries from the columns of records.
@usableFromInline
struct IndexKind: Sendable {
    let number: IndexKindNumber
    /// The kind in the names of indexes, such as `unique(email)`. Catalogs do not store it.
    let name: String
    /// Whether no two records may have the same value, unless a rule of the index allows it.
    let isUnique: Bool
    /// Whether a record with nil in a column has entries.
    let indexesNil: Bool
    /// Whether an entry repeats the components of the record's key that are among its columns.
    let repeatsKey: Bool
    /// Derives several entries from the columns; nil if the columns in order are the value of the only entry.
    @usableFromInline let split: EntrySplit?
    /// Whether the first table of an index has its entries.
    let hasEntries: Bool
    /// Whether a row of an index is of a group of records, with their totals.
    let hasGroups: Bool
    /// Whether the entries are counted, so that places among them are found at once.
    let isRanked: Bool
    /// The greatest number of properties of an index; nil for any number.
    let propertyLimit: Int?
    /// The maintenance of the indexes.
    let maintenance: any IndexMaintenance

    init(
        _ number: IndexKindNumber, name: String, isUnique: Bool = false, indexesNil: Bool = true,
        repeatsKey: Bool = true, split: EntrySplit? = nil, hasEntries: Bool = true, hasGroups: Bool = false,
        isRanked: Bool = false, propertyLimit: Int? = nil,
        maintenance: any IndexMaintenance = EntryMaintainer()
    ) {
        self.number = number
        self.name = name
        self.isUnique = isUnique
        self.indexesNil = indexesNil
        self.repeatsKey = repeatsKey
        self.split = split
        self.hasEntries = hasEntries
        self.hasGroups = hasGroups
        self.isRanked = isRanked
        self.propertyLimit = propertyLimit
        self.maintenance = maintenance
    }

    /// Whether the entries of a record begin with its columns: then a query can seek by bounds of the columns.
    var isOrderedByColumns: Bool { split == nil && hasEntries }

    /// Returns the state of an index with the entries of all records.
    ///
    /// - Parameter mayHaveDuplicates: Whether the records may have duplicate values. Matters to a unique index only.
    func readable(mayHaveDuplicates: Bool) -> IndexState {
        isUnique && mayHaveDuplicates ? .readableWithDuplicates : .readable
    }
}

extension IndexKind {
    /// All kinds, a line each.
    static let all: [IndexKind] = [
        .value,
        .unique,
        .list,
        .fullText,
        .totals,
        .ranked,
    ]

    /// Finds the kind with a persisted number; nil for a number of a later version of Trove.
    init?(_ number: IndexKindNumber) {
        guard let kind = Self.all.first(where: { $0.number == number }) else { return nil }
        self = kind
    }
}

extension IndexKind: Hashable {
    /// Returns whether two kinds have the same persisted number.
    @usableFromInline
    static func == (left: IndexKind, right: IndexKind) -> Bool { left.number == right.number }

    /// Hashes the persisted number.
    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
