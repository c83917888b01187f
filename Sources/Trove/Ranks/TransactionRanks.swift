// The changes of the entries of ranked indexes in a write transaction that are not counted yet.
//
// They are counted in the order of the entries, before the next read of counts and before the commit. So many changes
// write few rows.

import LMDB
import TroveCoding

/// The changes of a transaction and of its nested transactions.
final class TransactionRanks: TransactionPart {
    /// The changes of an index: each is the key of a stored entry, and a byte that says whether the entry is new.
    private struct Changes: GatheredChanges {
        let ranks: OpenRanks
        var entries = EntrySorter()

        var count: Int { entries.places.count }

        mutating func add(_ later: Changes) { entries.add(later.entries) }
    }

    private static let removed: [UInt8] = [0]
    private static let added: [UInt8] = [1]

    private var changes = ChangeLayers<Changes>()
    /// The number of changes from which on a change is counted at once. Tests set it.
    var limit = 100_000

    init(in context: TransactionContext) { changes.grow(to: context.depth) }

    func beginNested(_ context: TransactionContext) { changes.grow(to: context.depth) }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        changes.endNested(of: context.depth, isCommitted: isCommitted)
    }

    /// Notes that an entry is stored, or removed.
    ///
    /// - Parameter entry: The key of the stored entry.
    func note(_ entry: ByteView, isNew: Bool, of ranks: OpenRanks, in context: TransactionContext) throws {
        changes.change(ranks.name, at: context.depth, default: Changes(ranks: ranks)) { changes in
            ByteView.with(isNew ? Self.added : Self.removed) { sign in
                changes.entries.add(sign) { writer in
                    entry.withSpan { writer.writeBytes($0) }
                    return true
                }
            }
        }
        if changes.count >= limit { try flush(in: context) }
    }

    /// Forgets the changes of an index whose rows are removed.
    func forget(_ name: TableName, in context: TransactionContext) {
        _ = changes.take(at: context.depth) { $0 == name }
    }

    func flush(in context: TransactionContext) throws {
        guard changes.count > 0 else { return }
        let taken = changes.take(at: context.depth) { _ in true }
        for (_, changes) in taken.sorted(by: { $0.key.text < $1.key.text }) {
            // The entries are written already: without their counts, they must not be committed.
            try context.poisoningIfDamaged(changes.ranks.counts.database) {
                try RankWriter(changes.ranks, context.keyspace).apply(changes.entries.rankChanges(changes.ranks))
            }
        }
    }
}

extension EntrySorter {
    /// Returns the changes in the order of their entries. Changes that undo each other are left out.
    fileprivate func rankChanges(_ ranks: OpenRanks) -> [RankChange] {
        var sorted = self
        sorted.sort()
        var changes: [RankChange] = []
        var (entry, difference): (ArraySlice<UInt8>, Int) = ([], 0)
        func end() {
            if difference == 0 { return }
            let level = ByteView.with(entry) { ranks.level($0) }
            changes.append(RankChange(entry: Array(entry), level: level, difference: difference))
        }
        for index in sorted.indices {
            let next = sorted.value(of: index)
            if next != entry {
                end()
                (entry, difference) = (next, 0)
            }
            difference += sorted.recordKey(of: index).first == 1 ? 1 : -1
        }
        end()
        return changes
    }
}

extension TransactionContext {
    /// The changes of ranked indexes.
    var ranks: TransactionRanks { part(TransactionRanks.self) }
}
