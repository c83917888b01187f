// A cursor from merged record keys of several indexes to their records.

import LMDB

/// A cursor over the records of merged keys, in the order of the keys.
struct KeyFetch: ~Copyable, BatchCursor {
    private let keyspace: Keyspace
    private let records: Database
    private let collectKeys: () throws -> EntryBuffer
    private let missing: (_ key: [UInt8]) -> StoreError?
    private let readsRecords: Bool
    private var remaining: Int
    private var keys: EntryBuffer?
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return.
    ///   - readsRecords: Whether to return values; otherwise they are empty.
    ///   - missing: Returns the error for a key that no record has; nil to leave the key out.
    ///   - collectKeys: Returns the keys in the order of the scan.
    init(
        _ keyspace: Keyspace, _ table: RecordTable, limit: Int?, readsRecords: Bool,
        missing: @escaping (_ key: [UInt8]) -> StoreError?, collectKeys: @escaping () throws -> EntryBuffer
    ) {
        self.keyspace = keyspace
        records = table.database
        self.collectKeys = collectKeys
        self.missing = missing
        self.readsRecords = readsRecords
        remaining = limit ?? .max
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        if keys == nil {
            keys = try collectKeys()
            if readsRecords { lookups = try keyspace.lookups(in: records) }
        }
        while let batch = keys?.next(atMost: min(limit, remaining)) {
            remaining -= batch.count
            guard readsRecords else { return batch }
            var count = 0
            for index in 0..<batch.count {
                let key = batch[index].key
                if let value = try lookups?.value(of: key) {
                    found[count] = Entry(key, value)
                    count += 1
                } else if let error = missing(key.copy()) {
                    throw error
                }
            }
            if count > 0 { return found.batch(count: count) }
        }
        return nil
    }
}
