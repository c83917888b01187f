// The running of a plan: its ranges one after the other, in batches of entries, up to its limit.

import LMDB
import TroveCoding

/// The walk over the records of a plan.
///
/// The loop over a batch is compiled into the code of whoever runs the query; a call stands between batches alone.
@usableFromInline
@safe struct TableScan: ~Copyable {
    private let keyspace: Keyspace
    private let table: RecordTable
    private var ranges: RangeSequence
    private var remaining: Int
    private var current: RangeScan?

    @usableFromInline
    init(_ context: ReadContext, _ table: RecordTable, _ plan: ScanPlan) {
        keyspace = context.keyspace
        self.table = table
        ranges = RangeSequence(plan)
        remaining = plan.limit ?? .max
    }

    /// Goes on to the next entries, which hold until this is called again; nil at the end.
    @usableFromInline
    mutating func next() throws -> EntryBatch? {
        do {
            while remaining > 0 {
                if let batch = try current?.next(atMost: remaining) {
                    remaining -= batch.count
                    return batch
                }
                guard let range = try ranges.next(in: table, keyspace) else { return nil }
                current = try keyspace.scan(table.database, range)
            }
            return nil
        } catch let error as LMDBError {
            throw StoreError(error)
        }
    }
}

/// The ranges of a plan, one after the other.
///
/// Groups are found while walking. The greatest key of what is left tells which group is next; its part of the ranges is
/// walked upwards, and what lies below it is left.
private struct RangeSequence {
    /// What is left: in the order of the walk; with groups, in ascending order.
    private var ranges: ArraySlice<ScanRange>
    private let groupedComponents: Int?
    private var continuation: [UInt8]?
    /// What is left of a group, the last range first.
    private var group: [ScanRange] = []

    init(_ plan: ScanPlan) {
        ranges = plan.ranges[...]
        groupedComponents = plan.groupedComponents
        continuation = plan.continuation
    }

    mutating func next(in table: RecordTable, _ keyspace: Keyspace) throws -> ScanRange? {
        guard let groupedComponents else { return ranges.popFirst() }
        if let key = continuation {
            continuation = nil
            let start = try ByteView.with(key) { try table.schema.prefix(of: $0, components: groupedComponents) }
            cut(KeyRange(prefix: start))
            group = group.compactMap { $0.intersection(KeyRange(lower: key + [0], upper: nil)) }
        }
        while group.isEmpty {
            guard let last = ranges.last else { return nil }
            var prefix: [UInt8]?
            let backwards = ScanRange(from: last.lower, upTo: last.upper, isDescending: true)
            try keyspace.scan(table.database, backwards) { key, _ in
                prefix = try ByteView.with(key) { try table.schema.prefix(of: $0, components: groupedComponents) }
                return .stop
            }
            if let prefix { cut(KeyRange(prefix: prefix)) } else { ranges.removeLast() }
        }
        return group.popLast()
    }

    /// Takes a group out of what is left, and drops what lies above it.
    private mutating func cut(_ keys: KeyRange) {
        while let range = ranges.last {
            if let part = range.intersection(keys) { group.append(part) }
            ranges.removeLast()
            if let rest = range.intersection(KeyRange(lower: [], upper: keys.lower)) {
                ranges.append(rest)
                if range.lower.lexicographicallyPrecedes(keys.lower) { return }
            }
        }
    }
}

extension ScanRange {
    fileprivate func intersection(_ keys: KeyRange) -> ScanRange? {
        KeyRange(lower: lower, upper: upper).intersection(keys).map { ScanRange(from: $0.lower, upTo: $0.upper) }
    }
}

extension RecordSchema {
    /// The bytes of the first components of a key.
    fileprivate func prefix(of key: ByteView, components: Int) throws -> [UInt8] {
        var reader = KeyReader(key)
        do throws(CodingError) {
            for component in self.key.prefix(components) { try component.type.skipKey(in: &reader) }
        } catch {
            throw StoreError(reading: name, key: key.copy(), error)
        }
        return key.prefix(reader.offset).copy()
    }
}
