// The totals of a group of records, and the row that stores them.
//
//     key     = the key of an entry of 01 group, as StoredEntry.swift stores it: cut if it is long
//     content = records column* [ 01 group ]       records: LEB128       the group only if the key is cut
//     column  = numbers [ sum ]                    numbers: LEB128, those that are not nil; the sum only if any
//
// The group is the columns of the group, one after the other; none for the totals of all records. A group without
// records has no row. The key 00 is another row: see CountedRecords.swift.

import LMDB
import TroveCoding

/// The number of records in a group, and for each summed property the number and the sum of its numbers.
///
/// All parts can be negative: totals are also changes of stored totals.
struct GroupTotals: Hashable, Sendable {
    /// The greatest number of records. No store has so many, and no count of totals up to it overflows.
    static let countLimit = 1 << 44

    /// The numbers of a property.
    struct Column: Hashable, Sendable {
        var count = 0
        /// The sum; nil without numbers.
        var sum: AnySum?

        var isZero: Bool { count == 0 && sum?.isZero ?? true }
    }

    var count = 0
    var columns: [Column]

    /// Creates the totals of no records.
    ///
    /// - Parameter sums: The number of summed properties.
    init(sums: Int) { columns = [Column](repeating: Column(), count: sums) }

    /// Whether the totals are those of no records.
    var isZero: Bool { count == 0 && columns.allSatisfy(\.isZero) }

    /// Whether records can have the totals.
    var isPossible: Bool {
        count >= 0
            && columns.allSatisfy {
                $0.count >= 0 && $0.count <= count && ($0.count > 0 || $0.isZero)
                    && $0.sum?.isPossible(count: $0.count) ?? true
            }
    }

    /// Adds a number of a property, or takes it away. Returns false if other numbers of the property are of another
    /// family.
    mutating func add(_ number: SumColumn.Summand?, to column: Int, _ sign: Int) -> Bool {
        guard let number else { return true }
        columns[column].count += sign
        guard columns[column].sum != nil else {
            columns[column].sum = AnySum(number, sign)
            return true
        }
        return columns[column].sum?.add(number, sign) ?? true
    }

    /// Adds other totals. Returns false if numbers of a property are of different families.
    mutating func add(_ other: GroupTotals) -> Bool {
        guard columns.count == other.columns.count else { return false }
        count &+= other.count
        for place in columns.indices {
            columns[place].count &+= other.columns[place].count
            guard let sum = other.columns[place].sum else { continue }
            guard columns[place].sum != nil else {
                columns[place].sum = sum
                continue
            }
            if columns[place].sum?.add(sum) == false { return false }
        }
        return true
    }
}

/// The error of totals that no records have. A scan throws the error of their row instead.
struct ImpossibleTotals: Error {}

// MARK: Rows

extension GroupTotals {
    /// The byte before the columns of a group in a key.
    static let mark: UInt8 = 1

    /// Returns the key of the row of a group.
    static func key(of group: [UInt8]) -> [UInt8] { StoredEntry.key(of: ([mark] + group)[...]) }

    /// Appends the content of the row of a group.
    func append(to row: inout [UInt8], of group: [UInt8]) {
        LEB128.append(count, to: &row)
        for column in columns {
            LEB128.append(column.count, to: &row)
            if column.count > 0, let sum = column.sum { sum.append(to: &row) }
        }
        let entry = [Self.mark] + group
        if StoredEntry.isLong(entry[...]) { row += entry }
    }

    /// Reads the content of a row.
    ///
    /// - Returns: The group, and its totals.
    static func read(
        _ content: ByteView, key: [UInt8], sums: Int
    ) throws(CodingError) -> (group: [UInt8], totals: GroupTotals) {
        var totals = GroupTotals(sums: sums)
        let group = try key.withRawSpan { (key) throws(CodingError) in
            try ByteView.with(key) { (key) throws(CodingError) in try totals.read(content, key: key).copy() }
        }
        return (group, totals)
    }

    /// Reads the content of a row into totals with the same number of columns.
    ///
    /// - Returns: The group, in the content or in the key.
    mutating func read(_ content: ByteView, key: ByteView) throws(CodingError) -> ByteView {
        var reader = ValueReader(content)
        count = try reader.readRecordCount()
        for column in columns.indices {
            let numbers = try reader.readRecordCount()
            columns[column].count = numbers
            columns[column].sum = numbers > 0 ? try AnySum(decoding: &reader) : nil
        }
        guard count > 0, isPossible else { throw reader.malformed("the totals of records", at: 0) }
        guard reader.remaining > 0 else { return key.dropFirst(1) }
        let stored = content.dropFirst(reader.offset)
        let entry = stored.copy()
        guard entry.first == Self.mark, StoredEntry.isLong(entry[...]),
            key.compare(StoredEntry.key(of: entry[...])) == 0
        else { throw reader.malformed("the group of the row", at: content.count) }
        return stored.dropFirst(1)
    }
}
