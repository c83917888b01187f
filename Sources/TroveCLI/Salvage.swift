// `trove salvage`

#if CommandLine
import ArgumentParser
import LMDB
import Trove
import TroveTerminal

/// Copies the readable records of a damaged store to a new store.
struct Salvage: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy every readable record of a damaged store to a new store.",
        discussion: """
            A record is copied if its checksum is correct. The damaged file is not changed; no program may write to it \
            meanwhile. The new file appears when it is complete, or not at all.

            Exit codes: 0 everything was copied, 1 something was lost, 2 nothing could be read or written, 64 wrong \
            arguments.
            """)

    @Argument(help: "The damaged store's file, or the directory that contains it.", completion: .file())
    var source: String

    @Argument(help: "The file of the new store, which must not exist yet.", completion: .file())
    var destination: String

    @Flag(help: "Also search pages that no tree references: they were below a damaged branch.")
    var stray = false

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run("salvaging") { progress in
            try Store.salvage(from: source, to: destination, strayPages: stray, progress: progress)
        }
        try output.printJSON(Verdict(verdict: report.isComplete ? "complete" : "incomplete", report: report))
        try output.printLines(lines(report), verdict: report.isComplete ? .good : .bad)
        throw report.isComplete ? Outcome.good : Outcome.damaged
    }

    private struct Verdict: Encodable {
        var verdict: String
        var report: SalvageReport
    }

    private func lines(_ report: SalvageReport) -> [String] {
        var lines = report.source.findings.filter(\.isDamage).map { "\($0)" }
        if report.source.omittedFindings > 0 { lines.append("… and \(report.source.omittedFindings.grouped) more") }
        lines += report.tables.map(line)
        lines += report.losses.map { "lost: \($0)" }
        if report.restoredLinks > 0 {
            lines.append("\(counted(Int(report.restoredLinks), "link")): the lost direction was stored again")
        }
        lines += report.indexesToRebuild.map { "\($0): rebuilt when its program opens the store" }
        if report.hasNewIdentifier { lines.append("lost: the store's identifier; the new store has a new identifier") }
        if report.mayHoldDeletedRecords {
            lines.append("remark: free pages could not be identified: deleted records may be present again")
        }
        let verdict = report.isComplete ? "everything was copied" : "something was lost"
        return lines + ["\(destination): \(verdict); \(counted(Int(report.copied), "record"))"]
    }

    private func line(_ table: SalvageReport.Table) -> String {
        var line = table.type ?? "table \(table.name) of an unknown type"
        line += ": \(counted(Int(table.copied), table.links.noun)) copied"
        if let recorded = table.recorded, recorded != table.copied, recorded < 1 << 62 {
            line += " of \(Int(recorded).grouped)"
        }
        if table.damaged > 0 { line += ", \(Int(table.damaged).grouped) damaged" }
        if table.copiedFromStrayPages > 0 { line += ", \(Int(table.copiedFromStrayPages).grouped) from stray pages" }
        if table.isOfCommitBefore { line += ", from the commit before the last" }
        return line
    }
}
#endif
