// The keys of a query's matches, as owners of links or as a walk over a source.

import LMDB
import TroveCoding

/// The keys found by a run of a query, in its order.
final class FoundKeys<Record: IndexKeyRecord>: OwnerStream, SourceKeyWalk {
    /// The keys in the query's order, if the result had to be sorted.
    private let sorted: KnownOwners?
    private var scan: FilterCursor<Record>?
    private var matches: Matches?

    init(_ run: QueryRun<Record>, _ context: ReadContext) throws {
        if run.sorts {
            sorted = KnownOwners(try run.collectSorted(context) { matches, index, _ in matches[index].key.copy() })
            scan = nil
        } else {
            sorted = nil
            // Other tables are read between two batches, so the scan must not lock the transaction.
            scan = try run.scan(context, mayWrite: true)
        }
    }

    func next() throws -> [UInt8]? { try sorted.map { $0.next() } ?? nextMatch()?.copy() }

    func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
        let start = keys.count
        while keys.count - start < limit {
            if let sorted {
                guard let key = sorted.next() else { break }
                ByteView.with(key) { keys.append(key: $0) }
            } else {
                guard let key = try nextMatch() else { break }
                keys.append(key: key)
            }
        }
        return keys.count > start
    }

    /// Returns the next key of the scan, valid until the next call; nil at the end.
    private func nextMatch() throws -> ByteView? {
        while true {
            if let index = matches?.popFirst() { return matches?[index].key }
            matches = try scan?.next()
            if matches == nil { return nil }
        }
    }
}

extension Query {
    /// Returns the keys of the matches in the query's order; nil if the store has no table for the type.
    ///
    /// - Parameter plan: The plan to find them.
    func foundKeys(by plan: QueryPlan, in context: ReadContext) throws -> FoundKeys<Record>? {
        let planner = try planner()
        guard let table = try table(planner, context) else { return nil }
        let run = try QueryRun(self, plan: plan, planner: planner, table: table, in: context, for: .keys)
        return try FoundKeys(run, context)
    }

    /// Returns the plan to find the keys of the matches.
    func keyPlan(in context: ReadContext) throws -> QueryPlan {
        let planner = try planner()
        return try plan(by: planner, table: table(planner, context), in: context, for: .keys)
    }

    private func table(_ planner: Planner, _ context: ReadContext) throws -> RecordTable? {
        try context.table(for: Record.schema, reading: recordRanges(by: planner))
    }
}
