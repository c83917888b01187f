// The shell of `trove sql`: statements and commands from a file, standard input or a terminal.

#if CommandLine
import Foundation
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// The shell of SQL on a store.
final class SQLShell {
    /// The error of a statement or a command of a text, with its place.
    struct LineError: Error, CustomStringConvertible {
        /// The path of the text; nil for standard input.
        var file: String?
        var line: Int
        var reason: any Error

        var description: String { "\(file.map { $0 + ", " } ?? "")line \(line): \(reason.inCommandWords)" }
    }

    let store: Store
    let output: CommandOutput
    private(set) var runner: StatementRunner
    private let importer: RecordImporter
    private var form: RowForm
    private var isTiming = false
    private var file: OutputFile?
    private var depth = 0
    /// The greatest number of files that read each other.
    private static let depthLimit = 16

    /// - Parameters:
    ///   - form: The form of rows at first.
    ///   - importer: The import of records from files.
    init(_ runner: StatementRunner, form: RowForm, _ importer: RecordImporter) {
        store = runner.store
        output = runner.output
        self.runner = runner
        self.importer = importer
        self.form = form
    }

    /// Refuses statements that write from now on.
    func stopWriting() { runner.mayWrite = false }

    private var sink: RowSink { RowSink(output: output, file: file) }

    /// Writes what is left for the file of `.output`, and for standard output.
    func flush() throws {
        try file?.flush()
        try StandardOutput.flush()
    }

    // MARK: Texts

    /// Runs the statements and commands of a text up to its end, or to the first error.
    ///
    /// - Parameter path: The path of the text; `-` for standard input.
    /// - Returns: Whether the text has no `.quit`.
    func run(path: String) throws -> Bool {
        let lines = try LineReader(path: path)
        var reader = StatementReader()
        func running(_ line: Int, _ body: () throws -> Bool) throws -> Bool {
            do {
                return try body()
            } catch let error as OutputError {
                throw error
            } catch let error as LineError {
                throw error
            } catch {
                throw LineError(file: path == "-" ? nil : path, line: line, reason: error)
            }
        }
        while let line = try lines.next() {
            if reader.isIdle, Self.isCommand(line) {
                reader.skipLine()
                guard try running(reader.lineCount, { try perform(line) }) else { return false }
                continue
            }
            for statement in reader.add(line) {
                _ = try running(statement.line) {
                    try execute(statement.text)
                    return true
                }
            }
        }
        if let statement = reader.end() {
            _ = try running(statement.line) {
                try execute(statement.text)
                return true
            }
        }
        return true
    }

    /// Returns whether a line is a command, if no statement has begun.
    static func isCommand(_ line: String) -> Bool { line.first { $0 != " " && $0 != "\t" } == "." }

    // MARK: Statements

    /// Runs a statement, and prints its rows.
    func execute(_ statement: String) throws {
        let start = ContinuousClock.now
        try runner.run(statement, RowPrinter(form: form, sink: sink))
        if isTiming {
            let seconds = (ContinuousClock.now - start).seconds
            try output.printNote(String(format: "%.3f seconds", seconds))
        }
    }

    // MARK: Commands

