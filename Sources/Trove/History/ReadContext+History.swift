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
    ///   - token: The position; nil for the beginning: the oldest commit that is kept. Nil is never expired: for a copy
    ///     of all records, read them and ``historyToken`` in one read, and go on from that token.
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
            var rows: [HistoryRow] = []
            func end() throws {
                if !rows.isEmpty { commits.append(try commit(of: rows, store, table)) }
                rows = []
            }
            guard limit > 0 else { return [] }
            // The row after the last commit is not read: it can be damaged.
            func isEnough() -> Bool { commits.count + 1 >= limit || size >= byteLimit }
            try forEachRow(of: table, after: token, upTo: { $0 == 0 && !rows.isEmpty && isEnough() }) { row in
                if row.part == 0 {
                    try end()
                    rows = [row]
                } else if row.commit == rows.first?.commit {
                    // Rows without a head are the rest of an expired commit, or of the running transaction.
                    rows.append(row)
                }
                size += row.changes.count
                return .continue
            }
            try end()
            return commits
        }
    }

    /// Calls a closure with the number of each commit before a commit, the newest first, and with the commit or the
    /// error of reading it.
    ///
    /// - Parameters:
    ///   - sequence: The number of the commit; nil for the end of the history.
    ///   - byteLimit: The size of changes at which a commit is cut.
    ///   - body: Returns whether to continue.
    /// - Complexity: O(log *n* + *k*) for each commit with *k* changes read.
    package final func forEachHistoryResult(
        before sequence: UInt64? = nil, bytes byteLimit: Int,
        _ body: (_ sequence: UInt64, _ commit: Result<HistoryCommit, any Error>) throws -> Bool
    ) throws {
        try translatingErrors {
            let (table, store) = try historyTable()
            var end = sequence
            while let last = try lastCommit(before: end, in: table) {
                let result = Result { try translatingErrors { try commit(last, store, table, bytes: byteLimit) } }
                guard try body(last, result) else { return }
                end = last
            }
        }
    }

    /// Returns the commit before a position.
    ///
    /// - Parameter byteLimit: The size of changes at which the commit is cut.
    /// - Throws: The errors of ``history(after:limit:)``.
    package final func historyCommit(before token: HistoryToken, bytes byteLimit: Int) throws -> HistoryCommit {
        try translatingErrors {
            let table = try historyTable(after: token)
            return try commit(token.commit, token.store, table, bytes: byteLimit)
        }
    }

    // MARK: Rows

    /// Returns the commit with a number.
    ///
    /// - Parameter byteLimit: The size of changes at which the commit is cut.
    private final func commit(
        _ sequence: UInt64, _ store: UUID, _ table: RecordTable, bytes byteLimit: Int
    ) throws -> HistoryCommit {
        var rows: [HistoryRow] = []
        var (size, isCut) = (0, false)
        let range = ScanRange(from: HistoryRow.key(sequence, 0), upTo: HistoryRow.key(sequence, .max))
        try forEachRow(of: table, in: range) { row in
            isCut = !rows.isEmpty && size >= byteLimit
            guard !isCut else { return .stop }
            rows.append(row)
            size += row.changes.count
            return .continue
        }
        return try commit(of: rows, store, table, isCut: isCut)
    }

    /// Returns the commit of some rows: the row with the part 0, and the other rows in their order.
    private final func commit(
        of rows: [HistoryRow], _ store: UUID, _ table: RecordTable, isCut: Bool = false
    ) throws -> HistoryCommit {
        // The part 0 has the last changes of the transaction.
        let entries = try (rows.dropFirst() + rows.prefix(1)).flatMap { row in
            try self.entries(in: row.changes, of: row, table)
        }
        return HistoryCommit(rows, store: store, HistoryEntry.folded(entries), isCut: isCut, in: self)
    }

    /// Calls a closure with the rows of the commits after a position, in order.
    ///
    /// - Parameters:
    ///   - token: The position; nil for the beginning of the table.
    ///   - isEnd: Returns whether to stop before a row with a part.
    final func forEachRow(
        of table: RecordTable, after token: HistoryToken?, upTo isEnd: (UInt32) -> Bool = { _ in false },
        _ body: (HistoryRow) throws -> ScanControl
    ) throws {
        let start = token.map { HistoryRow.key($0.commit, .max) } ?? []
        try forEachRow(of: table, in: ScanRange(after: start), upTo: isEnd, body)
    }

    private final func forEachRow(
        of table: RecordTable, in range: ScanRange, upTo isEnd: (UInt32) -> Bool = { _ in false },
        _ body: (HistoryRow) throws -> ScanControl
    ) throws {
        try keyspace.scan(table.database, range) { key, value in
            if try isEnd(HistoryRow.position(key, table).part) { return .stop }
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

    /// Returns the number of the last commit before a commit; nil if there is none.
    private final func lastCommit(before sequence: UInt64?, in table: RecordTable) throws -> UInt64? {
        var end = sequence.map { HistoryRow.key($0, 0) }
        while true {
            var last: HistoryRow.Head?
            try keyspace.scan(table.database, ScanRange(upTo: end, isDescending: true)) { key, value in
                last = try HistoryRow.head(key, value, table)
                return .stop
            }
            guard let last else { return nil }
            let head = HistoryRow.key(last.commit, 0)
            if try last.part == 0 || keyspace.withEntry(table.database, head, { _, _ in }) { return last.commit }
            // Rows without a head are the rest of an expired commit, or of the running transaction.
            end = head
        }
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
