// `trove check`

import ArgumentParser
import Trove
import TroveTerminal

/// Says whether indexes and unique constraints agree with the records.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare indexes and unique constraints with the records from which they follow.",
        discussion: """
            The entries are derived as the catalog describes them; the Swift type is not needed. What only the program \
            knows is said to be unchecked: conditions, properties of types that describe themselves, records of older \
            layouts, and whether a unique constraint lets two records have the same values.

            Exit codes: 0 no difference was found, 1 there are differences, or a record is damaged, 2 the store could not \
            be read, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore
    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let store = try store.open()
            let types = try store.read { context in
                try context.storedTypes().map { try context.checkStoredIndexes(of: $0) }
            }
            return Report(path: store.path, types)
        }
        try output.printJSON(report)
        output.printLines(lines(report))
        throw report.differences == 0 ? Outcome.good : Outcome.damaged
    }

    private struct Report: Encodable {
        let path: String
        let verdict: String
        let differences: Int
        let damagedRecords: [IndexDifference]
        let indexes: [StoredIndexCheck]

        init(path: String, _ types: [StoredTypeCheck]) {
            self.path = path
            damagedRecords = types.flatMap(\.damagedRecords)
            indexes = types.flatMap(\.indexes)
            differences = indexes.reduce(damagedRecords.count) { $0 + $1.differences.count }
            verdict = differences == 0 ? "sound" : "different"
        }
    }

    private func lines(_ report: Report) -> [String] {
        let damaged = report.damagedRecords.count
        let differences = report.differences - damaged
        var findings: [String] = []
        if differences > 0 { findings.append("\(differences.grouped) differences; trove rebuild, or store.rebuild()") }
        if damaged > 0 {
            findings.append("\(damaged.grouped) damaged records; store.delete(_:key:ignoringDamage:), or trove salvage")
        }
        let verdict = findings.isEmpty ? "no difference was found" : findings.joined(separator: "; ")
        return report.damagedRecords.map(\.description)
            + report.indexes.flatMap { index in index.differences.map(\.description) + [line(index)] }
            + ["\(report.path): \(verdict)"]
    }

    private func line(_ index: StoredIndexCheck) -> String {
        let found = index.differences.isEmpty ? "agrees" : "\(index.differences.count.grouped) differences"
        let extent =
            switch index.extent {
            case .whole: found
            case .entries: "\(found); missing entries were not checked: only the program knows the condition"
            case .notReady: "not checked: it is not ready"
            case .unknown: "not checked: only its program knows how it follows from the records"
            }
        let older =
            index.olderRecords > 0 ? "; \(index.olderRecords.grouped) records of older layouts were left out" : ""
        return "\(index.type), \(index.index): \(index.entries.grouped) entries, \(extent)\(older)"
    }
}
