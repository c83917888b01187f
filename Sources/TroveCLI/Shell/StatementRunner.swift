// The run of a statement of `trove sql`: it reads in a snapshot, or writes in a transaction of its own.

#if CommandLine
import Trove
import TroveSQL
import TroveTerminal

/// The runs of statements on a store.
struct StatementRunner {
    let store: Store
    let output: CommandOutput
    /// The files that every statement can read.
    let attachments: [String: SQLAttachment]
    /// Whether statements may write.
    var mayWrite: Bool

    /// Runs a statement, and prints its rows and the number of its changes.
    func run(_ statement: String, _ printer: RowPrinter) throws {
        let sql = SQL(raw: statement)
        let writes = try store.read { context in
            if mayWrite, try !StatementCall.writtenTypes(of: sql, context, attaching: attachments).isEmpty {
                return true
            }
            try printer.print(sql, context, attaching: attachments)
            return false
        }
        if writes { try write(sql, printer) }
    }

    private func write(_ sql: SQL, _ printer: RowPrinter) throws {
        let (result, emptied) = try store.write { context in
            try context.sqlReporting(sql, attaching: attachments)
        }
        try printer.print(Array(result))
        if output.json { return try output.printJSONLine(Report(changes: result.changes, emptiedIndexes: emptied)) }
        for index in emptied {
            try output.printNote("\(index): emptied; its program rebuilds it when it next opens the store")
        }
        try output.printNote("\(counted(result.changes, "row")) changed")
    }

    private struct Report: Encodable {
        var verdict = "written"
        var changes: Int
        var emptiedIndexes: [String]
    }
}
#endif
