// A cursor over matching records: batches, with a bit for each match.

import LMDB
import TroveCoding

/// A cursor over the matching records of a plan, from its offset to its limit.
@usableFromInline
struct FilterCursor<Record: IndexKeyRecord>: ~Copyable {
    @usableFromInline let table: RecordTable
    private var records: CursorTree
    private let test: FilterTest?
    private let readsProperties: Bool
    private var offset: Int
    private var remaining: Int
    private var batch: EntryBatch?
    private var position = 0
    /// The last returned record of an older layout, in the current layout.
    private var converted: CurrentRecord?

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - plan: The plan. Its limit and its offset count, unless the matches will be sorted.
    ///   - start: The entry after which to begin.
    ///   - readsProperties: Whether properties of the matches will be read, which requires the current layout.
    ///   - keysSuffice: Whether only the keys of the matches will be read.
    ///   - mayWrite: Whether the caller writes while it reads matches.
    init(
        _ context: ReadContext, _ table: RecordTable, _ plan: QueryPlan, after start: [UInt8]?, readsProperties: Bool,
        keysSuffice: Bool, mayWrite: Bool
    ) throws {
        let filters = plan.filtersByKeys
        let keyTest = try FilterTest(filters.ofKeys, in: context)
        let test = try FilterTest(filters.others, in: context)
        // A scan for reading locks a write transaction.
        let mayWrite = mayWrite || !context.core.isReadOnly && (keyTest ?? test)?.readsOtherTables == true
        records = try CursorTree(
            plan, of: Record.self, context, table,
            limit: test == nil && keyTest == nil && !plan.sorts ? plan.wanted : nil,
            after: start, readsRecords: !keysSuffice || readsProperties || test?.readsProperties == true || plan.sorts,
            keyTest: keyTest, mayWrite: mayWrite)
        self.table = table
        self.test = test
        self.readsProperties = readsProperties || test?.readsProperties == true
        offset = plan.sorts ? 0 : plan.offset
        remaining = plan.sorts ? .max : max(0, plan.limit ?? .max)
    }

    /// Creates a cursor over the matches of a filter among the records of given keys. Keys without a record are left
    /// out.
    ///
    /// - Parameter readsProperties: Whether properties of the matches will be read.
    init(
        _ context: ReadContext, _ table: RecordTable, keys: EntryBuffer, _ filter: FilterTree, readsProperties: Bool
    ) throws {
        records = .keys(
            KeyFetch(context.keyspace, table, limit: nil, readsRecords: true) { _ in
                nil
            } collectKeys: {
                keys
            })
        self.table = table
        test = try FilterTest(filter, in: context)
        self.readsProperties = readsProperties || test?.readsProperties == true
        (offset, remaining) = (0, .max)
    }

    /// Returns the next matches, valid until the next call; nil at the end.
    @usableFromInline
    mutating func next() throws -> Matches? {
        while remaining > 0 {
            guard let batch, position < batch.count else {
                position = 0
                batch = try records.next()
                if batch == nil { return nil }
                continue
            }
            var matches = try readsProperties ? tested(batch) : testedByKeys(batch)
            matches.trim(&offset, &remaining)
            if matches.bits != 0 { return matches }
        }
        return nil
    }

    /// Tests all records, of any layout. The test reads no properties.
    private mutating func testedByKeys(_ batch: EntryBatch) throws -> Matches {
        position = batch.count
        guard test != nil else { return Matches(all: batch) }
        var run = RecordRun(batch)
        return Matches(batch, bits: try bits(of: &run))
    }

    /// Tests the records of the current layout up to the next older one, or else that one.
    private mutating func tested(_ batch: EntryBatch) throws -> Matches {
        var run = try RecordRun(batch, from: position, table)
        if run.count > 0 {
            let records = batch.part(position..<position + run.count)
            position += run.count
            return Matches(records, bits: try bits(of: &run))
        }
        let record = try CurrentRecord(Record.decode(batch[position], table), table)
        position += 1
        converted = record
        var single = RecordRun(record.matches.batch)
        return Matches(record.matches.batch, bits: try bits(of: &single))
    }

    private func bits(of run: inout RecordRun) throws -> UInt64 {
        let all = run.all
        guard let test else { return all }
        do {
            return try test.bits(&run, among: all)
        } catch let error as CodingError {
            throw run.corrupted(table, error)
        }
    }
}

extension QueryPlan {
    /// The filter in two parts: the conditions that an index tests on keys before it looks up records, and the rest.
    fileprivate var filtersByKeys: (ofKeys: FilterTree, others: FilterTree) {
        guard case .index = path.kind, merged == nil, source == nil, filter.hasKeyConditions else {
            return (.everything, filter)
        }
        let parts = filter.conjuncts
        return (
            .and(FilterParts(parts.filter(\.isOfKeys))), .and(FilterParts(parts.filter { !$0.isOfKeys }))
        )
    }
}

extension FilterTree {
    /// Whether other tables alone decide the tree, by keys.
    fileprivate var isOfKeys: Bool {
        switch self {
        case .keys: true
        case .condition, .closure: false
        case .and(let parts), .or(let parts): parts.all.allSatisfy(\.isOfKeys)
        case .not(let part): part.isOfKeys
        }
    }
}
