// A scan of several ranges.

import LMDB
import TroveCoding

/// A cursor over key ranges of one table in order.
struct RangesCursor: ~Copyable, BatchCursor {
    private let keyspace: Keyspace
    private let database: Database
    /// The ranges not scanned yet, in ascending order.
    private var ranges: ArraySlice<KeyRange>
    private let isDescending: Bool
    private let mayWrite: Bool
    private var current: RangeScan?

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - ranges: Disjoint ranges, in ascending order.
    ///   - isDescending: Whether to scan from the greatest key to the least.
    ///   - mayWrite: Whether the caller writes while it reads a batch. In a write transaction, entries are then copied
    ///     one by one.
    init(_ keyspace: Keyspace, _ database: Database, _ ranges: [KeyRange], isDescending: Bool, mayWrite: Bool) {
        self.keyspace = keyspace
        self.database = database
        self.ranges = ranges[...]
        self.isDescending = isDescending
        self.mayWrite = mayWrite
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let batch = try current?.next(atMost: limit) { return batch }
            guard let range = isDescending ? ranges.popLast() : ranges.popFirst() else { return nil }
            current = try keyspace.scan(
                database, ScanRange(range, isDescending: isDescending), mayWrite: mayWrite)
        }
    }
}

extension ScanRange {
    /// Creates the scan of a range of keys.
    init(_ range: KeyRange, isDescending: Bool = false) {
        self.init(from: range.lower, upTo: range.upper, isDescending: isDescending)
    }
}
