// `trove verify`

#if CommandLine
import ArgumentParser
import LMDB
import Trove
import TroveTerminal

/// Verifies a store's file.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify a store's file, and report damage.",
        discussion: """
            Reads every page in use, and verifies the checksum of every record. The file is not changed, and damage in it \
            can do no harm. Prints a line for each finding, and the verdict on the last line.

            Exit codes: 0 sound, 1 damaged, 2 it could not be read or is not a store's file, 64 wrong arguments.
            """)

    @Argument(help: "The store's file, or the directory that contains it.", completion: .file())
    var file: String

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run("verifying") { progress in try Store.verify(path: file, progress: progress) }
        let (word, outcome) =
            switch (report.isSound, report.isStore) {
            case (true, true): ("sound", Outcome.good)
            case (true, false): ("no store", Outcome.failed)
            case (false, _): ("damaged", Outcome.damaged)
            }
        try output.printJSON(Verdict(verdict: word, report: report))
        try output.printLines(lines(report), verdict: report.isSound && report.isStore ? .good : .bad)
        throw outcome
    }

    private struct Verdict: Encodable {
        var verdict: String
        var report: VerificationReport
    }

    private func lines(_ report: VerificationReport) -> [String] {
        var lines = report.findings.map { ($0.isDamage ? "" : "remark: ") + "\($0)" }
        let omitted = report.file.omittedFindings
        if omitted > 0 { lines.append("… and \(omitted.grouped) more") }
        for (place, type) in report.types.enumerated() {
            lines.append(line(type))
            // While a migration changes the keys of a type, the type has two tables.
            let isLast = !report.types[(place + 1)...].contains { $0.name == type.name }
            if isLast { lines += report.indexes.filter { $0.type != nil && $0.type == type.name }.map(line) }
        }
        lines += report.indexes.filter { index in !report.types.contains { $0.name == index.type } }.map(line)
        let verdict =
            switch (report.isSound, report.isStore) {
            case (true, true): "sound"
            case (true, false): "a sound LMDB file, but not a store"
            case (false, _): "damaged, \(counted(report.file.damages, "finding"))"
            }
        let pages = "\(report.file.usedPages) pages in use, \(report.file.freePages) free"
        return lines + ["\(file): \(verdict); \(counted(report.records, "record")), \(pages)"]
    }

    private func line(_ type: VerificationReport.RecordType) -> String {
        let name = type.name ?? "table \(type.table) of an unknown type"
        return "\(name): \(counted(type.records, type.links.noun)), \(sizes(type.bytes, type.damaged))"
    }

    private func line(_ index: VerificationReport.Index) -> String {
        let name = index.name.map { indexName($0, of: index.type ?? "unknown type") }
        let content = index.part == nil ? counted(index.entries, "entry", "entries") : counted(index.entries, "row")
        return "\(name ?? "table \(index.table) of an unknown index")\(index.part.map { ", " + $0 } ?? ""): "
            + "\(content), \(sizes(index.bytes, index.damaged))"
    }

    private func sizes(_ bytes: Int, _ damaged: Int) -> String {
        "\(bytes.grouped) bytes" + (damaged > 0 ? ", \(damaged.grouped) damaged" : "")
    }
}
#endif
