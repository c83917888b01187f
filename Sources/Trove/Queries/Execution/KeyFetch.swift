// The records of keys that were gathered from several tables.

import LMDB

/// The walk over the records of keys that several tables give together.
@safe struct KeyFetch: ~Copyable {
    private let keyspace: Keyspace
    private let records: Database
    private let gather: () throws -> EntryBuffer
    private let missing: (_ key: [UInt8]) -> StoreError
    private let readsRecords: Bool
    private var remaining: Int
    private var keys: EntryBuffer?
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// - Parameters:
    ///   - limit: How many records at most.
    ///   - readsRecords: Whether the records are wanted, not only their keys.
    ///   - missing: The error of a key that no record has.
    ///   - gather: Gives the keys in the order of the walk.
    init(
        _ keyspace: Keyspace, _ table: RecordTable, limit: Int?, readsRecords: Bool,
        missing: @escaping (_ key: [UInt8]) -> StoreError, gather: @escaping () throws -> EntryBuffer
    ) {
        self.keyspace = keyspace
        records = table.database
        self.gather = gather
        self.missing = missing
        self.readsRecords = readsRecords
        remaining = limit ?? .max
    }

    /// Goes on to the next records, which hold until this is called again, or something is written; nil at the end.
    mutating func next() throws -> EntryBatch? {
        try translatingErrors {
            if keys == nil {
                keys = try gather()
                if readsRecords { lookups = try keyspace.lookups(in: records) }
            }
            guard let batch = keys?.next(atMost: remaining) else { return nil }
            remaining -= batch.count
            guard readsRecords else { return batch }
            for index in 0..<batch.count {
                let key = batch[index].key
                guard let value = try lookups?.value(of: key) else { throw missing(key.copy()) }
                found[index] = Entry(key, value)
            }
            return found.batch(count: batch.count)
        }
    }
}
