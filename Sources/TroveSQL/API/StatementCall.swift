// A call of a statement in a context.

import CSQLite
import Trove

/// A call of a statement in a context.
package enum StatementCall {
    /// The behavior of the connections of calls, for tests.
    @TaskLocal package static var options = ConnectionOptions()
    /// What can interrupt the calls.
    @TaskLocal package static var interruption: StatementInterruption?

    /// The analyzers for types that the program does not declare, beside the built-in ones.
    @TaskLocal package static var analyzers: [TextAnalyzer] = []

    /// Returns the rows of a statement for a receiver of a call: it may write if it is the context of a write.
    ///
    /// - Parameter convert: Returns the value of a row. It can be called again for the same row.
    static func rows<Receiver: RecordReadable, Value>(
        _ sql: SQL, in receiver: Receiver, attaching files: [String: SQLAttachment],
        _ convert: (borrowing StatementRow) throws -> Value
    ) throws -> [Value] {
        // A function that receives any context reads, even within a write.
        if Receiver.self is TransactionContext.Type, let context = receiver as? TransactionContext {
            return try result(sql, context, attaching: files, convert).rows
        }
        return try receiver.reading { try rows(sql, $0, attaching: files, convert) }
    }

    /// Returns SQLite's lines about the plan of a statement. The statement is not run, so it may be one that writes.
    static func explanation<Value>(
        of sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment],
        _ convert: (borrowing StatementRow) throws -> Value
    ) throws -> [Value] {
        let explanation = SQL(raw: "EXPLAIN QUERY PLAN " + sql.text, arguments: sql.arguments)
        do {
            return try rows(explanation, context, attaching: files, convert)
        } catch let error as SQLError where error.code & 0xFF == Int(SQLITE_AUTH) {
            // The plan of a statement that writes has other columns.
            var options = options
            options.mayWrite = true
            return try $options.withValue(options) { try rows(explanation, context, attaching: files, convert) }
        }
    }

    /// Returns the rows of a statement that reads.
    ///
    /// - Parameter convert: Returns the value of a row. It can be called again for the same row.
    static func rows<Value>(
        _ sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment] = [:], atMost limit: Int = .max,
        _ convert: (borrowing StatementRow) throws -> Value
    ) throws -> [Value] {
        var options = options
        while true {
            do {
                return try ConnectionPool.withConnection(of: context, options, attaching: files) { connection in
                    var rows: [Value] = []
                    try connection.statement(sql.text).run(sql.arguments) { row in
                        rows.append(try convert(row))
                        return rows.count < limit
                    }
                    return rows
                }
            } catch is PlanViolation where options.guardsOrder {
                options.guardsOrder = false
            }
        }
    }

    /// The rows of a statement, and what it has changed.
    struct Outcome<Value> {
        var rows: [Value] = []
        /// The number of changed rows.
        var changes = 0
        /// The names of the emptied indexes.
        var emptiedIndexes: [String] = []
    }

    /// Returns the names of the types that a statement writes, with their modules; none for a statement that only
    /// reads.
    ///
    /// - Throws: ``SQLError`` for a type that cannot be written, also if the statement would change no row.
    package static func writtenTypes(
        of sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [String] {
        var options = options
        options.mayWrite = true
        return try ConnectionPool.withConnection(of: context, options, attaching: files) { connection in
            let statement = try connection.statement(sql.text)
            guard !statement.isReadOnly else { return [] }
            // An explanation is not run.
            for table in statement.isExplanation ? [] : statement.writtenTables {
                if let refusal = try connection.refusal(ofWriting: table, in: context) { throw refusal }
            }
            return statement.writtenTables.map(\.stored.name)
        }
    }

    /// Returns the rows of a statement, and the number of rows that it has changed.
    ///
    /// A statement that writes runs in a nested transaction: an error undoes its changes, and no others.
    static func result<Value>(
        _ sql: SQL, _ context: TransactionContext, attaching files: [String: SQLAttachment],
        _ convert: (borrowing StatementRow) throws -> Value
    ) throws -> Outcome<Value> {
        if ["select", "values"].contains(sql.firstWord) {
            return Outcome(rows: try rows(sql, context, attaching: files, convert))
        }
        var options = options
        options.mayWrite = true
        // A scan can meet the changes of the statement, or those of hooks, and does not begin again after them.
        options.isStreaming = true
        options.guardsOrder = false
        var result = Outcome<Value>()
        while true {
            let isDone = try ConnectionPool.withConnection(of: context, options, attaching: files) { connection in
                let statement = try connection.statement(sql.text)
                if statement.isReadOnly {
                    result.rows = try rows(sql, context, attaching: files, convert)
                    return true
                }
                // The plans of this connection can use the indexes that are emptied now.
                let emptied = try connection.emptyIndexes(of: statement, in: context)
                result.emptiedIndexes += emptied
                guard emptied.isEmpty else { return false }
                try context.nested { context in
                    try connection.reading(context, options) {
                        try statement.run(sql.arguments) { row in
                            result.rows.append(try convert(row))
                            return true
                        }
                        result.changes = connection.changes
                    }
                }
                return true
            }
            if isDone { return result }
        }
    }

    /// Calls a closure with each row of a statement, without keeping the rows.
    static func forEach(
        _ sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment] = [:],
        _ body: (borrowing StatementRow) throws -> ScanControl
    ) throws {
        var options = options
        options.isStreaming = true
        // After the first row, a statement cannot begin again without the order of a scan.
        options.guardsOrder = false
        try ConnectionPool.withConnection(of: context, options, attaching: files) { connection in
            try connection.statement(sql.text).run(sql.arguments) { row in try body(row) == .continue }
        }
    }
}

extension SQL {
    /// The first word in small letters.
    fileprivate var firstWord: String {
        String(text.drop { $0.isWhitespace }.prefix { $0.isLetter }).asciiLowercased
    }
}
