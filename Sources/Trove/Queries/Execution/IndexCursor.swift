// A scan of a table in the order of its entries.
//
// A long index entry is stored as its first 494 bytes and a hash (IndexEntries.swift). So long entries with the same
// head are read together, and sorted by their whole entries, which are derived from their records.

import LMDB

/// A cursor over ranges of entries, ascending or descending.
struct IndexCursor: ~Copyable, BatchCursor {
    private let reader: EntryReader
    /// The order of entries; nil if any order of long entries will do.
    private let order: ScanOrder?
    /// The sort bytes of the entry after which to begin.
    private let start: [UInt8]?
    private var entries: Lookahead<RangesCursor>
    private let longEntries = EntryBuffer()

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - ranges: Disjoint ranges, in ascending order.
    ///   - entry: The entry after which to begin.
    init(
        _ reader: EntryReader, _ ranges: [KeyRange], isDescending: Bool, order: ScanOrder?, after entry: [UInt8]?,
        mayWrite: Bool
    ) {
        self.reader = reader
        self.order = order
        start = entry.map { reader.sortBytes(of: $0, order ?? .ascending) }
        var remaining = ranges
        if let entry {
            let isLong = entry.count > reader.headSize
            let head = KeyRange(prefix: Array(entry.prefix(reader.headSize)))
            let rest =
                isDescending
                ? KeyRange(lower: [], upper: isLong ? head.upper : entry)
                : KeyRange(lower: isLong ? head.lower : entry + [0], upper: nil)
            remaining = ranges.compactMap { $0.intersection(rest) }
        }
        entries = Lookahead(
            RangesCursor(
                reader.keyspace, reader.database, remaining, isDescending: isDescending, mayWrite: mayWrite))
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let batch = longEntries.next(atMost: limit) { return batch }
            guard try entries.peek(atMost: limit) != nil else { return nil }
            if let batch = entries.take(while: { order == nil || !reader.isLong($0.key) }) { return batch }
            try sortLongEntries()
        }
    }

    /// Reads the long entries of one head, and sorts them.
    private mutating func sortLongEntries() throws {
        longEntries.removeAll()
        guard let order, let first = try entries.peek() else { return }
        let head = first.key.prefix(reader.headSize).copy()
        while let entry = try entries.peek(), entry.key.starts(with: head) {
            longEntries.append(entry)
            entries.advance()
        }
        try longEntries.sort { entry in
            let bytes = try reader.sortBytes(of: entry, order)
            return start.map { TopN.precedes($0, bytes) } ?? true ? bytes : nil
        }
    }
}
