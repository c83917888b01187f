// `trove sql`

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// Runs a statement of SQL that reads.
struct SQLQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Read records by a statement of SQL.",
        discussion: """
            Each record type is a table, and each of its properties a column: SELECT city, count(*) FROM User GROUP BY \
            city. The name of a table is the end of the type's name that no other type has; a name that is a word of SQL \
            is in double quotes, and a text in single quotes. SQLite runs the statement, with all of its functions. The \
            Swift types are not needed.

            The rows are a table in a terminal, and otherwise a JSON object per line. A row with more columns of the same \
            name has only the last of them in JSON: name them with AS.

            --explain prints the plan instead: which keys and indexes are used.

            Exit codes: 0 printed, 1 a record is damaged, 2 the store could not be read, or the statement is wrong or \
            does more than reading, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The statement.")
    var statement: String

    @Flag(help: "Print comma-separated values, after a line with the names of the columns.")
    var csv = false

    @Flag(help: "Print a table. The statement runs twice, the first time to measure the columns.")
    var table = false

    @Flag(help: "Print the plan of the statement, and no rows.")
    var explain = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if [csv, table, output.json, explain].filter(\.self).count > 1 {
            throw ValidationError("--json, --csv, --table and --explain are different forms of output. Give only one.")
        }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            try store.open(output, verifiesRecords: true).read { context in
                let sql = SQL(raw: statement)
                if explain {
                    for line in try context.explainSQL(sql).split(separator: "\n") {
                        try output.printRecord(FileFinding.printable(String(line)))
                    }
                } else if csv {
                    try printCSV(sql, context)
                } else if table || !output.json && isatty(STDOUT_FILENO) == 1 {
                    try printTable(sql, context)
                } else {
                    try context.forEachRow(sql) { row in
                        try output.printRecord(row.json)
                        return .continue
                    }
                }
            }
        }
    }

    private func printCSV(_ sql: SQL, _ context: ReadContext) throws {
        try output.printRow(SQLRow.csv(of: context.columnNames(of: sql).map { .text($0) }))
        try context.forEachRow(sql) { row in
            try output.printRow(SQLRow.csv(of: row.values))
            return .continue
        }
    }

    private func printTable(_ sql: SQL, _ context: ReadContext) throws {
        var table = TextTable()
        try context.forEachRow(sql) { row in
            table.measure(row.cells)
            return .continue
        }
        try table.header.forEach(output.printHeading)
        try context.forEachRow(sql) { row in
            try output.printRecord(table.line(row.cells))
            return .continue
        }
    }
}

extension SQLRow {
    /// The values as the cells of a table. NULL is an empty cell.
    fileprivate var cells: [TextTable.Cell] {
        zip(columns, values).enumerated().map { place, column in
            // Columns of a table have different names.
            let isRepeated = columns[..<place].contains(column.0)
            return TextTable.Cell(
                column: FileFinding.printable(column.0) + (isRepeated ? " (\(place + 1))" : ""),
                text: FileFinding.printable(column.1.cellText), isNumber: column.1.isNumber)
        }
    }
}

extension SQLValue {
    fileprivate var cellText: String {
        switch self {
        case .null: ""
        case .text(let text): text
        default: description
        }
    }

    /// Whether the value fits a column of numbers, as NULL does.
    fileprivate var isNumber: Bool {
        switch self {
        case .null, .integer, .real: true
        case .text, .blob: false
        }
    }
}
#endif
