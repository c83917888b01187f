// The walk over the rows of an index, in the order of their entries.
//
// The row of a long entry begins with 494 bytes of it, and goes on with a hash (IndexEntries.swift). So rows that begin
// alike and are longer are taken together, and sorted by their whole entries, which the records tell.

import LMDB

/// A walk up or down over ranges of rows.
@safe struct IndexCursor: ~Copyable {
    private let source: IndexReader
    /// The order of the entries in which rows are given; nil where it is of no concern.
    private let order: ScanOrder?
    private var ranges: ArraySlice<ScanRange>
    /// Of a group that was sorted, what sorts up to here was given before.
    private let start: [UInt8]?
    private var current: RangeScan?
    private var batch: EntryBatch?
    private var position = 0
    private let group = EntryBuffer()

    /// - Parameters:
    ///   - ranges: In ascending order.
    ///   - isDescending: Whether they are walked downwards.
    ///   - entry: The entry behind which the walk begins.
    init(_ source: IndexReader, _ ranges: [KeyRange], isDescending: Bool, order: ScanOrder?, after entry: [UInt8]?) {
        self.source = source
        self.order = order
        start = entry.map { source.sortBytes(of: $0, order ?? .ascending) }
        var remaining = ranges
        if let entry {
            let isLong = entry.count > IndexEntries.headSize
            let head = KeyRange(prefix: Array(entry.prefix(IndexEntries.headSize)))
            let rest =
                isDescending
                ? KeyRange(lower: [], upper: isLong ? head.upper : entry)
                : KeyRange(lower: isLong ? head.lower : entry + [0], upper: nil)
            remaining = ranges.compactMap { $0.intersection(rest) }
        }
        self.ranges =
            (isDescending ? remaining.reversed() : remaining).map { range in
                ScanRange(from: range.lower, upTo: range.upper, isDescending: isDescending)
            }[...]
    }

    /// Goes on to the next rows, which hold until this is called again; nil at the end.
    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let rows = group.next() { return rows }
            guard try hasRow(atMost: limit), let batch else { return nil }
            let start = position
            while position < batch.count, order == nil || !isLong(batch[position].key) { position += 1 }
            if position > start { return batch.part(start..<position) }
            try gather()
        }
    }

    private func isLong(_ row: ByteView) -> Bool { row.count > IndexEntries.headSize }

    /// Whether there is a row at the position, which is fetched where it has to be.
    private mutating func hasRow(atMost limit: Int) throws -> Bool {
        while position >= batch?.count ?? 0 {
            position = 0
            batch = try current?.next(atMost: limit)
            if batch != nil { continue }
            guard let range = ranges.popFirst() else { return false }
            current = try source.keyspace.scan(source.target.database, range)
        }
        return true
    }

    /// Takes the rows that begin as this one does, and sorts them.
    private mutating func gather() throws {
        group.removeAll()
        var head: [UInt8]?
        while try hasRow(atMost: EntryBatch.capacity), let batch {
            let row = batch[position]
            if let head, !row.key.starts(with: head) { break }
            if head == nil { head = row.key.prefix(IndexEntries.headSize).copy() }
            group.append(row)
            position += 1
        }
        guard let order else { return }
        try group.sort { row in
            let bytes = try source.sortBytes(of: row, order)
            return start.map { TopN.precedes($0, bytes) } ?? true ? bytes : nil
        }
    }
}
