// A run of a query in a transaction.

import LMDB
import TroveCoding

/// A single run of a query in a transaction.
@usableFromInline
struct QueryRun<Record: IndexKeyRecord> {
    @usableFromInline let table: RecordTable
    let plan: QueryPlan
    private let filter: FilterTree
    private let need: QueryNeed
    private let sort: [SortTerm]
    /// The closure that orders the result, if it decides the order.
    private let orderingClosure: (@Sendable (Record, Record) -> Bool)?
    /// The entry after which the scan begins.
    let start: [UInt8]?
    /// The record after which the sorted result begins.
    private let startRecord: CurrentRecord?

    /// - Parameter trace: Receives the plan.
    /// - Returns: Nil if the store has no table for the type.
    @usableFromInline
    init?(
        _ query: Query<Record>, in context: ReadContext, for need: QueryNeed = .records, trace: inout QueryTrace
    ) throws {
        let planner = try query.planner()
        let table = try context.table(for: Record.schema, reading: query.recordRanges(by: planner))
        guard let table else { return nil }
        let plan = try query.plan(by: planner, table: table, in: context, for: need)
        trace.note(plan)
        try self.init(query, plan: plan, planner: planner, table: table, in: context, for: need)
    }

    init(
        _ query: Query<Record>, plan: QueryPlan, planner: Planner, table: RecordTable, in context: ReadContext,
        for need: QueryNeed
    ) throws {
        let place = try PageStart(
            after: query.continuation, plan: plan, planner: planner, table: table, in: context, of: Record.self)
        var plan = plan
        let skipped = need == .count || place.entry != nil ? nil : try plan.skipOffset(in: table, context)
        self.table = table
        self.plan = plan
        filter = planner.filter
        self.need = need
        sort = plan.sorts ? query.sort : []
        orderingClosure = plan.sorts ? query.orderingClosure : nil
        start = place.entry ?? skipped
        startRecord = place.record
    }

    /// Whether the result has to be sorted.
    @usableFromInline
    var sorts: Bool { plan.sorts }

    @usableFromInline
    var offset: Int { plan.offset }

    /// The number of matches needed, including skipped matches; nil without a limit.
    @usableFromInline
    var wanted: Int? { plan.wanted }

    /// Returns a cursor over the matches.
    @usableFromInline
    func scan(
        _ context: ReadContext, readsProperties: Bool = false, mayWrite: Bool = false
    ) throws -> FilterCursor<Record> {
        try FilterCursor(
            context, table, plan, after: start, readsProperties: readsProperties || plan.sorts,
            keysSuffice: need != .records && need != .each, mayWrite: mayWrite && !context.core.isReadOnly)
    }

    @usableFromInline
    func sorter() throws -> MatchSorter {
        if let orderingClosure {
            return MatchSorter(try ClosureSorter(orderingClosure, table, wanted: plan.wanted, after: startRecord))
        }
        return try MatchSorter(sort, table, wanted: plan.wanted, after: startRecord)
    }

    @inlinable
    func collect<Element>(
        _ context: ReadContext, readsProperties: Bool = false, _ make: (Matches, Int, RecordTable) throws -> Element
    ) throws -> [Element] {
        if sorts { return try collectSorted(context, make) }
        var elements: [Element] = []
        elements.reserveCapacity(min(wanted ?? 0, EntryBatch.capacity))
        var scan = try scan(context, readsProperties: readsProperties)
        while var matches = try scan.next() {
            while let index = matches.popFirst() { elements.append(try make(matches, index, table)) }
        }
        return elements
    }

    @inlinable
    func collectSorted<Element>(
        _ context: ReadContext, _ make: (Matches, Int, RecordTable) throws -> Element
    ) throws -> [Element] {
        var elements: [Element] = []
        var sorter = try sorter()
        var scan = try scan(context)
        while var matches = try scan.next() {
            try sorter.read(matches)
            while let index = matches.popFirst() {
                guard let place = sorter.insert(index) else { continue }
                let element = try make(matches, index, table)
                if place == elements.count { elements.append(element) } else { elements[place] = element }
            }
        }
        return sorter.places(from: offset).map { elements[$0] }
    }

