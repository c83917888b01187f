// The history of a write transaction: its changes are gathered in memory, and become rows before the commit.
//
//     change       a record is inserted, updated or deleted
//     isFull       more than some megabytes are gathered: they become rows with the parts 1, 2, …
//     finish       the rest becomes the row with the part 0, which makes the commit visible
//
// The rows are written in the transaction itself. So a commit without a row, or a row without a commit, cannot exist.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The changes of a transaction and of its nested transactions.
final class TransactionHistory: TransactionPart, ChangeRecorder {
    /// The size of a row's changes, in bytes: with its header, a row fills four pages.
    private static let rowSize = 16_000
    /// The size of gathered changes up to which they stay in memory. Tests set it.
    var limit = 4 << 20

    private var layers = ChangeLayers<HistoryLog>()
    private static let layerName = TableName(keyPrefix: HistoryRow.schema.keyPrefix)
    /// The changes at the current depth that are not in their layer yet.
    private var log = HistoryLog()
    private var depth: Int
    /// The size of the changes in the layers.
    private var layeredSize = 0
    /// The hash of the layout of the keys, by type. A migration to other keys records any change, with the new layout.
    private var keyLayouts: [UInt32: UInt32] = [:]
    /// The last recorded type: a fast check for bulk loads.
    private var lastType: UInt32?
    /// The layouts of types with tombstones.
    private var layouts: [UInt32: ParsedLayouts] = [:]
    /// The number of rows written so far.
    private var rows: UInt32 = 0
    /// The same before each nested transaction that is running.
    private var outerRows: [UInt32] = []
    /// The size of the written rows, also of undone ones.
    private var writtenBytes = 0
    /// Returns the time. Tests set it.
    var clock: () -> Date = { Date() }
    private let rules: CatalogHistory
    /// Whether the commit has a row without a change of a record: the history begins.
    private let begins: Bool

    required convenience init(in context: TransactionContext) {
        self.init(context.catalogSnapshot.history ?? CatalogHistory(), begins: false, in: context)
    }

    init(_ rules: CatalogHistory, begins: Bool, in context: TransactionContext) {
        self.rules = rules
        self.begins = begins
        depth = context.depth
        layers.grow(to: depth)
    }

    // MARK: Nested transactions

    func beginNested(_ context: TransactionContext) {
        moveToLayer()
        depth = context.depth
        layers.grow(to: depth)
        outerRows.append(rows)
    }

    func endNested(in context: TransactionContext, isCommitted: Bool) {
        moveToLayer()
        depth = context.depth
        layers.endNested(of: depth, isCommitted: isCommitted)
        if let before = outerRows.popLast(), !isCommitted { rows = before }
    }

    private func moveToLayer() {
        guard log.count > 0 else { return }
        layeredSize += log.size
        layers.change(Self.layerName, at: depth, default: HistoryLog()) { $0.add(log) }
        log.removeAll()
    }

    // MARK: Recording

    /// The size of the gathered changes, in bytes.
    var size: Int { log.size + layeredSize }
    var isFull: Bool { size > limit }

    func record(_ kind: ChangeKind, of key: RawSpan, _ keyPrefix: UInt32, _ type: CatalogType, tombstone: [UInt8]?) {
        if lastType != keyPrefix || kind == .any {
            if rules.excluded.contains(keyPrefix) { return }
            keyLayouts[keyPrefix] = SDBM.hash32(type.keyLayout)
            lastType = keyPrefix
        }
        log.add(kind, of: key, keyPrefix, tombstone: tombstone)
    }

    func tombstone(of key: RawSpan, in table: RecordTable, _ context: TransactionContext) throws -> [UInt8]? {
        let keyPrefix = table.schema.keyPrefix
        guard !rules.tombstones.isEmpty, let names = rules.tombstones[keyPrefix], !rules.excluded.contains(keyPrefix)
        else { return nil }
        return try translatingErrors {
            var tombstone: [UInt8]?
            _ = try context.keyspace.withValue(table.database, key) { value in
                guard table.isIntact(key, value) else { return }
                tombstone = StoredTombstone.bytes(of: value, keeping: names) { version in
                    layouts[keyPrefix, default: ParsedLayouts()].layout(version, of: table.type)
                }
            }
            return tombstone
        }
    }

    // MARK: Rows

