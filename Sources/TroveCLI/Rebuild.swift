// `trove rebuild`

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// Marks indexes and unique constraints for rebuilding, and rebuilds the lists of relations.
struct Rebuild: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Empty indexes and unique constraints, so that their program rebuilds them.",
        discussion: """
            Only the program can derive all entries. It rebuilds the indexes when it next opens the store with the type \
            declared. Until then, its queries do not use them, and return the same records.

            The lists of a relation need no program: the command rebuilds them at once, in one transaction. It also stores \
            the missing direction of a symmetric link. Name the relation as trove info does: Chats.Message.chat.

            Exit codes: 0 emptied or rebuilt, 1 the store is damaged, 2 it could not be written, or does not have the type or index, \
            64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module.")
    var type: String

    @Argument(help: "The index's name, as trove info prints it: index(age). Default: all indexes of the type.")
    var index: String?

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let store = try store.openForWriting(output)
            let type = try store.read { try $0.storedType(named: self.type) }
            let indexes = try markForRebuild(type, in: store)
            return Report(
                path: store.path, verdict: type.links == nil ? "emptied" : "rebuilt", type: type.name, indexes: indexes)
        }
        try output.printJSON(report)
        if report.verdict == "rebuilt" { return try output.printLines(linesOfRelation(report)) }
        let rebuilt = counted(
            report.indexes.count, "index is rebuilt when its program opens the store",
            "indexes are rebuilt when their program opens the store")
        try output.printLines(
            report.indexes.map { "\(indexName($0, of: report.type)): emptied" } + ["\(report.path): \(rebuilt)"])
    }

    private func linesOfRelation(_ report: Report) -> [String] {
        report.indexes.map { "\(indexName($0, of: report.type)): rebuilt" }
            + ["\(report.path): the links of \(report.type) were rebuilt"]
    }

    private func markForRebuild(_ type: StoredType, in store: Store) throws -> [String] {
        do {
            return try store.markForRebuild(index, of: type)
        } catch StoreError.schema(.noSuchIndex(let type, let index, let indexes)) {
            throw NoSuchIndex(type: type, index: index, indexes: indexes)
        }
    }

    private struct Report: Encodable {
        let path: String
        let verdict: String
        let type: String
        let indexes: [String]
    }
}
#endif
