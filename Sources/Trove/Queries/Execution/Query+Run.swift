// The running of a query: records, one record, a walk, keys, a count.

import LMDB
import TroveCoding

extension Query {
    /// The records that the query finds, in its order.
    ///
    /// - Parameter source: A context, or a store.
    @inlinable
    public func resolve(in source: some RecordReadable) throws -> [Record] {
        try collect(in: source) { matches, index, table in
            try Record.decode(matches[index], table)
        }
    }

    /// The first record that the query finds, in its order; nil where there is none.
    @inlinable
    public func first(in source: some RecordReadable) throws -> Record? { try single.resolve(in: source).first }

    /// The keys of the records that the query finds, whose fields are not decoded.
    @inlinable
    public func keys(in source: some RecordReadable) throws -> [Record.IndexKey] {
        try collect(in: source, .keys) { matches, index, table in
            let key = matches[index].key
            do throws(CodingError) {
                var reader = KeyReader(key)
                let recordKey = try Record.IndexKey(decodingKey: &reader)
                try reader.finish()
                return recordKey
            } catch {
                throw table.corrupted(key, error)
            }
        }
    }

    /// Calls a closure with each record that the query finds, in its order.
    ///
    /// Records are decoded one at a time, in constant memory, unless they have to be sorted: then all that are wanted are
    /// known before the first is given.
    ///
    /// In a write transaction the closure may write. What an index finds is known by its keys then, before the first
    /// record is given.
    @inlinable
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> Void) throws {
        try visit(in: source) { record in
            try body(record)
            return .continue
        }
    }

    /// Calls a closure with each record that the query finds, until it says `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    @inlinable
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        try visit(in: source, body)
    }

    /// How many records the query finds. None is decoded; of a range of keys not even values are looked at.
    public func count(in source: some RecordReadable) throws -> Int {
        try source.reading { context in
            guard let run = try QueryRun(unsorted(), context, .count) else { return 0 }
            return try run.count(context)
        }
    }

    /// Whether the query finds any record; none is decoded.
    public func exists(in source: some RecordReadable) throws -> Bool { try single.count(in: source) > 0 }

    /// The same query for the first of its records alone.
    @usableFromInline
    var single: Query { limit(Swift.min(limit ?? 1, 1)) }

    /// The same query without its order, where that says nothing about which records are found.
    ///
    /// - Throws: What is wrong with the query, its order included.
    @usableFromInline
    func unsorted() throws -> Query {
        try check()
        guard continuation == nil, limit == nil, offset == 0 else { return self }
        return sorted(by: [])
    }
}

// MARK: What generic code asks for

extension Query {
    /// Makes an element of each record that the query finds, in its order.
    @inlinable
    func collect<Element>(
        in source: some RecordReadable, _ need: QueryNeed = .records,
        _ make: (Matches, Int, RecordTable) throws -> Element
    ) throws -> [Element] {
        try source.reading { context in
            guard let run = try QueryRun(self, context, need) else { return [] }
            return try run.collect(context, make)
        }
    }

    @inlinable
    func visit(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        try source.reading { context in
            guard let run = try QueryRun(self, context, .each) else { return }
            try run.forEach(context) { matches, index, table in
                try body(Record.decode(matches[index], table))
            }
        }
    }
}

/// What is asked of the records that a query finds.
@usableFromInline
enum QueryNeed: Sendable {
    case records
    /// One record after the other, and perhaps not all of them.
    case each
    case keys
    /// Only how many they are: it is the same in any order.
    case count
}

/// One run of a query in a transaction.
@usableFromInline
struct QueryRun<Record: IndexKeyRecord> {
    @usableFromInline let table: RecordTable
    let plan: QueryPlan
    private let filter: FilterTree
    private let need: QueryNeed
    private let sort: [SortKey<Record>]
    /// The entry behind which the walk begins.
    let start: [UInt8]?
    /// The record behind which the sorted ones begin.
    private let startRecord: CurrentRecord?

