// `trove apply`

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// Brings a copy of a store up to date.
struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring a copy of a store up to date with what trove copy --since has copied.",
        discussion: """
            The copy then has the records, the types and the history of the store at that time. Everything is applied in \
            one transaction, or nothing; a second time, nothing is left to apply. The changes can also be the store \
            itself, or a newer copy of it. The indexes of changed types are emptied, and their program rebuilds them when \
            it opens the copy.

            Exit codes: 0 applied, 1 one of the files is damaged, 2 a file could not be read or written, is not of the \
            same store, has been written to since, or lacks commits in between, 64 wrong arguments.
            """)

    @Argument(help: "The file of trove copy --since.", completion: .file())
    var changes: String

    @Argument(help: "The copy to change.", completion: .file())
    var copy: String

    @OptionGroup var output: CommandOutput

    func run() throws {
        let applied = try output.run { try Store.applyChanges(from: changes, to: copy) }
        try output.printJSON(Verdict(applied: applied))
        let records = "\(counted(applied.stored, "record")) stored, \(applied.removed.grouped) removed"
        try output.printLines(["\(copy): \(counted(applied.commits, "commit")) applied; \(records)"])
    }

    private struct Verdict: Encodable {
        var verdict = "applied"
        var applied: AppliedChanges
    }
}
#endif
