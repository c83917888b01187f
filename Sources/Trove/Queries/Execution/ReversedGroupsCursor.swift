// Groups in descending order, and the entries of a group in ascending order. Over an index on the age, this is the
// order of `sorted(by: \.age.desc)`: records of the same age are in key order.
//
// The table is scanned downwards. A small group is buffered and reversed. For a large group, the cursor seeks its first
// entry and scans it upwards.

import LMDB
import TroveCoding

/// A cursor over groups of entries with equal first components.
struct ReversedGroupsCursor: ~Copyable, BatchCursor {
    private let reader: EntryReader
    private let components: Int
    private let ranges: [KeyRange]
    private let mayWrite: Bool
    /// The scan downwards; nil before it begins below the last group.
    private var down: Lookahead<RangesCursor>?
    /// The ranges below the last group.
    private var rest: [KeyRange]
    /// The scan of a large group.
    private var up: IndexCursor?
    private let group = EntryBuffer()
    /// Small groups, reversed.
    private let groups = EntryBuffer()
    /// The number of entries to buffer at a time, and from which a group is large. It starts small, since many queries
    /// need only a few entries.
    private var batchSize = 16

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - ranges: Disjoint ranges, in ascending order.
    ///   - components: The number of equal first components in a group.
    ///   - entry: The entry after which to begin.
    ///   - mayWrite: Whether the caller writes while it reads a batch. No entries are buffered then.
    init(
        _ reader: EntryReader, _ ranges: [KeyRange], components: Int, after entry: [UInt8]?, mayWrite: Bool
    ) throws {
        self.reader = reader
        self.components = components
        self.ranges = ranges
        self.mayWrite = mayWrite
        rest = ranges
        guard let entry else { return }
        scanUpwards(try ByteView.with(entry) { try reader.prefix(of: $0, components: components) }, after: entry)
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let batch = groups.next(atMost: limit) { return batch }
            if let batch = try up?.next(atMost: limit) { return batch }
            up = nil
            guard try readGroups(atMost: limit) else { return nil }
        }
    }

    /// Reads the next groups: some small groups, or the beginning of a large group. Returns whether there are any.
    private mutating func readGroups(atMost limit: Int) throws -> Bool {
        groups.removeAll()
        let wanted = min(limit, batchSize)
        defer { batchSize = min(2 * batchSize, EntryBatch.capacity) }
        // The entry after the last group shows that the group has ended.
        while groups.count < wanted, let first = try peek(atMost: wanted + 1 - groups.count) {
            let prefix = try reader.prefix(of: first.key, components: components)
            let isLarge = down?.fetched(ahead: batchSize)?.key.starts(with: prefix) == true
            // The scan upwards sorts long entries.
            if mayWrite || isLarge || reader.isLong(first.key) {
                scanUpwards(prefix, after: nil)
                return true
            }
            group.removeAll()
            while let entry = try peek(atMost: wanted + 1 - groups.count), entry.key.starts(with: prefix) {
                if group.count == batchSize || reader.isLong(entry.key) {
                    scanUpwards(prefix, after: nil)
                    return true
                }
                group.append(entry)
                down?.advance()
            }
            groups.append(reversed: group)
        }
        return groups.count > 0
    }

    /// Begins an upward scan of a group. The downward scan continues below the group.
    private mutating func scanUpwards(_ prefix: [UInt8], after entry: [UInt8]?) {
        let part = ranges.compactMap { $0.intersection(KeyRange(prefix: prefix)) }
        up = IndexCursor(
            reader, part, isDescending: false, order: .groups(components: components), after: entry, mayWrite: mayWrite)
        rest = ranges.compactMap { $0.intersection(KeyRange(lower: [], upper: prefix)) }
        down = nil
    }

    /// Returns the next entry of the downward scan, without moving; nil at the end.
    private mutating func peek(atMost limit: Int) throws -> Entry? {
        if down == nil {
            let scan = RangesCursor(
                reader.keyspace, reader.database, rest, isDescending: true, mayWrite: mayWrite)
            down = Lookahead(scan)
        }
        return try down?.peek(atMost: limit)
    }
}
