// The walk over the records that match: entries in batches, a bit for each record of a batch that is wanted.

import LMDB
import TroveCoding

/// Records that stand together, and which of them are wanted.
@usableFromInline
@safe struct Matches {
    @usableFromInline let batch: EntryBatch
    /// A bit for each record that is wanted, the lowest for the first.
    @usableFromInline var bits: UInt64

    init(_ batch: EntryBatch, bits: UInt64) {
        self.batch = batch
        self.bits = bits
    }

    /// The record at an index.
    @inlinable
    subscript(_ index: Int) -> Entry { batch[index] }

    /// The place of the next record that is wanted.
    @inlinable
    mutating func popFirst() -> Int? {
        guard bits != 0 else { return nil }
        let index = bits.trailingZeroBitCount
        bits &= bits &- 1
        return index
    }

    /// One of the records, to read properties of it.
    @usableFromInline
    func run(at index: Int) -> RecordRun { RecordRun(batch.part(index..<index + 1)) }

    /// Leaves out the first matches, and all behind the last one wanted.
    fileprivate mutating func trim(_ offset: inout Int, _ remaining: inout Int) {
        if offset >= bits.nonzeroBitCount {
            offset -= bits.nonzeroBitCount
            return bits = 0
        }
        while offset > 0 {
            _ = popFirst()
            offset -= 1
        }
        while bits.nonzeroBitCount > remaining { bits ^= 1 &<< UInt64(63 - bits.leadingZeroBitCount) }
        remaining -= bits.nonzeroBitCount
    }
}

/// The walk over the records of a table that match a filter.
@usableFromInline
@safe struct FilterCursor<Record: IndexKeyRecord>: ~Copyable {
    @usableFromInline let table: RecordTable
    /// The walk over the table of the records, or that over another one.
    private var scan: TableScan?
    private var rows: IndexFetch?
    private var keys: KeyFetch?
    private let test: RunTest?
    private let readsProperties: Bool
    private var offset: Int
    private var remaining: Int
    private var batch: EntryBatch?
    private var position = 0
    private var present: CurrentRecord?

    /// - Parameters:
    ///   - plan: What to walk. Its limit and its offset count, unless what is found will be sorted.
    ///   - start: The entry behind which to begin.
    ///   - readsProperties: Whether properties of what is found will be read, so that all is to be in the present
    ///     layout.
    ///   - keysSuffice: Whether nothing but the keys of what is found will be read.
    init(
        _ context: ReadContext, _ table: RecordTable, _ plan: QueryPlan, after start: [UInt8]?, readsProperties: Bool,
        keysSuffice: Bool
    ) {
        let test = plan.filter.test()
        let limit = test == nil && !plan.sorts ? plan.wanted : nil
        let readsRecords = !keysSuffice || readsProperties || test != nil || plan.sorts
        if let merged = plan.merged {
            keys = KeyFetch(context.keyspace, table, limit: limit, readsRecords: readsRecords) { key in
                merged.damaged(key)
            } gather: {
                try Self.keys(of: merged, plan, context, table, after: start)
            }
        } else if case .index(let index) = plan.table.kind {
            let source = IndexReader(
                type: table.schema.name, plan.table, table.indexes[index], context.keyspace
            ) { key in try context.entry(of: key, Record.self, index) }
            rows = IndexFetch(source, table, plan, limit: limit, after: start, readsRecords: readsRecords)
        } else {
            scan = TableScan(context, table, ScanPlan(plan.ranges, plan.scanOrder, limit: limit, after: start))
        }
        self.table = table
        self.test = test
        self.readsProperties = readsProperties || test != nil
        offset = plan.sorts ? 0 : plan.offset
        remaining = plan.sorts ? .max : max(0, plan.limit ?? .max)
    }

    /// Goes on to the next matches, which hold until this is called again; nil at the end.
    @usableFromInline
    mutating func next() throws -> Matches? {
        while remaining > 0 {
            guard let batch, position < batch.count else {
                batch = try nextBatch()
                position = 0
                if batch == nil { return nil }
                continue
            }
            var matches = try readsProperties ? tested(batch) : untested(batch)
            matches.trim(&offset, &remaining)
            if matches.bits != 0 { return matches }
        }
        return nil
    }

    private mutating func nextBatch() throws -> EntryBatch? {
        if scan != nil { return try scan?.next() }
        return try rows?.next() ?? keys?.next()
    }

    /// The keys that several tables give together, in the order of the walk.
    private static func keys(
        of merged: QueryPlan.MergedScan, _ plan: QueryPlan, _ context: ReadContext, _ table: RecordTable,
        after start: [UInt8]?
    ) throws -> EntryBuffer {
        let keys = EntryBuffer()
        let isDescending = plan.scanOrder == .descending
        let rest = start.map { isDescending ? KeyRange.all.before($0) : KeyRange.all.after($0) }
        let ranges = KeyRange.common(plan.keyRanges, rest.map { [$0] } ?? [.all])
        for part in merged.parts {
            var scan = FilterCursor(context, table, part, after: nil, readsProperties: false, keysSuffice: true)
            while var matches = try scan.next() {
                while let index = matches.popFirst() {
                    let key = matches[index].key
                    if ranges == [.all] || KeyRange.contains(ranges, key) { keys.append(key: key) }
                }
            }
        }
        keys.keepKeys(inAtLeast: merged.isUnion ? 1 : merged.parts.count, isDescending: isDescending)
        return keys
    }

    private mutating func untested(_ batch: EntryBatch) -> Matches {
        position = batch.count
        return Matches(batch, bits: .max &>> UInt64(UInt64.bitWidth - batch.count))
    }

    private mutating func tested(_ batch: EntryBatch) throws -> Matches {
        var run = try RecordRun(batch, from: position, table)
        if run.count > 0 {
            let entries = batch.part(position..<position + run.count)
            position += run.count
            return Matches(entries, bits: try bits(of: &run))
        }
        // The next record is of an older layout.
        let entry = batch[position]
        position += 1
        let record = try CurrentRecord(Record.decode(entry, table), table)
        present = record
        var single = RecordRun(record.matches.batch)
        return Matches(record.matches.batch, bits: try bits(of: &single))
    }

    private func bits(of run: inout RecordRun) throws -> UInt64 {
        do throws(CodingError) {
            return try test?(&run) ?? run.all
        } catch {
            throw run.corrupted(table, error)
        }
    }
}
