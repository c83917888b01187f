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
    private var walk: (any SourceKeyWalk)?
    /// The keys read, and not yet looked up.
    private var keys = EntryBuffer()
    /// The number of keys looked up.
    private var position = 0
    /// The values of the keys, if they were looked up in the order of the keys; otherwise empty.
    private var values: [ByteView?] = []
    private var hasEnded = false
    private var chunkSize = 16
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// The number of keys to sort at a time, if any order will do.
    private static let sortedChunkSize = 16_384
    /// The maximum number of keys to read at a time, if they are in the order of the source. A larger number than a
    /// batch has pays if their records are looked up in the order of the keys.
    private static let walkedChunkSize = 4_096

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return.
    ///   - start: The key after which to begin.
    ///   - readsRecords: Whether to return values; otherwise they are empty.
    ///   - matchingKeys: Returns the keys of a plan's matches, in the order of the source.
    init(
        _ scan: SourceScan, in context: ReadContext, table: RecordTable, plan: QueryPlan, limit: Int?,
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
            let known = values.isEmpty ? try lookups?.value(of: key) : values[position + index]
            guard let value = known else { continue }
            found[count] = Entry(key, readsRecords ? value : ByteView())
            count += 1
        }
        position += batch.count
        return count
    }

    /// Looks up the records of all keys, in the order of the keys. The values stay valid: nothing is written before the
    /// keys are used up.
    private mutating func lookUpSorted() throws {
        if lookups == nil { lookups = try context.keyspace.lookups(in: table.database) }
        values = Array(repeating: nil, count: keys.count)
        for index in keys.sortedIndices() {
            values[Int(index)] = try lookups?.value(of: keys[Int(index)].key)
        }
    }

    /// Reads the next keys, in the order of their lookups. Returns whether there are any.
    private mutating func readKeys() throws -> Bool {
        if hasEnded { return false }
        keys.removeAll()
        position = 0
        values.removeAll(keepingCapacity: true)
        switch scan.order {
        case .walk(let isDescending):
            hasEnded = try !readChunk(atMost: min(chunkSize, remaining), isDescending)
            chunkSize = min(2 * chunkSize, Self.walkedChunkSize)
            if keys.count > EntryBatch.capacity { try lookUpSorted() }
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
