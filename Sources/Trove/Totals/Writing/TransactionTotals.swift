// The changes of totals in a write transaction, from the first change to the next read of totals, or to the commit.
//
// A change of a record adds to the totals of its group in memory. A flush adds these to the stored rows, in the order
// of the groups. So many records of few groups write few rows.
//
//     depth    0 the transaction · 1 a nested transaction · 2 a nested transaction of that
//     layers   for each depth, the changes that are not written yet
//     lent     for each depth, the changes of lower layers that a flush at this depth has written
//
// A flush writes the changes of all layers. If its nested transaction is undone, the rows are undone with it, and the
// lower layers get their changes back.

import LMDB
import TroveCoding

/// The changes of the totals of a transaction and of its nested transactions.
final class TransactionTotals: TransactionPart {
    /// The changes of an index.
    private struct Changes {
        let totals: OpenTotals
        var groups: [[UInt8]: GroupTotals] = [:]

        mutating func add(_ other: Changes) {
            if groups.isEmpty { return groups = other.groups }
            for (group, change) in other.groups {
                // Both have the sums of the same index.
                _ = groups[group, default: GroupTotals(sums: change.columns.count)].add(change)
            }
        }

        /// Adds the numbers of a record to its group, or takes them away. Returns whether the group is new.
        mutating func apply(
            _ group: [UInt8], _ numbers: [SumColumn.Summand?], _ sign: Int, _ isOfOneFamily: inout Bool
        ) -> Bool {
            let before = groups.count
            groups[group, default: GroupTotals(sums: numbers.count)].apply(numbers, sign, &isOfOneFamily)
            return groups.count > before
        }
    }

    private typealias Layer = [TableName: Changes]

    private var layers: [Layer] = []
    private var lent: [[Layer]] = []
    /// The progress of the builds; empty after a change of it that this part has not made.
    private var progress: [TableName: CountedRecords] = [:]

    /// The number of the groups of all layers.
    private var groupCount = 0
    /// The number of groups from which on a change flushes. Tests set it.
    var groupLimit = 100_000

    init(in context: TransactionContext) { grow(to: context.depth) }

    private func grow(to depth: Int) {
        while layers.count <= depth {
            layers.append([:])
            lent.append([])
        }
    }

    // MARK: Nested transactions

    func beginNested(_ context: TransactionContext) {
        grow(to: context.depth)
        progress = [:]
    }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        progress = [:]
        let depth = context.depth
        guard layers.count > depth + 1 else { return }
        let (ended, written) = (layers.removeLast(), lent.removeLast())
        if isCommitted {
            Self.add(ended, to: &layers[depth])
            // What the layer of this depth has lent is written in its own transaction now.
            Self.add(Array(written.prefix(depth)), to: &lent[depth])
        } else {
            for (place, layer) in written.enumerated() { Self.add(layer, to: &layers[place]) }
        }
        countGroups()
    }

    private func countGroups() {
        groupCount = layers.reduce(0) { count, layer in layer.values.reduce(count) { $0 + $1.groups.count } }
    }

    private static func add(_ other: Layer, to layer: inout Layer) {
        for (name, changes) in other { layer[name, default: Changes(totals: changes.totals)].add(changes) }
    }

    private static func add(_ others: [Layer], to layers: inout [Layer]) {
        for (place, layer) in others.enumerated() {
            if place == layers.count { layers.append([:]) }
            add(layer, to: &layers[place])
        }
    }

    /// Takes the changes of some indexes from all layers. The lower layers get theirs back if the transaction is
    /// undone.
    ///
    /// - Parameter depth: The depth of the transaction that writes or drops the changes.
    private func take(at depth: Int, _ isTaken: (TableName) -> Bool = { _ in true }) -> Layer {
        var all: Layer = [:]
        for place in 0...depth {
            let taken = layers[place].filter { isTaken($0.key) }
            if taken.isEmpty { continue }
            for name in taken.keys { layers[place][name] = nil }
            Self.add(taken, to: &all)
            guard place < depth else { continue }
            while lent[depth].count <= place { lent[depth].append([:]) }
            Self.add(taken, to: &lent[depth][place])
        }
        countGroups()
        return all
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
        let depth = context.depth
        var isOfOneFamily = true
        try ByteView.with(value) { value in
            var numbers = [SumColumn.Summand?](repeating: nil, count: sums)
            guard let group = SumColumn.forEachFromEnd(sums, of: value, { numbers[$0] = $1 }) else {
                throw totals.rows.damaged([])
            }
            let isNew = layers[depth][totals.name, default: Changes(totals: totals)]
                .apply(group.copy(), numbers, sign, &isOfOneFamily)
            if isNew { groupCount += 1 }
        }
        guard isOfOneFamily else { throw totals.rows.damaged(Array(value)) }
        if groupCount > groupLimit { try flush(in: context) }
    }

    /// Forgets the changes of an index, whose rows are removed.
    func forget(_ name: TableName, in context: TransactionContext) {
        _ = take(at: context.depth) { $0 == name }
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
        guard groupCount > 0 else { return }
        let taken = take(at: context.depth) { prefix ?? $0.keyPrefix == $0.keyPrefix }
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
