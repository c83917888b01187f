// A call of a statement in a context.

import Trove

/// A call of a statement in a context.
package enum StatementCall {
    /// The behavior of the connections of calls, for tests.
    @TaskLocal package static var options = ConnectionOptions()

    /// Returns the rows of a statement.
    ///
    /// - Parameter convert: Returns the value of a row. It can be called again for the same row.
    static func rows<Value>(
        _ sql: SQL, _ context: ReadContext, atMost limit: Int = .max,
        _ convert: (borrowing StatementRow) throws -> Value
    ) throws -> [Value] {
        var options = options
        while true {
            do {
                return try ConnectionPool.withConnection(of: context, options) { connection in
                    var rows: [Value] = []
                    try connection.statement(sql.text).run(sql.arguments) { row in
                        rows.append(try convert(row))
                        return rows.count < limit
                    }
                    return rows
                }
            } catch is OrderViolation where options.guardsOrder {
                options.guardsOrder = false
            }
        }
    }

    /// Calls a closure with each row of a statement, without keeping the rows.
    static func forEach(
        _ sql: SQL, _ context: ReadContext, _ body: (borrowing StatementRow) throws -> ScanControl
    ) throws {
        var options = options
        options.isStreaming = true
        // After the first row, a statement cannot begin again without the order of a scan.
        options.guardsOrder = false
        try ConnectionPool.withConnection(of: context, options) { connection in
            try connection.statement(sql.text).run(sql.arguments) { row in try body(row) == .continue }
        }
    }
}
