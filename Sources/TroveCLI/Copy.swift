// `trove copy`

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// Copies a store that may be in use.
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a store, even while it is in use, and verify the copy.",
        discussion: """
            The copy contains the last commit. Copying the file by other means could miss pages.

            --since copies only what has changed since a commit, by the store's history. trove apply brings a copy up to \
            date with that file: --since "$(trove history --token COPY)" is the right token for COPY.

            Exit codes: 0 copied, 1 a record is damaged, and there is no copy, 2 the store could not be read, no longer \
            has the commits after the token, or the copy could not be written, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The file of the copy, which must not exist yet.", completion: .file())
    var destination: String

    @Flag(help: "Leave out free pages: the copy is smaller, and has no remains of deleted records.")
    var compact = false

    @Option(help: "Copy only what has changed since a token of trove history.")
    var since: String?

    @OptionGroup var output: CommandOutput

    func validate() throws {
        guard let since else { return }
        if HistoryToken(rawValue: since) == nil { throw ValidationError("--since is not a token.") }
        if compact { throw ValidationError("The file of --since has no free pages. Leave out --compact.") }
    }

    func run() throws {
        let report = try output.run {
            let store = try store.open(output)
            guard let token = since.flatMap(HistoryToken.init(rawValue:)) else {
                return try store.copy(to: destination, compacting: compact)
            }
            return try store.copyChanges(since: token, to: destination)
        }
        try output.printJSON(Verdict(report: report))
        try output.printLines(lines(report))
    }

    private struct Verdict: Encodable {
        var verdict = "copied"
        var report: CopyReport
    }

    private func lines(_ report: CopyReport) -> [String] {
        report.types.map { "\($0.name): \(counted($0.records, $0.links.noun)) copied" } + [
            "\(report.path): copied and verified; \(counted(report.records, "record")), \(report.size.grouped) bytes"
        ]
    }
}
#endif