    /// Calls a closure with each match, until it returns `.stop`.
    ///
    /// - Parameters:
    ///   - keysFirst: Whether the keys of the result are collected before the first call, so that no record is visited
    ///     that the closure adds.
    ///   - upcoming: Receives the keys of the result, and loses each before its call. Then the keys come first.
    ///   - replaced: Returns the value of a record to visit although the closure has removed it; nil if it is to be
    ///     skipped. Nil to skip all removed records.
    @inlinable
    func forEach(
        _ context: ReadContext, keysFirst: Bool = false, upcoming: UpcomingMatches? = nil,
        replaced: ((_ key: ByteView) -> [UInt8]?)? = nil,
        _ body: (Matches, Int, RecordTable) throws -> ScanControl
    ) throws {
        if keysFirst || upcoming != nil || replaced != nil || mayMove(context) {
            return try forEachKey(context, upcoming, replaced, body)
        }
        guard !sorts else {
            for record in try collectSorted(context, CurrentRecord.init(copying:_:_:)) {
                guard try body(record.matches, 0, table) == .continue else { return }
            }
            return
        }
        var scan = try scan(context, mayWrite: true)
        while var matches = try scan.next() {
            while let index = matches.popFirst() {
                guard try body(matches, index, table) == .continue else { return }
            }
        }
    }

    /// Whether writes of the closure can move entries that the scan has not reached yet.
    @usableFromInline
    func mayMove(_ context: ReadContext) -> Bool {
        !context.core.isReadOnly && (plan.sorts || plan.scansIndexes || plan.filter.hasKeyConditions)
    }

    /// Collects the keys of the result, then looks up each record before its call. So the closure may write.
    ///
    /// The record is tested again before a call; other tables count as they were when the keys were collected.
    @usableFromInline
    func forEachKey(
        _ context: ReadContext, _ upcoming: UpcomingMatches?, _ replaced: ((_ key: ByteView) -> [UInt8]?)?,
        _ body: (Matches, Int, RecordTable) throws -> ScanControl
    ) throws {
        let keys = EntryBuffer()
        func collect(_ key: ByteView) {
            keys.append(key: key)
            upcoming?.insert(key)
        }
        if plan.sorts {
            for key in try collectSorted(context, { matches, index, _ in matches[index].key.copy() }) {
                ByteView.with(key) { collect($0) }
            }
        } else {
            var scan = try FilterCursor<Record>(
                context, table, plan, after: start, readsProperties: false, keysSuffice: true, mayWrite: false)
            while var matches = try scan.next() {
                while let index = matches.popFirst() { collect(matches[index].key) }
            }
        }
        let test = filter.ofRecords.test()
        while let batch = keys.next() {
            for index in 0..<batch.count {
                var record: CurrentRecord?
                let key = batch[index].key
                upcoming?.remove(key)
                _ = try translatingErrors {
                    try key.withSpan { keyBytes in
                        try context.keyspace.withValue(table.database, keyBytes) { value in
                            ByteView.with(value) { record = CurrentRecord(copying: Entry(key, $0)) }
                        }
                    }
                }
                if record == nil, let value = replaced?(key) {
                    record = ByteView.with(value) { CurrentRecord(copying: Entry(key, $0)) }
                }
                // Skips a record that the closure has removed, or changed so that it no longer matches.
                guard let record, try passes(record, test) else { continue }
                let next = try withExtendedLifetime(record) { try body(record.matches, 0, table) }
                guard next == .continue else { return }
            }
        }
    }

    private func passes(_ record: CurrentRecord, _ test: RunTest?) throws -> Bool {
        guard let test else { return true }
        let isPresent = StoredValue.version(of: record.entry.value) == table.fieldsVersion
        let present = isPresent ? record : try CurrentRecord(record.decoded(table) as Record, table)
        return try withExtendedLifetime(present) {
            var run = present.matches.run(at: 0)
            do throws(CodingError) {
                return try test(&run) != 0
            } catch {
                throw run.corrupted(table, error)
            }
        }
    }

    /// Returns the number of matches up to the last one wanted, if the source of the records knows it without them.
    private func matchCount(_ context: ReadContext) throws -> Int? {
        guard let source = plan.source, plan.isExact, plan.keyRanges.isEverything, start == nil else { return nil }
        if case .matches = source.order { return nil }
        return try translatingErrors { try source.open(in: context).matchCount(atMost: plan.wanted ?? .max) }
    }

    /// Returns the number of matches.
    func count(_ context: ReadContext) throws -> Int {
        if plan.sorts { return try collectSorted(context) { _, _, _ in () }.count }
        if plan.isRangesAlone, start == nil {
            if plan.wanted ?? .max > RankReader.nearCount, var ranks = try RankedPlan(plan, table, context) {
                return try max(0, min(ranks.count(), plan.wanted ?? .max) - plan.offset)
            }
            let keys = ScanPlan(plan.ranges, .ascending, limit: plan.wanted, after: nil)
            return max(0, try context.count(table.database(of: plan.path), keys) - plan.offset)
        }
        if let count = try matchCount(context) { return max(0, count - plan.offset) }
        var count = 0
        var scan = try scan(context)
        while let matches = try scan.next() { count += matches.bits.nonzeroBitCount }
        return count
    }
}
