// The matches of a query as rows of an observed list.

import LMDB
import TroveCoding

/// A match of a query, with its place in the query's order.
struct QueryRow<Record: IndexKeyRecord> {
    var row: RowKeys.Row
    /// The record; nil if records are not kept.
    var record: Record?
}

/// Reads the matches of a query as rows.
struct RowSource<Record: IndexKeyRecord> {
    /// The query, with an order: the order of the keys, if it had none. It has no limit.
    let query: Query<Record>
    /// Whether each match is decided by its own record, and has a place that its bytes show: then the rows of changed
    /// records alone can be read again.
    let isPatchable: Bool
    /// The ranges of the keys of all matches.
    let ranges: [KeyRange]
    /// Whether records are kept. If not, their contents do not count: all hashes are equal.
    let keepsRecords: Bool
    /// The test of a record; nil if the source is not patchable, and if every record matches.
    private let test: RunTest?

    /// - Throws: The query's error.
    init(_ query: Query<Record>, keepsRecords: Bool) throws {
        var query = (keepsRecords ? query : query.withoutRequests).inSomeOrder
        query.limit = nil
        self.query = query
        self.keepsRecords = keepsRecords
        isPatchable =
            query.continuation == nil && query.offset <= 0 && query.source == nil && query.otherOrder == nil
            && query.scoreOrder == nil && !query.filter.tree.hasKeyConditions && !query.hasNestedRequests
        test = isPatchable ? query.conditions.test() : nil
        ranges = try query.recordRanges(by: query.planner())
    }

    /// What decides the order of the rows.
    var order: RowKeys.Order {
        guard isPatchable else { return .unknown }
        return query.sort.isEmpty ? .keys(isDescending: query.keyOrder == .descending) : .places
    }

    /// Returns the rows of the matches, in the query's order.
    ///
    /// - Parameters:
    ///   - record: The record after which the rows begin; nil for the first rows.
    ///   - limit: The maximum number of rows.
    func rows(after record: Record? = nil, limit: Int?, in context: ReadContext) throws -> [QueryRow<Record>] {
        var query = query
        query.limit = limit
        if record != nil { query.goOn(after: record) }
        let readsRecords = keepsRecords || !query.sort.isEmpty
        // All matches are sorted by their places, so their order needs no index.
        let isSortedHere = isPatchable && limit == nil && record == nil
        if isSortedHere { query.removeOrder() }
        return try context.logged(query) { trace in
            guard let run = try QueryRun(query, in: context, for: readsRecords ? .records : .keys, trace: &trace) else {
                return []
            }
            var reader = reader(run.table)
            if run.sorts {
                for record in try run.collectSorted(context, CurrentRecord.init(copying:_:_:)) {
                    try reader.read(record.matches)
                }
            } else {
                var scan = try run.scan(context, readsProperties: readsRecords)
                while let matches = try scan.next() { try reader.read(matches) }
            }
            return try isSortedHere ? sorted(reader.rows) : completed(reader.rows, in: context)
        }
    }

    /// Returns whether reading rows may visit more than ``shortLimit`` records.
    ///
    /// - Parameters:
    ///   - record: The record after which the rows begin; nil for the first rows.
    ///   - limit: The maximum number of rows.
    func mayBeLong(after record: Record? = nil, limit: Int?, in context: ReadContext) throws -> Bool {
        guard let table = try context.table(for: Record.schema, reading: ranges),
            try context.keyspace.count(table.database) > RowSource.shortLimit
        else { return false }
        guard let limit, limit <= RowSource.shortLimit, query.offset <= 0 else { return true }
        var query = query
        query.limit = limit
        if record != nil { query.goOn(after: record) }
        let plan = try query.plan(by: query.planner(), table: table, in: context)
        if case .ties = plan.scanOrder { return true }
        return plan.sorts || !plan.isRangesAlone
    }

    /// The number of records that a reading may visit within a round of observation.
    static var shortLimit: Int { 1_000 }

    /// Returns the rows of the matches among the records with some keys, in the query's order. The source is patchable.
    func rows(of keys: [[UInt8]], decodes: Bool, in context: ReadContext) throws -> [QueryRow<Record>] {
        guard !keys.isEmpty, let table = try context.table(for: Record.schema, reading: ranges) else { return [] }
        let buffer = EntryBuffer()
        for key in keys { ByteView.with(key) { buffer.append(key: $0) } }
        var cursor = try FilterCursor<Record>(context, table, keys: buffer, query.conditions, readsProperties: true)
        var reader = reader(table)
        reader.decodes = decodes
        while let matches = try cursor.next() { try reader.read(matches) }
        return sorted(reader.rows)
    }

    /// Returns whether a record may match. The source is patchable.
    func mayMatch(_ record: CurrentRecord) -> Bool {
        guard let test else { return true }
        return withExtendedLifetime(record) {
            var run = RecordRun(record.matches.batch)
            do throws(CodingError) {
                return try test(&run) != 0
            } catch {
                // The next read throws.
                return true
            }
        }
    }

    private func reader(_ table: RecordTable) -> RowReader<Record> {
        RowReader(table: table, terms: isPatchable ? query.sort : [], hashes: keepsRecords, decodes: keepsRecords)
    }

    /// Sorts rows by their places.
    private func sorted(_ rows: [QueryRow<Record>]) -> [QueryRow<Record>] {
        let keys = RowKeys(order)
        let isSorted = rows.indices.dropFirst().allSatisfy {
            keys.precedes(rows[$0 - 1].row.place, rows[$0].row.place)
        }
        return isSorted ? rows : rows.sorted { keys.precedes($0.row.place, $1.row.place) }
    }

    /// Reads the requested relations of the rows' entities, and hashes the entities with them.
    private func completed(_ rows: [QueryRow<Record>], in context: ReadContext) throws -> [QueryRow<Record>] {
        guard query.hasNestedRequests else { return rows }
        let graphs = try query.completed(rows.compactMap(\.record), in: context)
        return try zip(rows, graphs).map { row, graph in
            var row = row
            row.record = graph
            row.row.hash = try ContentHash.of(graph)
            return row
        }
    }
}

/// Makes rows of matches.
private struct RowReader<Record: IndexKeyRecord> {
    let table: RecordTable
    let terms: [SortTerm]
    /// Whether contents count.
    let hashes: Bool
    var decodes: Bool
    private var bytes = SortBytes()
    private(set) var rows: [QueryRow<Record>] = []

    init(table: RecordTable, terms: [SortTerm], hashes: Bool, decodes: Bool) {
        (self.table, self.terms, self.hashes, self.decodes) = (table, terms, hashes, decodes)
    }

    /// Adds rows for matches: in the current layout, unless their keys are enough.
    mutating func read(_ matches: Matches) throws {
        var run = RecordRun(matches.batch)
        do throws(CodingError) {
            try bytes.read(&run, matches.bits, terms)
        } catch {
            throw run.corrupted(table, error)
        }
        var matches = matches
        while let index = matches.popFirst() {
            let entry = matches[index]
            let row = RowKeys.Row(
                place: bytes.values[index], keySize: entry.key.count,
                hash: hashes ? ContentHash.of(StoredValue.fields(of: entry.value)) : 0)
            rows.append(QueryRow(row: row, record: decodes ? try Record.decode(entry, table) : nil))
        }
    }
}
