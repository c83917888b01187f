// `trove load`

#if CommandLine
import ArgumentParser
import Foundation
import Trove
import TroveStemming
import TroveTerminal

/// Loads records from text.
struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load records from JSON lines or a CSV, into a store or a new store.",
        discussion: """
            Reads what trove dump prints: trove dump --all old.trove | trove load new.trove. Records without lines that \
            describe them need --type, and a store or a schema file that has the type. Everything is loaded in one \
            transaction, or nothing. A dump that was cut, and an empty text, is an error.

            Up to 10,000 records of a type, or a quarter of the stored ones, the indexes are maintained. With more, all \
            but the unique constraints are emptied, and so are always those that only their program can maintain. Their \
            program rebuilds them when it next opens the store; a running program does without them until then.

            Exit codes: 0 loaded, 1 the store is damaged, 2 a line is not a record, its key exists, or the store could not \
            be written, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The file to read; - for standard input.")
    var input = "-"

    @Option(help: "The type of records without a description, with or without its module.")
    var type: String?

    @Option(help: "A file with the types: the output of trove dump --all --limit 0, or a schema lock.")
    var schema: String?

    @Option(help: "The form of the records: json or csv. A CSV begins with the names of the properties.")
    var format = RecordFormat.json

    @Flag(help: "Replace records whose keys exist.")
    var replace = false

    @Flag(help: "Skip records whose keys exist.")
    var skip = false

    @Flag(
        help: "Maintain all indexes, however many records there are. Indexes of their program only are then an error.")
    var keepIndexes = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if replace && skip {
            throw ValidationError("--replace and --skip contradict each other. Give only one of them.")
        }
        if format == .csv, type == nil { throw ValidationError("A CSV does not name its type. Give --type.") }
    }

    func run() throws {
        let report = try output.run { try load() }
        if report.mayBeIncomplete {
            try output.printNote(
                "warning: the dump is of an earlier version of Trove, and does not show whether it is complete.")
        }
        try output.printJSON(Verdict(report: report))
        try output.printLines(lines(report))
    }

    private func load() throws -> LoadReport {
        let lines = try LineReader(path: input)
        let types = try schema.map { path in
            try DumpedType.types(inSchema: FileError.text(of: path), path: path)
        }
        let rule: ConflictRule = replace ? .replace : skip ? .ignore : .throw
        let format: Store.LoadFormat = format == .csv ? .csv : .json
        guard FileManager.default.fileExists(atPath: store.file) else {
            return try Store.create(
                at: store.file, loading: format, onConflict: rule, type: type, schema: types ?? [],
                nextLine: lines.next)
        }
        return try store.openForWriting(output).load(
            format, onConflict: rule, type: type, schema: types ?? [], keepsIndexes: keepIndexes,
            analyzers: TextAnalyzer.languages, nextLine: lines.next)
    }

    private struct Verdict: Encodable {
        var verdict = "loaded"
        var report: LoadReport
    }

    private func lines(_ report: LoadReport) -> [String] {
        let indexes = report.types.reduce(0) { $0 + $1.indexesToRebuild.count }
        let rebuilt =
            counted(
                indexes, "index is rebuilt when its program opens the store",
                "indexes are rebuilt when their program opens the store")
            + "; a running program does without them until it opens the store again or calls store.rebuild()"
        return report.typeLines + [
            "\(store.file): \(counted(report.records, "record")) loaded\(indexes > 0 ? "; \(rebuilt)" : "")"
        ]
    }
}

extension LoadReport {
    /// A line for each type, and for each emptied index.
    var typeLines: [String] {
        types.flatMap { type in
            let skipped = type.skipped > 0 ? ", \(type.skipped.grouped) skipped" : ""
            return ["\(type.name): \(counted(type.loaded, type.links.noun)) loaded\(skipped)"]
                + type.indexesToRebuild.map { "\(indexName($0, of: type.name)): emptied" }
        }
    }
}
#endif
