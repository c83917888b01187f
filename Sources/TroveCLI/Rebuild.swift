// `trove rebuild`

import ArgumentParser
import Trove
import TroveTerminal

/// Has indexes and unique constraints be made anew.
struct Rebuild: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Empty indexes and unique constraints, for their program to make them anew.",
        discussion: """
            How entries follow from records, only the program knows in full. It makes what was emptied when it next opens \
            the store with the type declared; until then its queries do without, and give the same records.

            Exit codes: 0 emptied, 1 the store is damaged, 2 it could not be written, or there is no such type or table, 64 \
            wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String

    @Argument(help: "The table's name, as trove check and trove info print it: index(age). All of the type without it.")
    var index: String?

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let store = try store.openForWriting()
            let type = try store.read { try $0.storedType(named: self.type) }
            return Report(path: store.path, type: type.name, indexes: try store.markForRebuild(index, of: type))
        }
        try output.printJSON(report)
        output.printLines(
            report.indexes.map { "\(report.type), \($0): emptied" }
                + [
                    "\(report.path): \(report.indexes.count.grouped) indexes are rebuilt when their program opens the store"
                ])
    }

    private struct Report: Encodable {
        let path: String
        let verdict = "emptied"
        let type: String
        let indexes: [String]
    }
}
