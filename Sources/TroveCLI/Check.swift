// `trove check`

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// Compares indexes and unique constraints with the records, and checks the links of relations.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare indexes and unique constraints with the records, and check the links of relations.",
        discussion: """
            The entries are derived from the definitions in the catalog; the Swift types are not needed. Only the program \
            knows conditions, properties with a hand-written coding, records of older layouts, and whether a unique \
            constraint allows duplicate values: these are reported as not checked.

            Links to records that are not stored are allowed. So are times of entities that are not stored, and deleted \
            entities that are stored as well. They are counted, and the first 1,000 printed as remarks.

            Exit codes: 0 no difference was found, 1 there are differences, or a record is damaged, 2 the store could not \
            be read, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Argument(help: "The type's name, with or without its module. Default: all types.")
    var type: String?

    @Argument(help: "The index's name, as trove info prints it: index(age). Default: all indexes of the type.")
    var index: String?

    @OptionGroup var output: CommandOutput

    func run() throws {
        let (report, damagedLinks) = try output.run {
            let store = try store.open(output)
            return try store.read { context in
                let types = try type.map { [try context.storedType(named: $0)] } ?? context.storedTypes()
                let checks = try output.withProgress("checking", unit: "entries", after: .seconds(1)) { progress in
                    try index.map { [try check($0, of: types[0], context, progress)] }
                        ?? context.checkStoredIndexes(of: types, progress: progress)
                }
                let notes = index == nil ? try types.map { try context.relationNotes(of: $0) } : []
                let report = Report(path: store.path, checks, notes)
                let links = Set(types.filter { $0.links != nil }.map(\.name))
                return (report, report.damagedRecords.count { links.contains($0.type) })
            }
        }
        try output.printJSON(report)
        try output.printLines(
            lines(report, damagedLinks: damagedLinks), verdict: report.differences == 0 ? .good : .bad)
        throw report.differences == 0 ? Outcome.good : Outcome.damaged
    }

    private func check(
        _ index: String, of type: StoredType, _ context: ReadContext, _ progress: @escaping (Int, Int) -> Void
    ) throws -> StoredTypeCheck {
        do {
            return try context.checkStoredIndexes(of: type, index: index, progress: progress)
        } catch StoreError.schema(.noSuchIndex(let type, let index, let indexes)) {
            throw NoSuchIndex(type: type, index: index, indexes: indexes)
        }
    }

    private struct Report: Encodable {
        let path: String
        let verdict: String
        let differences: Int
        let damagedRecords: [IndexDifference]
        let links: [IndexDifference]
        let indexes: [StoredIndexCheck]
        /// The number of ends of links whose records are not stored.
        let danglingEnds: Int
        /// The number of times of entities that are not stored.
        let timesWithoutEntity: Int
        /// The number of deleted entities whose ids are stored as well.
        let deletedAndStored: Int
        let notes: [RelationNote]

        init(path: String, _ types: [StoredTypeCheck], _ notes: [RelationNotes]) {
            self.path = path
            links = types.flatMap(\.linkDifferences)
            danglingEnds = notes.reduce(0) { $0 + $1.danglingEnds }
            timesWithoutEntity = notes.reduce(0) { $0 + $1.timesWithoutEntity }
            deletedAndStored = notes.reduce(0) { $0 + $1.deletedAndStored }
            self.notes = Array(notes.flatMap(\.notes).prefix(1000))
            damagedRecords = types.flatMap(\.damagedRecords)
            indexes = types.flatMap(\.indexes)
            differences = types.reduce(0) { $0 + $1.differences.count }
            verdict = differences == 0 ? "sound" : "different"
        }
    }

    private func lines(_ report: Report, damagedLinks: Int) -> [String] {
        let damaged = report.damagedRecords.count - damagedLinks
        let differences = report.differences - report.damagedRecords.count
        var findings: [String] = []
        if differences > 0 {
            findings.append("\(counted(differences, "difference")): run trove rebuild or store.rebuild()")
        }
        if damaged > 0 {
            findings.append(
                "\(counted(damaged, "damaged record")): run store.delete(_:key:ignoringDamage:) or trove salvage")
        }
        if damagedLinks > 0 {
            findings.append(
                "\(counted(damagedLinks, "damaged link")): run entity.detach(_:ids:in:ignoringDamage:) or trove salvage"
            )
        }
        let verdict = findings.isEmpty ? "no differences were found" : findings.joined(separator: "; ")
        let omitted =
            report.danglingEnds + report.timesWithoutEntity + report.deletedAndStored - report.notes.count
        return report.notes.map { "remark: \($0)" } + (omitted > 0 ? ["… and \(omitted.grouped) more"] : [])
            + report.damagedRecords.map(\.description) + report.links.map(\.description)
            + report.indexes.flatMap { index in index.differences.map(\.description) + [line(index)] }
            + ["\(report.path): \(verdict)"]
    }

    private func line(_ index: StoredIndexCheck) -> String {
        let found = index.differences.isEmpty ? "no differences" : counted(index.differences.count, "difference")
        let extent =
            switch index.extent {
            case .whole: found
            case .entries: "\(found); missing entries were not checked: only the program knows the condition"
            case .notReady: "not checked: the index is not ready"
            case .unknown: "not checked: only its program can derive its entries"
            }
        let older =
            index.olderRecords > 0
            ? "; not compared: \(counted(index.olderRecords, "record of an older layout", "records of older layouts"))"
            : ""
        let entries = index.hasGroups ? counted(index.entries, "group") : counted(index.entries, "entry", "entries")
        return "\(indexName(index.index, of: index.type)): \(entries), \(extent)\(older)"
    }
}
#endif
