// Statements of SQL that write, in a write transaction or in a store with a write transaction of its own.

import Trove

extension TransactionContext {
    /// Runs a statement that writes or reads.
    ///
    /// ```swift
    /// try store.write { context in
    ///     try context.sql("UPDATE User SET age = age + 1 WHERE id = \(id)")
    ///     let count = try context.sql("DELETE FROM User WHERE age > \(120)").changes
    /// }
    /// ```
    ///
    /// Records are inserted, updated and deleted by the code of their types: unique values, indexes, delete rules and
    /// hooks are those of the methods of this context. All changes of the statement are kept, or none. It sees the
    /// changes of this transaction.
    ///
    /// - Parameters:
    ///   - sql: A statement. Each record type is a table.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Returns: The rows of the statement, and the number of its changes.
    /// - Throws: ``SQLError`` for an error in the statement, and for a value that a property cannot have. A violated
    ///   constraint has its `StoreError` as ``SQLError/cause``. The program's own errors of hooks are thrown as they
    ///   are. The statement has then changed nothing, and this transaction goes on.
    /// - Complexity: That of SQLite's plan, and of the change of each record.
    @discardableResult
    public func sql(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) throws -> SQLResult {
        try StatementCall.result(sql, self, attaching: files) { SQLRow($0) }.asSQLResult
    }

    /// Runs a statement as `sql(_:attaching:)` does. Also returns the names of the indexes that the statement has
    /// emptied, since only their program can maintain them.
    package func sqlReporting(
        _ sql: SQL, attaching files: [String: SQLAttachment]
    ) throws -> (result: SQLResult, emptiedIndexes: [String]) {
        let result = try StatementCall.result(sql, self, attaching: files) { SQLRow($0) }
        return (result.asSQLResult, result.emptiedIndexes)
    }

    /// Runs a statement as `sql(_:attaching:)` does, and calls a closure with each of its rows, which are not kept.
    ///
    /// - Returns: The number of the statement's changes.
    package func changes(of sql: SQL, _ body: (SQLRow) throws -> Void) throws -> Int {
        try StatementCall.result(sql, self, attaching: [:]) { try body(SQLRow($0)) }.changes
    }
}

extension StatementCall.Outcome<SQLRow> {
    fileprivate var asSQLResult: SQLResult { SQLResult(rows: rows, changes: changes) }
}

extension Store {
    /// Runs a statement in a write transaction of its own.
    ///
    /// ```swift
    /// try store.write(sql: "UPDATE User SET city = \(city) WHERE id IN \(ids)")
    /// ```
    ///
    /// - Parameters:
    ///   - sql: A statement. Each record type is a table.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Returns: The rows of the statement, and the number of its changes.
    /// - Throws: The errors of `sql(_:attaching:)` of the context; `StoreError` if the transaction cannot
    ///   begin or commit.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func write(sql: SQL, attaching files: [String: SQLAttachment] = [:]) throws -> SQLResult {
        try write { context in try context.sql(sql, attaching: files) }
    }

    /// The async form of `write(sql:)`.
    @discardableResult
    public func write(sql: SQL, attaching files: [String: SQLAttachment] = [:]) async throws -> SQLResult {
        try await write { context in try context.sql(sql, attaching: files) }
    }
}
