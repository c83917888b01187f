// The changes of totals in a write transaction, from the first change to the next read of totals, or to the commit.
//
// A change of a record adds to the totals of its group in memory. A flush adds these to the stored rows, in the order
// of the groups. So many records of few groups write few rows.

import LMDB
import TroveCoding

/// The changes of the totals of a transaction and of its nested transactions.
final class TransactionTotals: TransactionPart {
    /// The changes of an index.
    private struct Changes: GatheredChanges {
        let totals: OpenTotals
        var groups: [[UInt8]: GroupTotals] = [:]

        var count: Int { groups.count }

        mutating func add(_ later: Changes) {
            if groups.isEmpty { return groups = later.groups }
            for (group, change) in later.groups {
                // Both have the sums of the same index.
                _ = groups[group, default: GroupTotals(sums: change.columns.count)].add(change)
            }
        }
    }

    private var changes = ChangeLayers<Changes>()
    /// The progress of the builds; empty after a change of it that this part has not made.
    private var progress: [TableName: CountedRecords] = [:]
    /// The number of groups from which on a change flushes. Tests set it.
    var groupLimit = 100_000

    init(in context: TransactionContext) { changes.grow(to: context.depth) }

    // MARK: Nested transactions

    func beginNested(_ context: TransactionContext) {
        changes.grow(to: context.depth)
        progress = [:]
    }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        progress = [:]
        changes.endNested(of: context.depth, isCommitted: isCommitted)
    }

    // MARK: Changes

    /// Adds the numbers of a record to its group, or takes them away.
    ///
    /// - Parameters:
    ///   - value: The columns of the group, then those of the sums.
    ///   - sign: 1 or -1.
    func add(
        _ value: ArraySlice<UInt8>, _ sign: Int, to totals: OpenTotals, sums: Int, in context: TransactionContext
    ) throws {
        var isOfOneFamily = true
        try ByteView.with(value) { value in
            var numbers = [SumColumn.Summand?](repeating: nil, count: sums)
            guard let group = SumColumn.forEachFromEnd(sums, of: value, { numbers[$0] = $1 }) else {
                throw totals.rows.damaged([])
            }
            changes.change(totals.name, at: context.depth, default: Changes(totals: totals)) { changes in
                changes.groups[group.copy(), default: GroupTotals(sums: sums)].apply(numbers, sign, &isOfOneFamily)
            }
        }
        guard isOfOneFamily else { throw totals.rows.damaged(Array(value)) }
        if changes.count > groupLimit { try flush(in: context) }
    }

    /// Forgets the changes of an index, whose rows are removed.
    func forget(_ name: TableName, in context: TransactionContext) {
        _ = changes.take(at: context.depth) { $0 == name }
        progress[name] = nil
    }

    /// Forgets the progress of the build of an index, which has ended.
    func forgetProgress(_ name: TableName) { progress[name] = nil }

    /// Returns the progress of the build of an index.
    func counted(by totals: OpenTotals, _ keyspace: Keyspace) throws -> CountedRecords {
        if let known = progress[totals.name] { return known }
        let counted = try CountedRecords(totals, keyspace)
        progress[totals.name] = counted
        return counted
    }

    /// Moves the position of the build of an index.
    func move(_ totals: OpenTotals, to position: [UInt8], _ keyspace: Keyspace) throws {
        var counted = try counted(by: totals, keyspace)
        try counted.move(to: position)
        progress[totals.name] = counted
    }

    // MARK: Rows

    func flush(in context: TransactionContext) throws { try flush(of: nil, in: context) }

    /// Writes the pending changes of the totals of a type.
    fileprivate func flush(of prefix: UInt32?, in context: TransactionContext) throws {
        guard changes.count > 0 else { return }
        let taken = changes.take(at: context.depth) { prefix ?? $0.keyPrefix == $0.keyPrefix }
        for (_, changes) in taken.sorted(by: { $0.key.text < $1.key.text }) {
            // The records are written already: without their totals, they must not be committed.
            try context.poisoningIfDamaged(changes.totals.rows.database) { try write(changes, context.keyspace) }
        }
    }

    private func write(_ changes: Changes, _ keyspace: Keyspace) throws {
        let rows = changes.totals.rows
        var row: [UInt8] = []
        let groups = changes.groups.filter { !$0.value.isZero }
        for (group, change) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let key = GroupTotals.key(of: group)
            var totals = change
            if let content = try rows.verifiedContent(key, keyspace) {
                let stored = try rows.reading(key) { () throws(CodingError) in
                    try GroupTotals.read(content, key: key, sums: change.columns.count)
                }
                guard stored.group == group, totals.add(stored.totals) else { throw rows.damaged(key) }
            }
            guard totals.isPossible else { throw rows.damaged(key) }
            guard !totals.isZero else {
                try keyspace.delete(rows.database, key)
                continue
            }
            StoredRow.begin(&row)
            totals.append(to: &row, of: group)
            try rows.put(key, &row, keyspace, mode: .replace)
        }
    }
}

extension GroupTotals {
    /// Adds the numbers of a record, or takes them away.
    fileprivate mutating func apply(_ numbers: [SumColumn.Summand?], _ sign: Int, _ isOfOneFamily: inout Bool) {
        count += sign
        for (column, number) in numbers.enumerated() {
            if !add(number, to: column, sign) { isOfOneFamily = false }
        }
    }
}

extension TransactionContext {
    /// The changes of totals.
    var totals: TransactionTotals { part(TransactionTotals.self) }

    /// Writes the pending changes of the totals of a type.
    func flushTotals(of prefix: UInt32) throws {
        guard let totals = parts.known(TransactionTotals.self) else { return }
        try translatingErrors { try totals.flush(of: prefix, in: self) }
    }
}
