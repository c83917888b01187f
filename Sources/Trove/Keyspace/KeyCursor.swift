// A cursor over the keys of a table, one at a time.

import LMDB

/// A cursor over the keys of a scan, which are read in batches.
struct KeyCursor: ~Copyable {
    /// Nil if the table does not exist.
    private var scan: RangeScan?
    private var batch: EntryBatch?
    private var index = 0
    /// Whether the scan has no more keys.
    private(set) var isOver = false

    /// Creates a cursor without keys.
    init() {}

    /// Creates a cursor at the first key of a range. The caller writes nothing while it uses the cursor.
    init(_ keyspace: Keyspace, _ table: Database, _ range: ScanRange = ScanRange()) throws {
        scan = try keyspace.scan(table, range, mayWrite: false)
    }

    /// Whether the key at the position is in memory.
    @inline(__always)
    var isFetched: Bool { index < batch?.count ?? 0 }

    /// Returns the key at the position, valid until the next fetch; nil at the end.
    ///
    /// - Parameter limit: The maximum number of keys to fetch.
    @inline(__always)
    mutating func key(atMost limit: Int = .max) throws -> ByteView? {
        if !isFetched { try fetch(limit) }
        guard let batch else { return nil }
        return batch[index].key
    }

    /// Moves to the next key.
    @inline(__always)
    mutating func advance() { index += 1 }

    /// Returns the key at the position, and moves to the next key.
    mutating func next() throws -> ByteView? {
        guard let key = try key() else { return nil }
        advance()
        return key
    }

    private mutating func fetch(_ limit: Int) throws {
        index = 0
        batch = try scan?.next(atMost: limit)
        isOver = batch == nil
    }
}
