// `trove dump`

#if CommandLine
import ArgumentParser
import LMDB
import Trove
import TroveTerminal

/// Prints the records of a type.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print records, as one JSON object per line, as CSV or as a table.",
        discussion: """
            Each record is printed with the layout with which it was written; the Swift type is not needed. A bound gives \
            the first components of a key, each in its own option: --from JFK --from 2013-01-01T00:00:00Z.

            --all prints the records of all types, after lines that describe the types: a backup in text, which \
            trove load turns into a store with the same records. With --limit 0, it prints the descriptions alone.

            Exit codes: 0 printed, 1 a record is damaged, 2 the store could not be read, does not have the type, or has a \
            field that only its own type can read, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String?

    @Flag(help: "Print the records of all types, with the lines that describe the types.")
    var all = false

    @Flag(help: "Print the lines that describe the type before its records, for trove load.")
    var schema = false

    @Option(help: "The form of the records: json or csv. A CSV begins with the names of the properties.")
    var format = RecordFormat.json

    @Flag(help: "Print a table. The records are read twice, the first time to measure the columns.")
    var table = false

    @Option(help: "The maximum number of records to print, with --all of each type.")
    var limit: Int?

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The next component of the first key to print.")
    var from: [String] = []

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The next component of the key to stop before.")
    var to: [String] = []

    @Flag(help: "Start with the greatest key.")
    var reverse = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        guard all == (type == nil) else { throw ValidationError("Give either a type or --all.") }
        if all, !from.isEmpty || !to.isEmpty || reverse {
            throw ValidationError("A bound or --reverse needs a single type.")
        }
        if all || schema, table || format == .csv {
            throw ValidationError("Only JSON lines can describe types. Leave out --table and --format csv.")
        }
        if table, format == .csv { throw ValidationError("--table and --format csv are different forms of output.") }
        if output.json, format == .csv {
            throw ValidationError("--json and --format csv are different forms of output.")
        }
        if table && output.json {
            throw ValidationError("--table and --json are different forms of output. Give only one of them.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            try store.open(output).read { context in
                guard let name = type else {
                    return try context.forEachDumpLine(
                        of: context.storedTypes(), limit: limit ?? .max, output.printRecord)
                }
                let type = try context.storedType(named: name)
                let range = try StoredKeyRange(of: type, from: from, upTo: to, isDescending: reverse)
                if schema {
                    try context.forEachDumpLine(of: [type], in: range, limit: limit ?? .max, output.printRecord)
                } else if format == .csv {
                    try context.forEachCSVRow(of: type, in: range, limit: limit ?? .max) { row in
                        output.printRow(row)
                    }
                } else if table {
                    try printTable(of: type, range, context)
                } else {
                    try forEachRecord(of: type, range, context) { output.printRecord($0.json) }
                }
            }
        }
    }

    private func printTable(of type: StoredType, _ range: StoredKeyRange, _ context: ReadContext) throws {
        var table = TextTable()
        try forEachRecord(of: type, range, context) { table.measure($0.cells) }
        table.header.forEach(output.printHeading)
        try forEachRecord(of: type, range, context) { output.printRecord(table.line($0.cells)) }
    }

    private func forEachRecord(
        of type: StoredType, _ range: StoredKeyRange, _ context: ReadContext, _ body: (StoredRecord) -> Void
    ) throws {
        var left = limit ?? .max
        guard left > 0 else { return }
        try context.forEachStoredRecord(of: type, in: range) { record in
            body(record)
            left -= 1
            return left > 0
        }
    }
}
#endif
