// The rows of a statement of SQL in their forms.

#if CommandLine
import Foundation
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// A form of rows as text.
enum RowForm: String, CaseIterable {
    /// A JSON object on a line.
    case json
    /// Comma-separated values (RFC 4180), after the names of the columns.
    case csv
    /// A table, whose columns are measured first.
    case table
    /// A line for each value.
    case line
}

/// The printer of the rows of statements.
struct RowPrinter {
    let form: RowForm
    let sink: RowSink

    /// Calls a closure with each row.
    private typealias Rows = (_ body: (SQLRow) throws -> Void) throws -> Void

    /// Runs a statement that reads, and prints its rows. A table runs it twice.
    func print(_ sql: SQL, _ context: ReadContext, attaching files: [String: SQLAttachment]) throws {
        let names = form == .csv ? try context.columnNames(of: sql, attaching: files) : []
        try print(names) { body in
            try context.forEachRow(sql, attaching: files) { row in
                try body(row)
                return .continue
            }
        }
    }

    /// Prints the rows of a statement that has written; nothing if there are none.
    func print(_ rows: [SQLRow]) throws {
        guard let first = rows.first else { return }
        try print(first.columns) { body in try rows.forEach(body) }
    }

    private func print(_ names: [String], _ rows: Rows) throws {
        switch form {
        case .json: try rows { row in try sink.write(row.json) }
        case .csv:
            try sink.writeCSV(SQLRow.csv(of: names.map { .text($0) }))
            try rows { row in try sink.writeCSV(SQLRow.csv(of: row.values)) }
        case .table: try printTable(rows)
        case .line: try printLines(rows)
        }
    }

    private func printTable(_ rows: Rows) throws {
        var table = TextTable()
        try rows { row in table.measure(row.cells) }
        try table.header.forEach(sink.writeHeading)
        try rows { row in try sink.write(table.line(row.cells)) }
    }

    private func printLines(_ rows: Rows) throws {
        var isFirst = true
        try rows { row in
            if !isFirst { try sink.write("") }
            isFirst = false
            let names = row.columns.map(FileFinding.printable)
            let width = names.map(\.count).max() ?? 0
            for (name, value) in zip(names, row.values) {
                let padding = String(repeating: " ", count: width - name.count)
                try sink.write("\(padding)\(name) = \(FileFinding.printable(value.cellText))")
            }
        }
    }
}

/// The place of printed rows: standard output, or a file.
struct RowSink {
    let output: CommandOutput
    var file: OutputFile?

    /// Writes a line. Its text must not contain control characters.
    func write(_ text: String) throws {
        if let file { try file.write(text + "\n") } else { try output.printRecord(text) }
    }

    /// Writes a line above rows. Its text must not contain control characters.
    func writeHeading(_ text: String) throws {
        if let file { try file.write(text + "\n") } else { try output.printHeading(text) }
    }

    /// Writes a row of a CSV.
    func writeCSV(_ text: String) throws {
        if let file { try file.write(text + "\r\n") } else { try output.printRow(text) }
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
