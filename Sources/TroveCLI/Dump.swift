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

            --where prints the records that match a condition: a property, an operator and a value, such as 'age >= 18'. \
            The operators are ==, !=, <, <=, >, >= and contains (a part of a text, or an element of a list). home.city is \
            a property of a property, nil the missing value of an optional. All conditions must be true.

            --all prints the records of all types, after lines that describe the types: a backup in text, which \
            trove load turns into a store with the same records. Its last line has the number of records: so load notices \
            a cut backup. With --limit 0, it prints the descriptions alone.

            A damaged record is reported on standard error; all others are printed.

            Exit codes: 0 printed, 1 a record is damaged, 2 the store could not be read, does not have the type, or has a \
            field that only its own type can read, or the output could not be written, 64 wrong arguments.
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

    @Option(
        name: .customLong("where"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A condition on the records, such as 'age >= 18'.", valueName: "condition"))
    var conditions: [String] = []

    @Flag(help: "Start with the greatest key.")
    var reverse = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        guard all == (type == nil) else { throw ValidationError("Give either a type or --all.") }
        if all, !from.isEmpty || !to.isEmpty || !conditions.isEmpty || reverse {
            throw ValidationError("A bound, --where or --reverse needs a single type.")
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
        let damaged = DamagedRecords(output)
        try output.run(printsRecords: true) {
            try store.open(output).read { context in
                guard let name = type else {
                    return try context.forEachDumpLine(
                        of: context.storedTypes(), limit: limit ?? .max, onDamage: damaged.note, output.printRecord)
                }
                let type = try context.storedType(named: name)
                let range = try StoredKeyRange(of: type, from: from, upTo: to, isDescending: reverse)
                let conditions = try conditions.map { try StoredCondition($0, of: type) }
                if schema {
                    try context.forEachDumpLine(
                        of: [type], in: range, limit: limit ?? .max, where: conditions, onDamage: damaged.note,
                        output.printRecord)
                } else if format == .csv {
                    try context.forEachCSVRow(
                        of: type, in: range, limit: limit ?? .max, where: conditions, onDamage: damaged.note,
                        output.printRow)
                } else {
                    let records = Records(context: context, type: type, range: range, conditions: conditions)
                    if table {
                        try printTable(records, damaged)
                    } else {
                        try forEach(of: records, damaged.note) { try output.printRecord($0.json) }
                    }
                }
            }
        }
        try damaged.finish()
    }

    /// The records to print.
    private struct Records {
        let context: ReadContext
        let type: StoredType
        let range: StoredKeyRange
        let conditions: [StoredCondition]
    }

    private func printTable(_ records: Records, _ damaged: DamagedRecords) throws {
        var table = TextTable()
        try forEach(of: records, damaged.note) { table.measure($0.cells) }
        try table.header.forEach(output.printHeading)
        try forEach(of: records, { _ in }) { try output.printRecord(table.line($0.cells)) }
    }

    private func forEach(
        of records: Records, _ onDamage: @escaping (StoreError) throws -> Void, _ body: (StoredRecord) throws -> Void
    ) throws {
        var left = limit ?? .max
        guard left > 0 else { return }
        try records.context.forEachStoredRecord(
            of: records.type, in: records.range, where: records.conditions, onDamage: onDamage
        ) { record in
            try body(record)
            left -= 1
            return left > 0
        }
    }
}

/// The damaged records that a dump leaves out.
private final class DamagedRecords {
    private let output: CommandOutput
    private var count = 0
    private var first: StoreError?

    /// The maximum number of records to name.
    private static let limit = 1000

    init(_ output: CommandOutput) { self.output = output }

    /// Reports a damaged record on standard error.
    func note(_ error: StoreError) throws {
        count += 1
        first = first ?? error
        if count <= Self.limit { try output.printNote("trove: \(error.inCommandWords)") }
    }

    /// Ends the command with the exit code of damage if a record was left out.
    func finish() throws {
        guard let first else { return }
        let left = "\(counted(count, "damaged record was", "damaged records were")) left out"
        if output.json, !output.quiet {
            try CommandOutput.printJSONError("\(left): \(first.inCommandWords)", isDamage: true, onOneLine: true)
        }
        try output.printNote("trove: \(left)")
        throw Outcome.damaged
    }
}
#endif
