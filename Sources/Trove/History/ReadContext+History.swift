// Reads the history of a store.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ReadContext {
    /// The position after the last commit of this snapshot that the history has.
    ///
    /// Read it in the same read as the records from which a program begins, and go on from there with
    /// `Store.history(after:)`: then no commit is missed, and none is applied twice.
    ///
    /// - Throws: ``StoreError/HistoryError/notKept(path:)`` if the store keeps no history.
    public final var historyToken: HistoryToken {
        get throws {
            try translatingErrors {
                let (table, store) = try historyTable()
                let head = try lastHead(in: table)
                return HistoryToken(store: store, commit: head.commit, identifier: head.identifier)
            }
        }
    }

    /// Returns the commits after a position, the oldest first.
    ///
    /// - Parameters:
    ///   - token: The position; nil for the oldest commit that is kept.
    ///   - limit: The maximum number of commits.
    /// - Throws: ``StoreError/HistoryError``: if the store keeps no history, if the commits after the position are no
    ///   longer kept, and if the token is of another store, or of another copy of it.
    /// - Complexity: O(log *n* + *k*) for *k* changes in the commits.
    public final func history(after token: HistoryToken? = nil, limit: Int = .max) throws -> [HistoryCommit] {
        try history(after: token, limit: limit, bytes: .max)
    }

    /// Returns the commits after a position.
    ///
    /// - Parameter byteLimit: The size of changes after which no further commit is read.
    final func history(after token: HistoryToken?, limit: Int, bytes byteLimit: Int) throws -> [HistoryCommit] {
        try translatingErrors {
            let (table, store) = try historyTable()
            if let token { try check(token, of: store, in: table) }
            var commits: [HistoryCommit] = []
            var size = 0
            var head: HistoryRow?
            var blocks: [[UInt8]] = []
            func end() throws {
                guard let row = head else { return }
                // The part 0 has the last changes of the transaction.
                let entries = try (blocks + [row.changes]).flatMap { try self.entries(in: $0, of: row, table) }
                commits.append(HistoryCommit(row, store: store, HistoryEntry.folded(entries), in: self))
                (head, blocks) = (nil, [])
            }
            guard limit > 0 else { return [] }
            try forEachRow(of: table, after: token) { row in
                if row.part > 0 {
                    // Rows without a head are the rest of an expired commit, or of the running transaction.
                    if head?.commit == row.commit { blocks.append(row.changes) }
                } else {
                    try end()
                    guard commits.count < limit, size < byteLimit else { return .stop }
                    head = row
                }
                size += row.changes.count
                return .continue
            }
            try end()
            return commits
        }
    }

    /// Calls a closure with the rows of the commits after a position, in order.
    ///
    /// - Parameter token: The position; nil for the beginning of the table.
    final func forEachRow(
        of table: RecordTable, after token: HistoryToken?, _ body: (HistoryRow) throws -> ScanControl
    ) throws {
        let start = token.map { HistoryRow.key($0.commit, .max) } ?? []
        try keyspace.scan(table.database, ScanRange(after: start)) { key, value in
            try table.verify(key, value)
            return try body(HistoryRow.decode(key, value, table))
        }
    }

    final func entries(
        in changes: [UInt8], of row: HistoryRow, _ table: RecordTable
    ) throws -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        do throws(CodingError) {
            try HistoryEntry.forEach(in: changes) { (entry) throws(CodingError) in entries.append(entry) }
        } catch {
            throw StoreError(reading: table.storedKey(HistoryRow.key(row.commit, row.part)), error)
        }
        return entries
    }

    // MARK: Tokens

    /// Returns the table of the rows, after checking that the store has the commit of a token.
    final func historyTable(after token: HistoryToken) throws -> RecordTable {
        let (table, store) = try historyTable()
        try check(token, of: store, in: table)
        return table
    }

    /// Returns the table of the rows, and the identifier of the store.
    private final func historyTable() throws -> (RecordTable, UUID) {
        readRegion?.noteEverything()
        guard catalogSnapshot.history != nil, let table = try table(for: HistoryRow.schema) else {
            throw StoreError.history(.notKept(path: core.path))
        }
        return (table, try catalogStorage().storeEntry().identifier)
    }

    /// Returns whether the history has the commit of a token.
    final func hasCommit(of token: HistoryToken) throws -> Bool {
        let (table, store) = try historyTable()
        guard token.store == store else { return false }
        return try head(token.commit, in: table)?.identifier == token.identifier
    }

    /// Returns the row of a commit; nil if the history does not have it.
    private final func head(_ commit: UInt64, in table: RecordTable) throws -> HistoryRow.Head? {
        var head: HistoryRow.Head?
        _ = try keyspace.withEntry(table.database, HistoryRow.key(commit, 0)) { key, value in
            try table.verify(key, value)
            head = try HistoryRow.head(key, value, table)
        }
        return head
    }

    /// Throws unless the store has the commit of a token.
    private final func check(_ token: HistoryToken, of store: UUID, in table: RecordTable) throws {
        guard token.store == store else { throw StoreError.history(.ofOtherStore(path: core.path)) }
        let stored = try head(token.commit, in: table)
        if let stored, stored.identifier == token.identifier { return }
        var oldest: UInt64?
        try keyspace.scan(table.database, ScanRange()) { key, value in
            let head = try HistoryRow.head(key, value, table)
            if head.part == 0 { oldest = head.commit }
            return head.part == 0 ? .stop : .continue
        }
        if stored == nil, let oldest, token.commit < oldest {
            throw StoreError.history(.expired(path: core.path, commit: token.commit, oldest: oldest))
        }
        let newest = try lastHead(in: table).commit
        throw StoreError.history(.ofOtherCopy(path: core.path, commit: token.commit, newest: newest))
    }

    /// Returns the row of the last commit.
    private final func lastHead(in table: RecordTable) throws -> HistoryRow.Head {
        // The rows of the running transaction, which come after it, have no head.
        let end = HistoryRow.key(try catalogStorage().number(.commitSequence) + 1, 0)
        var last: HistoryRow.Head?
        try keyspace.scan(table.database, ScanRange(upTo: end, isDescending: true)) { key, value in
            last = try HistoryRow.head(key, value, table)
            return .stop
        }
        guard let last, let head = try head(last.commit, in: table) else {
            throw StoreError(
                reading: table.storedKey([]), CodingError(.malformed(expected: "the last commit of the history")))
        }
        return head
    }
}
