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
            The first file is one of trove copy --since, the store itself, or a newer copy of it. The copy then has its \
            records, types and history. Everything is applied in one transaction, or nothing; a second time, nothing is \
            left to apply. The indexes of changed types are emptied, and their program rebuilds them when it opens the \
            copy.

            Exit codes: 0 applied, 1 a file is damaged, 2 a file could not be read or written, keeps no history, lacks \
            commits since the copy was made, or the copy is of another store or has been written to, 64 wrong arguments.
            """)

    @OptionGroup var changes: OpenedStore

    @Argument(help: "The copy to change.", completion: .file())
    var copy: String

    @OptionGroup var output: CommandOutput

    func run() throws {
        let applied = try output.run { try changes.open(output).applyChanges(to: copy) }
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
