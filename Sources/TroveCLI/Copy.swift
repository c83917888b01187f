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

            Exit codes: 0 copied, 1 a record is damaged, and there is no copy, 2 the store could not be read, or the copy \
            could not be written, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The file of the copy, which must not exist yet.", completion: .file())
    var destination: String

    @Flag(help: "Leave out free pages: the copy is smaller, and has no remains of deleted records.")
    var compact = false

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run { try store.open(output).copy(to: destination, compacting: compact) }
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
