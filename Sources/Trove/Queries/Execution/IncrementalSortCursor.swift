// The walk that gives groups of rows in order, and what is in a group in the order of the records' keys: what
// `sorted(by: \.city)` makes of an index over the city and the age, which has the ages of a city before the keys.
//
// The rows of a group are gathered and sorted, one group after the other. So a limit ends the walk with the group that
// reaches it; and of that group no more rows are kept than are wanted.

import LMDB

/// A walk over groups of rows that have their first components in common.
@safe struct IncrementalSortCursor: ~Copyable {
    private let source: IndexReader
    private let components: Int
    private let isDescending: Bool
    private var rows: IndexCursor
    private var batch: EntryBatch?
    private var position = 0
    /// What sorts up to here was given before.
    private let start: [UInt8]?
    private let group = EntryBuffer()

    /// From how many rows on those of a group that are not wanted are dropped.
    private static let capacity = 1024

    /// - Parameters:
    ///   - ranges: In ascending order.
    ///   - components: How many components the rows of a group have in common.
    ///   - entry: The entry behind which the walk begins.
    init(
        _ source: IndexReader, _ ranges: [KeyRange], components: Int, isDescending: Bool, after entry: [UInt8]?
    ) throws {
        self.source = source
        self.components = components
        self.isDescending = isDescending
        var rest = ranges
        if let entry {
            let prefix = try ByteView.with(entry) { try source.prefix(of: $0, components: components) }
            let group = KeyRange(prefix: prefix)
            let behind =
                isDescending ? KeyRange(lower: [], upper: group.upper) : KeyRange(lower: group.lower, upper: nil)
            rest = ranges.compactMap { $0.intersection(behind) }
        }
        start = entry.map { source.sortBytes(of: $0, .ties(components: components, isDescending: isDescending)) }
        rows = IndexCursor(source, rest, isDescending: isDescending, order: nil, after: nil)
    }

    /// Goes on to the next rows, which hold until this is called again; nil at the end.
    ///
    /// - Parameter limit: How many rows are wanted, this time and later.
    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let rows = group.next(atMost: limit) { return rows }
            guard try hasRow(), let batch else { return nil }
            try gather(source.prefix(of: batch[position].key, components: components), atMost: limit)
        }
    }

    /// Takes the rows that begin alike, and sorts them.
    private mutating func gather(_ prefix: [UInt8], atMost limit: Int) throws {
        group.removeAll()
        var bound: [UInt8]?
        while try hasRow(), let batch, batch[position].key.starts(with: prefix) {
            let row = batch[position]
            position += 1
            if start != nil || bound != nil {
                let bytes = try sortBytes(of: row, prefix)
                if let start, !TopN.precedes(start, bytes) { continue }
                if let bound, !TopN.precedes(bytes, bound) { continue }
            }
            group.append(row)
            if group.count >= Self.capacity, limit <= group.count / 2 {
                bound = try group.sort(keeping: limit) { row in try sortBytes(of: row, prefix) }
            }
        }
        try group.sort { row in try sortBytes(of: row, prefix) }
    }

    /// What a row sorts by. Where its group is not cut short, the row itself tells.
    private func sortBytes(of row: Entry, _ prefix: [UInt8]) throws -> [UInt8] {
        guard prefix.count < IndexEntries.headSize else {
            return try source.sortBytes(of: row, .ties(components: components, isDescending: isDescending))
        }
        var head = ByteView()
        let key = try source.recordKey(of: row, &head)
        return IndexReader.tieBytes(prefix, key.copy(), isDescending: isDescending)
    }

    /// Whether there is a row at the position, which is fetched where it has to be.
    private mutating func hasRow() throws -> Bool {
        guard position >= batch?.count ?? 0 else { return true }
        batch = try rows.next(atMost: EntryBatch.capacity)
        position = 0
        return batch != nil
    }
}
