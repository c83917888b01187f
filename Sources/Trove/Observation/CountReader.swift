// The reader of the observed number of a query's matches.
//
//     few matches      their keys are kept: a change of another record wakes no loop, and only changed records are read
//     more matches     the number alone is kept: a change in the query's key ranges wakes the loop, which counts again

import LMDB
import TroveCoding

/// Reads the number of a query's matches. Whether a record matches is decided by the record itself.
final class CountReader<Record: IndexKeyRecord>: ObservedReader {
    /// The maximum number of matches whose keys are kept.
    static var keyLimit: Int { 1_000 }

    /// The matches in key order; none if they are too many, or before the first read. One more than the limit shows
    /// that they are.
    private let rows: ObservedRows<Record>
    private let offset: Int
    private let limit: Int?
    private var hasMany = false
    private var count: Int?

    /// Creates the reader of a query; nil if more than a record itself decides whether it matches.
    ///
    /// - Throws: The query's error, including errors of its order.
    init?(_ query: Query<Record>) throws {
        try query.check()
        (offset, limit) = (max(0, query.offset), query.limit.map { max(0, $0) })
        var matches = query
        // The number of matches does not depend on the order.
        matches.removeOrder()
        (matches.offset, matches.limit) = (0, nil)
        rows = try ObservedRows(matches, keepsRecords: false)
        guard rows.source.isPatchable else { return nil }
        let most = Self.keyLimit + 1
        rows.limit = min(most, min(limit ?? most, most) + min(offset, most))
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        // A patch of few records depends on all of them.
        context.readRegion?.note(rows.source.ranges, of: Record.schema.keyPrefix)
        let new = try number(in: context, step.changes.keys(of: Record.schema.keyPrefix))
        defer { count = new }
        return new != count
    }

    private func number(in context: ReadContext, _ changed: ChangedKeys.Keys) throws -> Int {
        if hasMany {
            let number = try counted(in: context)
            if number > Self.keyLimit { return number }
        }
        _ = try rows.update(in: context, changed)
        hasMany = rows.count > Self.keyLimit
        guard hasMany else { return max(0, min(limit ?? .max, rows.count - offset)) }
        rows.forget()
        return try counted(in: context)
    }

    private func counted(in context: ReadContext) throws -> Int {
        var query = rows.source.query
        query.removeOrder()
        (query.offset, query.limit) = (offset, limit)
        return try query.count(in: context)
    }

    func value() throws -> Int {
        guard let count else { throw CancellationError() }
        return count
    }

    func mayChange(in round: Round) throws -> Bool { try rows.mayChange(in: round) }
}
