// `trove dump`

import ArgumentParser
import LMDB
import Trove
import TroveTerminal

/// Prints the records of a type.
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print records of a type, one JSON object a line, or as a table.",
        discussion: """
            Each record is printed by the layout with which it was written; the Swift type is not needed. A bound names the \
            first components of a key, each by an option of its own: --from JFK --from 2013-01-01T00:00:00Z.

            Exit codes: 0 printed, 1 a record is damaged, 2 the store could not be read, has no such type, or a field that \
            its own type alone can read, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String

    @Flag(help: "Print a table for people. The records are read twice, the first time for its columns.")
    var table = false

    @Option(help: "The most records to print.")
    var limit: Int?

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The first key to print, by its next component.")
    var from: [String] = []

    @Option(name: .long, parsing: .unconditionalSingleValue, help: "The key to stop before, by its next component.")
    var to: [String] = []

    @Flag(help: "Begin with the greatest key.")
    var reverse = false

    @OptionGroup var output: CommandOutput

    func validate() throws {
        if table && output.json {
            throw ValidationError("--table and --json are two forms of output. Give one of them.")
        }
        if let limit, limit < 0 { throw ValidationError("--limit is a number of records, from 0 on.") }
    }

    func run() throws {
        try output.run(printsRecords: true) {
            try store.open().read { context in
                let type = try context.storedType(named: type)
                let range = try StoredKeyRange(of: type, from: from, upTo: to, isDescending: reverse)
                if table {
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
        table.header.forEach(output.printRecord)
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

extension StoredRecord {
    /// The values by name, as a table shows them.
    fileprivate var cells: [TextTable.Cell] {
        fields.fields.map { field in
            TextTable.Cell(
                column: FileFinding.printable(field.name), text: FileFinding.printable(field.value.cellText),
                isNumber: field.value.isNumber)
        }
    }
}

extension FieldValue {
    /// The value as JSON, but what is a string there without its quotes.
    fileprivate var cellText: String {
        if case .string(let text) = self { return text }
        let json = json
        return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
    }

    /// Whether the value can stand in a column of numbers, as nil can.
    fileprivate var isNumber: Bool {
        switch self {
        case .null, .integer, .unsigned, .float, .double, .decimal: true
        case .some(let value): value.isNumber
        default: false
        }
    }
}
