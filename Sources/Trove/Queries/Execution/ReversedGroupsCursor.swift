// The walk that gives groups in descending order, and what is in a group in ascending one: what `sorted(by: \.age.desc)`
// makes of an index over the age, since records of one age come in the order of their keys.
//
// The table is walked downwards. A small group is turned round on the way, so that where values differ from record to
// record a step is all that each costs. For a large one its beginning is searched, and from there it is walked upwards.

import LMDB

/// A walk over groups of rows that have their first components in common.
@safe struct ReversedGroupsCursor: ~Copyable {
    private let source: IndexReader
    private let components: Int
    private let ranges: [KeyRange]
    /// What is left of the ranges, in ascending order.
    private var rest: [KeyRange]
    private var down: RangeScan?
    private var batch: EntryBatch?
    private var position = 0
    /// The walk through a group that is large.
    private var up: IndexCursor?
    private let group = EntryBuffer()
    /// Small groups that were turned round.
    private let groups = EntryBuffer()
    /// How many rows are gathered before they are given: few at first, since many walks want few.
    private var batchSize = 4

    /// From how many rows on a group is large.
    private static let limit = 64

    /// - Parameters:
    ///   - ranges: In ascending order.
    ///   - components: How many components the rows of a group have in common.
    ///   - entry: The entry behind which the walk begins.
    init(_ source: IndexReader, _ ranges: [KeyRange], components: Int, after entry: [UInt8]?) throws {
        self.source = source
        self.components = components
        self.ranges = ranges
        rest = ranges
        guard let entry else { return }
        let prefix = try ByteView.with(entry) { try source.prefix(of: $0, components: components) }
        climb(prefix, after: entry)
    }

    /// Goes on to the next rows, which hold until this is called again; nil at the end.
    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let rows = groups.next() { return rows }
            if let rows = try up?.next(atMost: limit) { return rows }
            up = nil
            guard try gather(atMost: limit) else { return nil }
        }
    }

    /// Takes the next groups: some small ones, or the beginning of a large one; whether there is any.
    private mutating func gather(atMost limit: Int) throws -> Bool {
        groups.removeAll()
        let wanted = min(limit, batchSize)
        // The row behind the last group tells that this is over.
        while groups.count < wanted, try hasRow(atMost: wanted + 1 - groups.count), let first = batch {
            let prefix = try source.prefix(of: first[position].key, components: components)
            group.removeAll()
            while try hasRow(atMost: wanted + 1 - groups.count), let batch,
                batch[position].key.starts(with: prefix)
            {
                let row = batch[position]
                // Rows of long entries have an order that a walk upwards knows to find.
                if group.count == Self.limit || row.key.count > IndexEntries.headSize {
                    climb(prefix, after: nil)
                    return true
                }
                group.append(row)
                position += 1
            }
            groups.append(backwards: group)
        }
        batchSize = min(2 * batchSize, EntryBatch.capacity)
        return groups.count > 0
    }

    /// Goes through a group upwards; then what lies below it is left.
    private mutating func climb(_ prefix: [UInt8], after entry: [UInt8]?) {
        let part = ranges.compactMap { $0.intersection(KeyRange(prefix: prefix)) }
        up = IndexCursor(source, part, isDescending: false, order: .groups(components: components), after: entry)
        rest = ranges.compactMap { $0.intersection(KeyRange(lower: [], upper: prefix)) }
        down = nil
        batch = nil
        position = 0
    }

    /// Whether there is a row at the position, which is fetched where it has to be.
    private mutating func hasRow(atMost limit: Int) throws -> Bool {
        while position >= batch?.count ?? 0 {
            position = 0
            batch = try down?.next(atMost: limit)
            if batch != nil { continue }
            guard let range = rest.popLast() else { return false }
            let backwards = ScanRange(from: range.lower, upTo: range.upper, isDescending: true)
            down = try source.keyspace.scan(source.target.database, backwards)
        }
        return true
    }
}