    /// Runs a command. Returns false for `.quit`.
    func perform(_ line: String) throws -> Bool {
        switch try ShellCommand(line) {
        case .tables(let pattern): try listTables(pattern)
        case .schema(let type):
            try store.read { context in
                for table in try context.sqlTables(named: type.map { [$0] } ?? []) {
                    for line in table.definition.split(separator: "\n") {
                        try sink.write(FileFinding.printable(String(line)))
                    }
                }
            }
        case .indexes(let type): try listIndexes(type)
        case .plan(let statement):
            let plan = try store.explainSQL(SQL(raw: statement), attaching: runner.attachments)
            for line in plan.split(separator: "\n") { try sink.write(FileFinding.printable(String(line))) }
        case .count(let type):
            try store.read { context in
                let name = try context.sqlTables(named: [type])[0].name
                let count = try context.sql(
                    SQL(raw: "SELECT count(*) FROM \(name.quotedForSQL)"), as: Int.self)
                for number in count { try sink.write("\(number)") }
            }
        case .timer(let isOn): isTiming = isOn
        case .mode(nil): try sink.write(form.rawValue)
        case .mode(let form?): self.form = form
        case .read(let path): return try read(path)
        case .output(let path):
            try file?.flush()
            file = nil
            file = try path.map { path in
                try OutputFile(path: path, except: [store.path] + runner.attachments.values.map(\.path))
            }
        case .export(let path, let types):
            for line in try store.exportSQLite(to: path, types: types).lines {
                try sink.write(FileFinding.printable(line))
            }
        case .import(let path, let table):
            guard runner.mayWrite else {
                throw ShellCommand.Failure(description: ".import writes: start the shell with --write.")
            }
            for line in try importer.load(path, into: table, of: store) {
                try sink.write(FileFinding.printable(line))
            }
        case .help:
            let width = ShellCommand.usages.map(\.usage.count).max() ?? 0
            for (usage, text) in ShellCommand.usages {
                try sink.write(usage + String(repeating: " ", count: width - usage.count) + "  " + text)
            }
        case .quit: return false
        }
        return true
    }

    private func read(_ path: String) throws -> Bool {
        guard path != "-" else { throw ShellCommand.Failure(description: ".read needs the path of a file.") }
        guard depth < Self.depthLimit else {
            throw ShellCommand.Failure(description: "\(path) is not read: \(depth) files read each other.")
        }
        depth += 1
        defer { depth -= 1 }
        return try run(path: path)
    }

    private func listTables(_ pattern: String?) throws {
        try store.read { context in
            for name in try context.sqlTables().map(\.name) {
                if let pattern, try context.sql("SELECT \(name) LIKE \(pattern)", as: Bool.self) != [true] { continue }
                try sink.write(FileFinding.printable(name))
            }
        }
    }

    private func listIndexes(_ type: String?) throws {
        try store.read { context in
            let tables = try context.sqlTables(named: type.map { [$0] } ?? [])
            let types = try context.storedTypes()
            for table in tables {
                for index in types.first(where: { $0.name == table.type })?.indexes ?? [] {
                    let state = index.isReady ? "" : ", not ready"
                    let entries =
                        index.hasGroups ? counted(index.count, "group") : counted(index.count, "entry", "entries")
                    let line = "\(table.name): \(index.name), \(entries)\(state)"
                    try sink.write(FileFinding.printable(line))
                }
            }
        }
    }

    /// The completion of the line of a terminal.
    ///
    /// - Parameter before: The lines before of the same statement.
    func completion(of text: String, cursor: Int, after before: String) -> LineCompletion {
        let tables: [SQLCompletion.Table]
        do {
            tables = try store.read { context in
                try context.sqlTables().map { SQLCompletion.Table(name: $0.name, columns: $0.columns) }
            }
        } catch {
            // A statement will report the error.
            tables = []
        }
        let completion = SQLCompletion(tables)
        guard before.isEmpty, Self.isCommand(text), !text.hasPrefix(".plan ") else {
            return completion.completion(of: text, cursor: cursor, after: before)
        }
        let head = text.prefix(cursor)
        let word = String(head.reversed().prefix { $0 != " " }.reversed())
        let command = String(head.prefix { $0 != " " })
        let candidates: [String] =
            switch command {
            case word: ShellCommand.names.filter { $0.hasPrefix(word) }
            case ".schema", ".count", ".indexes", ".export", ".import": completion.tableNames(startingWith: word)
            case ".mode": RowForm.allCases.map(\.rawValue).filter { $0.hasPrefix(word) }
            case ".timer": ["on", "off"].filter { $0.hasPrefix(word) }
            default: []
            }
        return LineCompletion(start: cursor - word.count, candidates: candidates)
    }
}

extension SQLiteExport {
    /// The result in lines.
    var lines: [String] {
        tables.map {
            "\($0.name): \(counted($0.rows, "row"))\($0.indexes == 0 ? "" : ", \(counted($0.indexes, "index", "indexes"))")"
        }
            + ["\(path): \(counted(tables.reduce(0) { $0 + $1.rows }, "row")) exported"]
    }
}
#endif