    func writeGathered(in context: TransactionContext) throws {
        moveToLayer()
        let log = takeAll()
        let commit = try context.catalogStorage().number(.commitSequence) + 1
        let now = clock()
        try write(log) { changes in
            rows += 1
            try put(HistoryRow(commit: commit, part: rows, identifier: 0, savedAt: now, changes: changes), context)
        }
    }

    func finish(_ sequence: UInt64, in context: TransactionContext) throws {
        moveToLayer()
        let log = takeAll()
        var last: [UInt8]?
        let now = clock()
        try write(log) { changes in
            if let last {
                rows += 1
                try put(HistoryRow(commit: sequence, part: rows, identifier: 0, savedAt: now, changes: last), context)
            }
            last = changes
        }
        guard last != nil || rows > 0 || begins else { return }
        try put(
            HistoryRow(
                commit: sequence, part: 0, identifier: .random(in: 1 ... .max), savedAt: now, author: context.author,
                changes: last ?? []), context)
        try removeExpired(before: sequence, now, context)
    }

    private func takeAll() -> HistoryLog {
        layeredSize = 0
        return layers.take(at: depth) { _ in true }[Self.layerName] ?? HistoryLog()
    }

    /// Calls a closure with the changes of each row.
    private func write(_ log: HistoryLog, _ body: ([UInt8]) throws -> Void) rethrows {
        var writer = HistoryBlockWriter()
        try log.forEachKey { kind, keyPrefix, key, tombstone in
            writer.add(kind, key, keyPrefix, keyLayouts[keyPrefix] ?? 0, tombstone: tombstone)
            if writer.size >= Self.rowSize { try body(writer.finish()) }
        }
        if writer.size > 0 { try body(writer.finish()) }
    }

    private func put(_ row: HistoryRow, _ context: TransactionContext) throws {
        let table = try context.tableForWriting(HistoryRow.schema).table
        try translatingErrors {
            let fields = try ValueWriter.bytes(count: row.fieldsSize()) { row.encodeFields(into: &$0) }
            var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
            let key = HistoryRow.key(row.commit, row.part)
            StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
            try context.keyspace.put(table.database, key, value)
            writtenBytes += key.count + value.count
            context.noteChange()
        }
    }

    // MARK: Limits

    /// Removes the oldest rows beyond the limits, a few more than this commit has written.
    ///
    /// The newest commit beyond the limits stays: a follower that has seen everything up to it misses nothing.
    private func removeExpired(before newest: UInt64, _ now: Date, _ context: TransactionContext) throws {
        let table = try context.tableForWriting(HistoryRow.schema).table
        try translatingErrors {
            let keyspace = context.keyspace
            func row(from key: [UInt8]) throws -> (key: [UInt8], head: HistoryRow.Head?, size: Int)? {
                guard let entry = try keyspace.firstEntry(table.database, from: key) else { return nil }
                return entry.key.withSpan { key in
                    entry.value.withSpan { value in
                        let head = try? HistoryRow.head(key, value, table)
                        return (copiedBytes(key), head, key.byteCount + value.byteCount)
                    }
                }
            }
            var left = 8 + 2 * Int(rows)
            var leftBytes = 2 * writtenBytes
            while left > 0 || leftBytes > 0, let oldest = try row(from: [0]) {
                // A row that cannot be read, and the rest of a commit that is partly removed, are of no use.
                if let head = oldest.head, head.part == 0 {
                    guard head.commit < newest, let next = try row(from: HistoryRow.key(head.commit, .max))?.head,
                        next.commit < newest, try isExpired(next, before: newest, now, table, keyspace)
                    else { return }
                }
                try keyspace.delete(table.database, oldest.key)
                left -= 1
                leftBytes -= oldest.size
            }
        }
    }

    private func isExpired(
        _ row: HistoryRow.Head, before newest: UInt64, _ now: Date, _ table: RecordTable, _ keyspace: Keyspace
    ) throws -> Bool {
        // A commit that is as far in the future is that of a wrong clock.
        if rules.age > 0, !(abs(now.timeIntervalSince(row.savedAt)) * 1000 < Double(rules.age)) { return true }
        if rules.commits > 0, newest - row.commit >= rules.commits { return true }
        guard rules.bytes > 0 else { return false }
        return try keyspace.statistics(of: table.database).size > Int(clamping: rules.bytes)
    }
}
