// `trove upgrade`

#if CommandLine
import ArgumentParser
import LMDB
import Trove
import TroveTerminal

/// Converts a store's file to the format of the loaded liblmdb.
struct Upgrade: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Convert a store's file between the formats of LMDB 0.9 and 1.0.",
        discussion: """
            The file gets the format of the liblmdb that this command has loaded. All entries go into a new file, are \
            compared, and the new file takes the place of the old one. No program may have the store open.

            Exit codes: 0 converted, or nothing to do, 1 the store is damaged, 2 it could not be converted, 64 wrong \
            arguments.
            """)

    @Argument(help: "The store's file, or the directory that contains it.", completion: .file())
    var file: String

    @Flag(help: "Keep the old file beside the new one, as FILE.lmdb-0.9 or FILE.lmdb-1.0.")
    var keep = false

    @Flag(help: "Only say what the file's format is, and what a conversion needs.")
    var check = false

    @OptionGroup var output: CommandOutput

    func run() throws {
        if check {
            let plan = try output.run { try Store.upgradePlan(path: file) }
            try output.printJSON(plan)
            try output.printLines(lines(plan))
        } else {
            let report = try output.run("converting") { progress in
                try Store.upgrade(path: file, keepingOriginal: keep, progress: progress)
            }
            try output.printJSON(Verdict(verdict: report.hasConverted ? "converted" : "up to date", report: report))
            try output.printLines(lines(report), verdict: .good)
        }
    }

    private struct Verdict: Encodable {
        var verdict: String
        var report: UpgradeReport
    }

    private func lines(_ plan: UpgradePlan) -> [String] {
        let library = "liblmdb \(plan.library)"
        guard !plan.isUpToDate else {
            return ["\(file): the file has the format of \(plan.format), as \(library) reads it; nothing to do"]
        }
        let available = plan.availableSpace.map { ", \(Int(clamping: $0).grouped) are free" } ?? ""
        return [
            "a process has the store open: close it before the upgrade",
            "the upgrade needs \(plan.neededSpace.grouped) bytes of the volume\(available)",
            "\(file): the file has the format of \(plan.format), and \(library) reads that of \(plan.target)",
        ].filter { plan.isInUse || !$0.hasPrefix("a process") }
    }

    private func lines(_ report: UpgradeReport) -> [String] {
        guard report.hasConverted else {
            return ["\(file): the file has the format of \(report.to); nothing to do"]
        }
        let kept = report.original.map { ["the old file is \($0)"] } ?? []
        let sizes = "\(report.sizeBefore.grouped) bytes before, \(report.sizeAfter.grouped) now"
        return kept + [
            "\(file): converted from \(report.from) to \(report.to); \(counted(Int(report.entries), "entry", "entries")), "
                + sizes
        ]
    }
}
#endif
