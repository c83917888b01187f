// A cursor from index entries to their records.

import LMDB
import TroveCoding

/// A cursor over the records of index entries, in the order of the entries.
struct IndexFetch: ~Copyable, BatchCursor {
    private let reader: IndexReader
    private let records: Database
    /// The ranges that must contain the record key; nil for any key.
    private let keyRanges: [KeyRange]?
    private let readsRecords: Bool
    /// The conditions on keys that are tested before records are looked up; nil if there are none.
    private let keyTest: FilterTest?
    private var remaining: Int
    private var entries: OrderedCursor
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return.
    ///   - start: The entry after which to begin.
    ///   - readsRecords: Whether to return values; otherwise they are empty.
    ///   - keyTest: The conditions on keys that are tested before records are looked up; nil if there are none.
    init(
        _ reader: IndexReader, _ table: RecordTable, _ plan: QueryPlan, limit: Int?, after start: [UInt8]?,
        readsRecords: Bool, keyTest: FilterTest?
    ) throws {
        self.reader = reader
        self.keyTest = keyTest
        records = table.database
        keyRanges = plan.keyRanges.isEverything ? nil : plan.keyRanges
        self.readsRecords = readsRecords
        remaining = limit ?? .max
        // If a closure may write, the keys are collected first.
        entries = try OrderedCursor(reader, plan, after: start, mayWrite: false)
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while remaining > 0, let batch = try entries.next(atMost: keyRanges == nil ? min(limit, remaining) : .max) {
            let count = try keyTest == nil ? fetch(batch) : fetchTested(batch)
            remaining -= count
            if count > 0 { return found.batch(count: count) }
        }
        return nil
    }

    /// Looks up the records of entries. Returns the number of records.
    private mutating func fetch(_ batch: EntryBatch) throws -> Int {
        var count = 0
        var head = ByteView()
        for index in 0..<batch.count where count < remaining {
            let key = try reader.recordKey(of: batch[index], &head)
            if let keyRanges, !KeyRange.contains(keyRanges, key) { continue }
            let value = readsRecords ? try value(of: key, batch[index]) : ByteView()
            found[count] = Entry(key, value)
            count += 1
        }
        return count
    }

    /// Looks up the records of entries whose keys pass the test. Returns the number of records.
    private mutating func fetchTested(_ batch: EntryBatch) throws -> Int {
        var head = ByteView()
        for index in 0..<batch.count { found[index] = Entry(try reader.recordKey(of: batch[index], &head), ByteView()) }
        var run = RecordRun(found.batch(count: batch.count))
        let matches = try keyTest?.bits(&run, among: run.all) ?? run.all
        var count = 0
        for index in 0..<batch.count where count < remaining && matches & 1 &<< UInt64(index) != 0 {
            let key = found[index].key
            if let keyRanges, !KeyRange.contains(keyRanges, key) { continue }
            let value = readsRecords ? try value(of: key, batch[index]) : ByteView()
            found[count] = Entry(key, value)
            count += 1
        }
        return count
    }

    private mutating func value(of key: ByteView, _ entry: Entry) throws -> ByteView {
        if lookups == nil { lookups = try reader.keyspace.lookups(in: records) }
        guard let value = try lookups?.value(of: key) else { throw reader.damaged(entry.key) }
        return value
    }
}
