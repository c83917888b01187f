// `trove copy`

import ArgumentParser
import Trove
import TroveTerminal

/// Copies a store that may be in use.
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a store, also one that is in use, and verify the copy.",
        discussion: """
            The copy holds the last commit. Copying the file by other means could miss pages.

            Exit codes: 0 copied, 1 a record is damaged, so that there is no copy, 2 the store could not be read or the \
            copy not written, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The file of the copy, which must not be there yet.")
    var destination: String

    @Flag(help: "Leave out free pages: smaller, and without remains of what was deleted.")
    var compact = false

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run { try store.open().copy(to: destination, compacting: compact) }
        try output.printJSON(Verdict(report: report))
        output.printLines(lines(report))
    }

    private struct Verdict: Encodable {
        var verdict = "copied"
        var report: CopyReport
    }

    private func lines(_ report: CopyReport) -> [String] {
        report.types.map { "\($0.name): \($0.records.grouped) records copied" } + [
            "\(report.path): copied and verified; \(report.records.grouped) records, \(report.size.grouped) bytes"
        ]
    }
}