    /// - Returns: Nil where the type has no table.
    @usableFromInline
    init?(_ query: Query<Record>, _ context: ReadContext, _ need: QueryNeed = .records) throws {
        let planner = try query.planner()
        guard let table = try context.table(for: Record.schema) else { return nil }
        try self.init(query, query.plan(planner, table, context, need), planner, table, context, need)
    }

    init(
        _ query: Query<Record>, _ plan: QueryPlan, _ planner: Planner, _ table: RecordTable, _ context: ReadContext,
        _ need: QueryNeed
    ) throws {
        let place = try PageStart(query.continuation, plan, planner, table, context, Record.self)
        self.table = table
        self.plan = plan
        filter = planner.filter
        self.need = need
        sort = plan.sorts ? query.sort : []
        start = place.entry
        startRecord = place.record
    }

    /// Whether what is found has to be sorted.
    @usableFromInline
    var sorts: Bool { plan.sorts }

    @usableFromInline
    var offset: Int { plan.offset }

    /// The walk over what matches.
    @usableFromInline
    func scan(
        _ context: ReadContext, readsProperties: Bool = false, mayWrite: Bool = false
    ) throws -> FilterCursor<Record> {
        try FilterCursor(
            context, table, plan, after: start, readsProperties: readsProperties || plan.sorts,
            keysSuffice: need == .keys || need == .count, mayWrite: mayWrite)
    }

    @usableFromInline
    func sorter() throws -> MatchSorter<Record> {
        try MatchSorter(sort, table, wanted: plan.wanted, after: startRecord)
    }

    @inlinable
    func collect<Element>(
        _ context: ReadContext, readsProperties: Bool = false, _ make: (Matches, Int, RecordTable) throws -> Element
    ) throws -> [Element] {
        if sorts { return try collectSorted(context, make) }
        var elements: [Element] = []
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
        return sorter.sorted.places(from: offset).map { elements[$0] }
    }

    /// Calls a closure with each record that is found, until it says `.stop`.
    @inlinable
    func forEach(_ context: ReadContext, _ body: (Matches, Int, RecordTable) throws -> ScanControl) throws {
        if mayMove(context) { return try forEachKey(context, body) }
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

    /// Whether what the closure changes can be among what is to come.
    @usableFromInline
    func mayMove(_ context: ReadContext) -> Bool {
        !context.core.isReadOnly && (plan.sorts || plan.scansIndexes)
    }

    /// Gathers the keys of what is found, and then looks up one record after the other: the closure may write.
    @usableFromInline
    func forEachKey(_ context: ReadContext, _ body: (Matches, Int, RecordTable) throws -> ScanControl) throws {
        let keys = EntryBuffer()
        if plan.sorts {
            for key in try collectSorted(context, { matches, index, _ in matches[index].key.copy() }) {
                ByteView.with(key) { keys.append(key: $0) }
            }
        } else {
            var scan = try FilterCursor<Record>(
                context, table, plan, after: start, readsProperties: false, keysSuffice: true, mayWrite: false)
            while var matches = try scan.next() {
                while let index = matches.popFirst() { keys.append(key: matches[index].key) }
            }
        }
        let test = filter.test()
        while let batch = keys.next() {
            for index in 0..<batch.count {
                var record: CurrentRecord?
                let key = batch[index].key
                _ = try translatingErrors {
                    try key.withSpan { keyBytes in
                        try context.keyspace.withValue(table.database, keyBytes) { value in
                            ByteView.with(value) { record = CurrentRecord(copying: Entry(key, $0)) }
                        }
                    }
                }
                // What the closure has removed meanwhile, or changed so that it does not match, is passed over.
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

    /// How many records are found.
    func count(_ context: ReadContext) throws -> Int {
        if plan.sorts { return try collectSorted(context) { _, _, _ in () }.count }
        if plan.isRangesAlone, start == nil {
            let keys = ScanPlan(plan.ranges, .ascending, limit: plan.wanted, after: nil)
            return max(0, try context.count(table.database(of: plan.table), keys) - plan.offset)
        }
        var count = 0
        var scan = try scan(context)
        while let matches = try scan.next() { count += matches.bits.nonzeroBitCount }
        return count
    }
}
