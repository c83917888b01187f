// Statements of SQL in a context, or in a store with a read transaction of its own.

import Trove

extension RecordReadable {
    /// Returns the rows of a statement.
    ///
    /// ```swift
    /// for row in try store.sql("SELECT * FROM User WHERE age > \(18)") { print(row.json) }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: A statement that reads. Each record type is a table. The context of a write transaction also takes
    ///     statements that write.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError`` for an error in the statement or in a record. `StoreError` for a wrong use of the
    ///   context.
    /// - Complexity: That of SQLite's plan; see ``explainSQL(_:attaching:)``.
    @available(*, noasync, message: "await the call")
    public func sql(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) throws -> [SQLRow] {
        try StatementCall.rows(sql, in: self, attaching: files) { SQLRow($0) }
    }

    /// Returns the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError``, also for a value that is not one of the type.
    @available(*, noasync, message: "await the call")
    public func sql<Value: SQLColumn>(
        _ sql: SQL, as type: Value.Type, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [Value] {
        try StatementCall.rows(sql, in: self, attaching: files) { try $0.only(Value.self) }
    }

    /// Returns the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError``, also for a value that is not one of the type.
    @available(*, noasync, message: "await the call")
    public func sql<Value: SQLColumn & Decodable>(
        _ sql: SQL, as type: Value.Type, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [Value] {
        try StatementCall.rows(sql, in: self, attaching: files) { try $0.only(Value.self) }
    }

    /// Returns the rows of a statement as tuples.
    ///
    /// ```swift
    /// for (city, n) in try store.sql("SELECT city, count(*) FROM User GROUP BY city", as: (String, Int).self) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: A statement that reads as many columns.
    ///   - type: The type of the tuples, with a type for each column.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError``, also for a value that is not one of its type, or another number of columns.
    @available(*, noasync, message: "await the call")
    public func sql<First: SQLColumn, Second: SQLColumn, each Other: SQLColumn>(
        _ sql: SQL, as type: (First, Second, repeat each Other).Type, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [(First, Second, repeat each Other)] {
        try StatementCall.rows(sql, in: self, attaching: files) { try $0.tuple(type) }
    }

    /// Returns the rows of a statement as values of a `Decodable` type.
    ///
    /// The coding keys are the names of columns, in any case of ASCII letters. A nested value is read from JSON.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - type: The type of the rows.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError`` for an error in the statement; `DecodingError` for a row that is not one of the type.
    @available(*, noasync, message: "await the call")
    public func sql<Row: Decodable>(
        _ sql: SQL, as type: Row.Type, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [Row] {
        try StatementCall.rows(sql, in: self, attaching: files) { try Row(from: SQLRowDecoder($0)) }
    }

    /// Returns the plan of a statement in words: SQLite's plan, whose lines name the keys and indexes in use.
    ///
    /// - Parameters:
    ///   - sql: A statement, which is not run.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError`` for an error in the statement.
    @available(*, noasync, message: "await the call")
    public func explainSQL(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) throws -> String {
        try reading { try PlanTree.text(of: sql, $0, attaching: files) }
    }
}

extension ReadContext {
    /// Calls a closure with each row of a statement, in constant memory where the statement sorts nothing.
    ///
    /// In a write transaction, the closure may write.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    ///   - body: Receives each row, and returns whether to continue.
    /// - Throws: ``SQLError``, and any error of the closure.
    public final func forEachRow(
        _ sql: SQL, attaching files: [String: SQLAttachment] = [:], _ body: (SQLRow) throws -> ScanControl
    ) throws {
        try StatementCall.forEach(sql, self, attaching: files) { try body(SQLRow($0)) }
    }

    /// Calls a closure with each row of a statement as values, in constant memory where the statement sorts nothing.
    ///
    /// ```swift
    /// try context.forEachRow("SELECT id, name FROM User", as: (Int, String).self) { id, name in
    ///     print(id, name)
    ///     return .continue
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: A statement that reads as many columns.
    ///   - type: The type of the tuples, with a type for each column.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    ///   - body: Receives the values of each row, and returns whether to continue.
    /// - Throws: ``SQLError``, and any error of the closure.
    public final func forEachRow<First: SQLColumn, Second: SQLColumn, each Other: SQLColumn>(
        _ sql: SQL, as type: (First, Second, repeat each Other).Type, attaching files: [String: SQLAttachment] = [:],
        _ body: (First, Second, repeat each Other) throws -> ScanControl
    ) throws {
        try StatementCall.forEach(sql, self, attaching: files) { row in
            let (first, second, other) = try row.parts(type)
            return try body(first, second, repeat each other)
        }
    }

    /// Calls a closure with each value of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    ///   - body: Receives each value, and returns whether to continue.
    /// - Throws: ``SQLError``, and any error of the closure.
    public final func forEachRow<Value: SQLColumn>(
        _ sql: SQL, as type: Value.Type, attaching files: [String: SQLAttachment] = [:],
        _ body: (Value) throws -> ScanControl
    ) throws {
        try StatementCall.forEach(sql, self, attaching: files) { try body($0.only(type)) }
    }
}

extension StatementRow {
    /// Returns the value of the only column.
    func only<Value: SQLColumn>(_ type: Value.Type) throws -> Value {
        try checkCount(1)
        return try value(0, as: type)
    }

    /// Returns the values of all columns.
    func tuple<First: SQLColumn, Second: SQLColumn, each Other: SQLColumn>(
        _ type: (First, Second, repeat each Other).Type
    ) throws -> (First, Second, repeat each Other) {
        let (first, second, other) = try parts(type)
        return (first, second, repeat each other)
    }

    /// Returns the values of all columns, those after the second in a tuple of their own.
    func parts<First: SQLColumn, Second: SQLColumn, each Other: SQLColumn>(
        _ type: (First, Second, repeat each Other).Type
    ) throws -> (First, Second, (repeat each Other)) {
        var count = 2
        for _ in repeat (each Other).self { count += 1 }
        try checkCount(count)
        var column = 1
        func next<Value: SQLColumn>(_ type: Value.Type) throws -> Value {
            column += 1
            return try value(column, as: type)
        }
        return (try value(0, as: First.self), try value(1, as: Second.self), (repeat try next((each Other).self)))
    }
}

extension ReadContext {
    /// Returns the names of the columns of a statement's rows. The statement is not run.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: ``SQLError`` for an error in the statement.
    package final func columnNames(of sql: SQL, attaching files: [String: SQLAttachment] = [:]) throws -> [String] {
        try ConnectionPool.withConnection(of: self, StatementCall.options, attaching: files) { connection in
            try connection.statement(sql.text).columns.names
        }
    }
}
