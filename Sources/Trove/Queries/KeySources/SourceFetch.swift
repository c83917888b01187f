// A cursor from the keys of a source to their records.

import LMDB
import TroveCoding

/// A cursor over the records of a source's keys. Keys without a record are left out.
struct SourceFetch: ~Copyable, BatchCursor {
    private let scan: SourceScan
    private let context: ReadContext
    private let table: RecordTable
    /// The key after which to begin.
    private let start: [UInt8]?
    /// The ranges that must contain the record key; nil for any key.
    private let keyRanges: [KeyRange]?
    private let readsRecords: Bool
    private let matchingKeys: (QueryPlan) throws -> EntryBuffer
    private var remaining: Int
    private var walk: (any KeyWalk)?
    /// The keys read, and not yet looked up.
    private var keys = EntryBuffer()
    private var hasEnded = false
    private var chunkSize = 16
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// The number of keys to sort at a time, if any order will do.
    private static let sortedChunkSize = 16_384

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return.
    ///   - start: The key after which to begin.
    ///   - readsRecords: Whether to return values; otherwise they are empty.
    ///   - matchingKeys: Returns the keys of a plan's matches, in the order of the source.
    init(
        _ scan: SourceScan, _ context: ReadContext, _ table: RecordTable, _ plan: QueryPlan, limit: Int?,
        after start: [UInt8]?, readsRecords: Bool, matchingKeys: @escaping (QueryPlan) throws -> EntryBuffer
    ) {
        self.scan = scan
        self.context = context
        self.table = table
        self.start = start
        keyRanges = plan.keyRanges.isEverything ? nil : plan.keyRanges
        self.readsRecords = readsRecords
        self.matchingKeys = matchingKeys
        remaining = limit ?? .max
    }

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while remaining > 0 {
            guard let batch = keys.next(atMost: min(limit, remaining)) else {
                guard try readKeys() else { return nil }
                continue
            }
            let count = try lookUp(batch)
            remaining -= count
            if count > 0 { return found.batch(count: count) }
        }
        return nil
    }

    /// Looks up the records of keys. Returns the number of records found.
    private mutating func lookUp(_ batch: EntryBatch) throws -> Int {
        if lookups == nil { lookups = try context.keyspace.lookups(in: table.database) }
        var count = 0
        for index in 0..<batch.count {
            let key = batch[index].key
            if let keyRanges, !KeyRange.contains(keyRanges, key) { continue }
            guard let value = try lookups?.value(of: key) else { continue }
            found[count] = Entry(key, readsRecords ? value : ByteView())
            count += 1
        }
        return count
    }

    /// Reads the next keys, in the order of their lookups. Returns whether there are any.
    private mutating func readKeys() throws -> Bool {
        if hasEnded { return false }
        keys.removeAll()
        switch scan.order {
        case .walk(let isDescending):
            hasEnded = try !readChunk(atMost: min(chunkSize, remaining), isDescending)
            chunkSize = min(2 * chunkSize, EntryBatch.capacity)
        case .any:
            hasEnded = try !readChunk(atMost: Self.sortedChunkSize, false)
            keys.keepKeys(inAtLeast: 1, isDescending: false)
        case .keys(let isDescending):
            try readAll(isDescending)
            hasEnded = true
        case .matches(let plan):
            keys = try matchingKeys(plan)
            hasEnded = true
        }
        return keys.count > 0
    }

    private mutating func readChunk(atMost limit: Int, _ isDescending: Bool) throws -> Bool {
        if walk == nil {
            walk = try scan.open(in: context).walk(after: start, isDescending: isDescending)
            if walk == nil, let start { throw table.noContinuation(after: start) }
        }
        return try walk?.read(into: keys, atMost: limit) ?? false
    }

    /// Reads all keys after the start, in key order.
    private mutating func readAll(_ isDescending: Bool) throws {
        let rest = start.map { isDescending ? KeyRange.all.before($0) : KeyRange.all.after($0) }
        let walk = try scan.open(in: context).walk(after: nil, isDescending: false)
        let all = EntryBuffer()
        _ = try walk?.read(into: all, atMost: .max)
        while let batch = all.next() {
            for index in 0..<batch.count {
                let key = batch[index].key
                if rest.map({ KeyRange.contains([$0], key) }) ?? true { keys.append(key: key) }
            }
        }
        keys.keepKeys(inAtLeast: 1, isDescending: isDescending)
    }
}
