// The position of a record in the order of a query.

import LMDB
import TroveCoding

/// A request for the position of a record in a query's order: ``Query/rank(of:)``.
public struct RankRequest<Record: IndexKeyRecord>: StoreRequest {
    let query: Query<Record>
    let key: [UInt8]

    /// Returns the position, from 1 on; nil if the query does not find the record.
    public func value(in context: ReadContext) throws -> Int? { try query.rank(of: key, in: context) }
}

extension Query {
    /// Returns a request for the position of a record in the order of the query, from 1 on; nil if the query does not
    /// find the record.
    ///
    /// ```swift
    /// let rank = try Player.query().sorted(by: \.score.desc).rank(of: player).resolve(in: store)
    /// ```
    ///
    /// The record with the key of `record` counts, as it is stored. A query without an order is in key order. Records
    /// with equal values in the order have different ranks, in key order; the rank that they share is the number of
    /// records with better values, plus 1: `Player.filter(\.score > player.score).count`. A limit, an offset and a
    /// continuation do not count.
    ///
    /// - Complexity: O(log *n*) if a ranked index has the order, and its ranges express the whole filter: see
    ///   ``Index(_:ranked:where:)``; otherwise as for the keys of the query up to the record.
    public func rank(of record: Record) -> RankRequest<Record> { rank(ofKey: record.indexKey) }

    /// Returns a request for the position of the record with a key; see ``rank(of:)``.
    public func rank(ofKey key: Record.IndexKey) -> RankRequest<Record> {
        RankRequest(query: self, key: KeyWriter.bytes(of: key))
    }

    fileprivate func rank(of key: [UInt8], in context: ReadContext) throws -> Int? {
        let query = ranked()
        return try context.logged(query) { trace in
            guard let run = try QueryRun(query, in: context, for: .rank, trace: &trace) else { return nil }
            switch try run.position(of: key, in: context) {
            case .found(let position): return position + 1
            case .none: return nil
            case .unknown: return try run.position(ofKeyInScan: key, in: context).map { $0 + 1 }
            }
        }
    }

    /// The query for all matches, in an order.
    private func ranked() -> Query {
        var query = self
        (query.limit, query.offset, query.continuation) = (nil, 0, nil)
        if sort.isEmpty, keyOrder == nil, orderingClosure == nil, !isOrderedBySource { query.keyOrder = .ascending }
        return query
    }
}

/// The position of a record by the counts of entries.
private enum CountedPosition {
    /// The number of records before it.
    case found(Int)
    /// The query does not find the record.
    case none
    /// The counts do not tell.
    case unknown
}

extension QueryRun {
    /// Returns the position of a record by the counts of the entries.
    fileprivate func position(of key: [UInt8], in context: ReadContext) throws -> CountedPosition {
        guard case .index(let ordinal) = plan.path.kind, var ranks = try RankedPlan(plan, table, context) else {
            return .unknown
        }
        guard let record = try context.record(of: key, Record.self) else { return .none }
        let entry = Record.indexes[ordinal].value(of: record) + key
        if entry.count > IndexEntries.headSize { return .unknown }
        guard plan.ranges.contains(where: { $0.contains(entry) }) else { return .none }
        // A record that does not fulfill the condition of the index has no entry.
        let hasEntry = try translatingErrors {
            try context.keyspace.withEntry(table.indexes[ordinal].database, entry) { _, _ in }
        }
        return hasEntry ? .found(try ranks.position(of: entry)) : .none
    }

    /// Returns the position of the record with a key, from 0 on, by reading the keys up to it; nil if it is not found.
    fileprivate func position(ofKeyInScan key: [UInt8], in context: ReadContext) throws -> Int? {
        if sorts {
            return try collectSorted(context) { matches, index, _ in matches[index].key.compare(key) == 0 }
                .firstIndex(of: true)
        }
        var position = 0
        var scan = try scan(context)
        while var matches = try scan.next() {
            while let index = matches.popFirst() {
                if matches[index].key.compare(key) == 0 { return position }
                position += 1
            }
        }
        return nil
    }
}
