// `trove sql`

#if CommandLine
import ArgumentParser
import Foundation
import LMDB
import Trove
import TroveSQL
import TroveStemming
import TroveTerminal

/// Runs statements of SQL, or exports tables.
struct SQLQuery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Read and write records by statements of SQL, and export them to SQLite.",
        discussion: """
            Each record type is a table, and each of its properties a column: SELECT city, count(*) FROM User GROUP BY \
            city. The name of a table is the end of the type's name that no other type has; a name that is a word of SQL \
            is in double quotes, and a text in single quotes. SQLite runs the statement, with all of its functions. The \
            Swift types are not needed.

            The rows are a table in a terminal, and otherwise a JSON object per line. A row with more columns of the same \
            name has only the last of them in JSON: name them with AS.

            Without a statement, a terminal has a shell, whose command .help lists the others. Otherwise the statements \
            of standard input are run, each up to its semicolon, until one has an error.

            --write allows statements that insert, update and delete records, each in a transaction of its own: INSERT \
            INTO Note SELECT id, title, body FROM old.notes. Records are written by their stored layout; hooks, rules of \
            collisions and initial values are those of a program, and have no effect. Types with relations or with \
            records of older layouts are refused. So are types with indexes that only their program can maintain, unless \
            --empty-indexes is given: these indexes are emptied, and the program rebuilds them when it next opens the \
            store.

            --attach old=old.sqlite reads the tables of a file of SQLite, too: SELECT * FROM old.users.

            --export out.sqlite writes the tables into a new file of SQLite, with keys and indexes; with the names of \
            types, only those.

            --explain prints the plan instead: which keys and indexes are used.

            Exit codes: 0 printed or written, 1 a record is damaged, 2 the store could not be read or written, a \
            statement is wrong or refused, or a file could not be attached or written, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The statement; with --export, the types.")
    var words: [String] = []

    @Flag(help: "Print comma-separated values, after a line with the names of the columns.")
    var csv = false

    @Flag(help: "Print a table. The statement runs twice, the first time to measure the columns.")
    var table = false

    @Flag(help: "Print the plan of the statement, and no rows.")
    var explain = false

    @Flag(help: "Allow statements that write records.")
    var write = false

    @Flag(help: "With --write, empty the indexes that only their program can maintain.")
    var emptyIndexes = false

    @Option(help: "Read the tables of a file of SQLite by a name before the dot. Can be repeated.")
    var attach: [NamedFile] = []

    @Option(help: "Write the tables into a new file of SQLite.", completion: .file())
    var export: String?

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if [csv, table, output.json, explain].filter(\.self).count > 1 {
            throw ValidationError("--json, --csv, --table and --explain are different forms of output. Give only one.")
        }
        if Set(attach.map { $0.name.lowercased() }).count < attach.count {
            throw ValidationError("Two files are attached by the same name.")
        }
        if export != nil {
            if csv || table || explain || write || !attach.isEmpty {
                throw ValidationError(
                    "--export writes tables, and has no use for --csv, --table, --explain, --write and --attach.")
            }
        } else if words.count > 1 {
            throw ValidationError("Give a single statement, in quotes.")
        } else if explain, words.isEmpty {
            throw ValidationError("--explain needs a statement.")
        }
        if emptyIndexes, !write { throw ValidationError("--empty-indexes has an effect with --write only.") }
    }

    func run() throws {
        var options = StatementCall.options
        options.writesStoredTypes = write
        options.emptiesIndexes = emptyIndexes
        try StatementCall.$options.withValue(options) {
            try StatementCall.$analyzers.withValue(TextAnalyzer.languages) { try runStatements() }
        }
    }

    private func runStatements() throws {
        try output.run(printsRecords: export == nil) {
            let store =
                write
                ? try store.openForWriting(output, verifiesRecords: true)
                : try store.open(output, verifiesRecords: true)
            if let export { return try self.export(store, to: export) }
            let files = Dictionary(uniqueKeysWithValues: attach.map { ($0.name, SQLAttachment.file($0.path)) })
            let runner = StatementRunner(store: store, output: output, attachments: files, mayWrite: write)
            guard let statement = words.first else { return try runShell(runner) }
            if explain {
                let plan = try store.explainSQL(SQL(raw: statement), attaching: files)
                for line in plan.split(separator: "\n") {
                    try output.printRecord(FileFinding.printable(String(line)))
                }
            } else {
                try runner.run(statement, RowPrinter(form: form, sink: RowSink(output: output)))
            }
        }
    }

    private var form: RowForm {
        csv ? .csv : table || !output.json && isatty(STDOUT_FILENO) == 1 ? .table : .json
    }

    private func runShell(_ runner: StatementRunner) throws {
        let shell = SQLShell(runner, form: form, RecordImporter(emptiesIndexes: emptyIndexes))
        if isatty(STDIN_FILENO) == 1 {
            try InteractiveShell(shell).run()
        } else {
            do {
                _ = try shell.run(path: "-")
            } catch {
                // What was printed before comes first.
                try shell.flush()
                throw error
            }
            try shell.flush()
        }
    }

    private func export(_ store: Store, to path: String) throws {
        let export = try store.exportSQLite(to: path, types: words)
        try output.printJSON(Report(export))
        try output.printLines(export.lines, verdict: .good)
    }

    private struct Report: Encodable {
        struct Table: Encodable {
            var name: String
            var rows: Int
            var indexes: Int
        }

        var verdict = "exported"
        var path: String
        var tables: [Table]

        init(_ export: SQLiteExport) {
            path = export.path
            tables = export.tables.map { Table(name: $0.name, rows: $0.rows, indexes: $0.indexes) }
        }
    }
}

/// A file with a name, as `old=old.sqlite`.
struct NamedFile: ExpressibleByArgument {
    let name: String
    let path: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "=") else { return nil }
        name = String(argument[..<sign])
        path = String(argument[argument.index(after: sign)...])
    }
}
#endif
