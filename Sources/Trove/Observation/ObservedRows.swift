// The rows of an observed query: patched where few records have changed, read again where many have.

import TroveCoding

/// The rows of a query in the state of a commit, and the means to bring them to the state of a later one.
///
/// A query whose matches are decided by their own records, in the order of keys or properties, is *patched*: only the
/// changed records are read, and take their places among the rows. It may have a limit: then the rows are a window of
/// the first matches, and rows that enter it at its end are read after its last row. All other queries run again, and
/// their rows are compared by key and contents.
///
/// Not thread-safe: one thread reads at a time.
///
/// A reading that has thrown may have changed the rows: they are to be read again as a whole.
final class ObservedRows<Record: IndexKeyRecord> {
    let source: RowSource<Record>
    /// The maximum number of rows; nil for all matches. After a change, ``update(in:_:)`` reads the missing rows.
    var limit: Int?
    /// The records of the rows; empty if they are not kept.
    var records: [Record] = []
    var keys: RowKeys
    /// Whether the rows are known to be all matches. If not, nothing is known of matches after the last row.
    var isComplete = false
    private var isRead = false
    /// Whether reading rows may visit many records. If not, it throws ``LongReading`` instead.
    var mayBeLong = true
    /// Whether a reading has thrown ``LongReading`` after it changed the rows.
    var isTorn = false

    /// Creates the rows of a query. It has none until they are read.
    ///
    /// - Parameters:
    ///   - query: The query. Without an order, rows are in key order.
    ///   - keepsRecords: Whether ``records`` are kept. If not, only the keys of the rows and their order count.
    /// - Throws: The query's error.
    init(_ query: Query<Record>, keepsRecords: Bool = true) throws {
        source = try RowSource(query, keepsRecords: keepsRecords)
        limit = query.limit.map { max(0, $0) }
        keys = RowKeys(source.order)
    }

    var count: Int { keys.count }

    /// Whether there are as many rows as the limit allows.
    var isFull: Bool { limit.map { count >= $0 } ?? false }

    /// Returns the offset of the row with a key; nil if there is none, and if the query is not patched.
    func offset(ofKey key: [UInt8]) -> Int? { source.isPatchable ? keys.offset(ofKey: key) : nil }

    /// Reads all rows again.
    ///
    /// - Returns: The difference; nil if the rows are equal.
    @discardableResult
    func read(in context: ReadContext) throws -> RowsChange? {
        if !mayBeLong, try source.mayBeLong(limit: limit, in: context) { throw LongReading() }
        let rows = try source.rows(limit: limit, in: context)
        let new = RowKeys(source.order, rows.map(\.row))
        (isRead, isTorn) = (true, false)
        isComplete = limit.map { rows.count < $0 } ?? true
        guard let change = RowsChange(from: keys, to: new) else { return nil }
        keys = new
        records = source.keepsRecords ? rows.compactMap(\.record) : []
        return change
    }

    /// Forgets the rows. The next update reads them again, and until then any change of the type may change them.
    func forget() {
        (records, keys) = ([], RowKeys(source.order))
        (isComplete, isRead) = (false, false)
    }

    /// Brings the rows to the state of a later commit.
    ///
    /// - Parameters:
    ///   - context: The snapshot of that commit.
    ///   - changed: The keys of all records of the type changed since the state of the rows, and perhaps others.
    /// - Returns: The difference; nil if the rows are equal.
    /// - Complexity: O(*k* log *n*) for *k* changed records, if they are few and the query is patched.
    func update(in context: ReadContext, _ changed: ChangedKeys.Keys) throws -> RowsChange? {
        guard isRead, let touched = touchedKeys(changed), touched.count <= max(16, count / 8),
            isComplete || count > 0 && source.keepsRecords
        else { return try read(in: context) }
        return try patch(touched, in: context)
    }

    /// Returns whether changes may change the rows. It reads the changed records, and changes nothing.
    ///
    /// A record that does not match and is not among the rows changes nothing. Neither does a match after the last row
    /// of a full window.
    func mayChange(by changed: ChangedKeys.Keys, in context: ReadContext) throws -> Bool {
        guard isRead, let touched = touchedKeys(changed) else { return true }
        var missing = Set(touched)
        for found in try source.rows(of: touched, decodes: false, in: context) {
            missing.remove(found.row.key)
            if let offset = keys.offset(ofKey: found.row.key) {
                if keys[offset] != found.row { return true }
            } else if isComplete || !keys.isBehindLast(found.row.place) {
                return true
            }
        }
        return missing.contains { keys.contains(key: $0) }
    }

    /// Returns whether a round may change the rows; see ``mayChange(by:in:)``.
    ///
    /// The filter is tested on records that are read once a round, since most changes are of no interest to most
    /// observers.
    func mayChange(in round: Round) throws -> Bool {
        let changed = round.keys(of: Record.schema.keyPrefix)
        guard isRead, source.isPatchable, case .some(let touched, ranges: let touchedRanges) = changed,
            touchedRanges.isEmpty, touched.count <= 16
        else { return try mayChange(by: changed, in: round.context) }
        var suspects: [[UInt8]] = []
        for key in touched where try isSuspect(key, in: round) { suspects.append(key) }
        if suspects.isEmpty { return false }
        return try mayChange(by: .some(suspects), in: round.context)
    }

    /// Returns whether a changed record is among the rows, or may match now.
    func isSuspect(_ key: [UInt8], in round: Round) throws -> Bool {
        guard source.ranges.contains(where: { $0.contains(key) }) else { return false }
        if keys.contains(key: key) { return true }
        guard let record = try round.record(of: key, Record.self) else { return false }
        return source.mayMatch(record)
    }

    /// Returns the changed keys that the query may find, in order and each once; nil if the query is not patched, or
    /// the keys are not known one by one.
    private func touchedKeys(_ changed: ChangedKeys.Keys) -> [[UInt8]]? {
        guard source.isPatchable, case .some(let keys, let changedRanges) = changed,
            !changedRanges.contains(where: { range in source.ranges.contains { $0.intersection(range) != nil } })
        else { return nil }
        return Set(keys).filter { key in source.ranges.contains { $0.contains(key) } }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
