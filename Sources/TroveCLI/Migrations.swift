// `trove migrations`

#if CommandLine
import ArgumentParser
import Trove
import TroveTerminal

/// Counts the records of older layouts.
struct Migrations: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the records of older layouts, and list the changes that the automatic rules make.",
        discussion: """
            The rules are applied as far as the store's data allows. Only the program knows initial values, old names and \
            migrations by hand. Every record is read, and its checksum is verified.

            --lock schema.json also lists the differences of the newest layouts from the file of a SchemaLock.

            Exit codes: 0 every record has the newest layout, 1 a record is damaged, 2 the store or the schema lock could \
            not be read, 3 there are records of older layouts, or the store differs from the lock, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore

    @Option(help: "Compare the store with the file of a schema lock.", completion: .file())
    var lock: String?

    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let schema = try lock.map { try LockedSchema(path: $0) }
            let store = try store.open(output)
            return try store.read { context in
                Report(
                    path: store.path, types: try context.storedTypes().map { try MigratedType($0, in: context) },
                    differences: try schema.map { try context.differences(from: $0).map(LockDifference.init) })
            }
        }
        let isGood = report.isMigrated && report.differences?.isEmpty != false
        try output.printJSON(report)
        try output.printLines(lines(report), verdict: isGood ? .good : .pending)
        throw isGood ? Outcome.good : Outcome.pendingMigration
    }

    /// The differences of a type from a schema lock.
    private struct LockDifference: Encodable {
        let type: String
        let lines: [String]

        init(_ difference: LockedSchema.Difference) { (type, lines) = (difference.type, difference.lines) }
    }

    private struct Report: Encodable {
        let path: String
        let verdict: String
        let isMigrated: Bool
        let types: [MigratedType]
        /// The differences from the schema lock; nil without one.
        let differences: [LockDifference]?

        init(path: String, types: [MigratedType], differences: [LockDifference]?) {
            self.path = path
            self.types = types
            self.differences = differences
            isMigrated = types.allSatisfy { $0.older == 0 && $0.migration == nil }
            verdict = isMigrated ? "migrated" : "pending"
        }

        private enum CodingKeys: CodingKey { case path, verdict, types, differences }
    }

    private func lines(_ report: Report) -> [String] {
        let older = report.types.reduce(0) { $0 + $1.older }
        let verdict =
            report.isMigrated
            ? "every record has the newest layout"
            : counted(older, "record has an older layout", "records have older layouts")
        return report.types.flatMap(lines) + lockLines(report) + ["\(report.path): \(verdict)"]
    }

    private func lockLines(_ report: Report) -> [String] {
        guard let lock, let differences = report.differences else { return [] }
        guard !differences.isEmpty else { return ["\(lock): the store has the layouts of the lock"] }
        return ["\(lock): \(counted(differences.count, "type")) of the store and the lock differ"]
            + differences.flatMap { ["  \($0.type)"] + $0.lines.map { "    \($0)" } }
    }

    private func lines(_ type: MigratedType) -> [String] {
        var lines = ["\(type.name): \(counted(type.records, "record")), \(type.older.grouped) of older layouts"]
        for version in type.versions {
            let layout = version.layout ?? "its layout is not known"
            let newest = version.isNewest ? ", the newest" : ""
            lines.append("  version \(version.version)\(newest): \(counted(version.records, "record")): \(layout)")
            lines += version.changes.map { "    \($0)" }
        }
        if type.relation == nil, !type.indexes.isEmpty {
            lines.append("  indexes, for programs that declare all of them: \(type.indexes.joined(separator: ", "))")
        }
        if let relation = type.relation {
            lines.append("  links of \(relation)")
            lines += (type.formerNames ?? []).map { "    \($0)" }
        }
        if let migration = type.migration {
            let keys = migration.changesKeys ? ", with new keys" : ""
            lines.append(
                "  being rewritten as version \(migration.version)\(keys): \(migration.done.grouped) of "
                    + "\(counted(migration.total, "record")) done")
        }
        return lines
    }
}

/// A type, and the number of its records in each layout.
private struct MigratedType: Encodable {
    struct Version: Encodable {
        let version: UInt32
        let layout: String?
        let records: Int
        let isNewest: Bool
        /// The changes from this layout to the newest layout.
        let changes: [String]

        /// The fields that the rules drop, and the number of their values.
        let losses: [Loss]

        init(_ version: UInt32, records: Int, of type: StoredType, _ effects: RuleEffects?) {
            self.version = version
            self.records = records
            layout = type.layouts[version]
            isNewest = version == type.versions.last
            losses = effects?.losses.map(Loss.init) ?? []
            if let effects {
                changes = Self.changes(effects)
            } else {
                let isOlder = !isNewest && records > 0 && layout != nil
                changes = isOlder ? ["only the program can compare these layouts"] : []
            }
        }

        /// Returns the properties with unknown conversions, and the changes of the rules.
        private static func changes(_ effects: RuleEffects) -> [String] {
            let removed = effects.changes.filter { $0.kind == .removed }.map(\.name)
            return effects.undecidedLines
                + effects.changes.map { change in
                    let loss = change.kind == .removed ? effects.losses.first { $0.field == change.name } : nil
                    return loss.map { "\(change.subject) is removed: \(text(of: $0))" } ?? change.description
                }
                + effects.losses.filter { !removed.contains($0.field) }.map {
                    "\($0.field) is removed: \(text(of: $0))"
                }
        }

        private static func text(of loss: FieldLoss) -> String {
            loss.records == 0
                ? "no record has a value" : counted(loss.records, "record has a value", "records have a value")
        }
    }

    /// A field that the rules drop.
    struct Loss: Encodable {
        let field: String
        /// The number of records with a value.
        let records: Int

        init(_ loss: FieldLoss) { (field, records) = (loss.field, loss.records) }
    }

    /// The progress of the rewrite.
    struct Migration: Encodable {
        let version: UInt32
        let done: Int
        let total: Int
        let changesKeys: Bool

        init(_ migration: StoredMigration) {
            (version, changesKeys) = (migration.version, migration.changesKeys)
            (done, total) = (migration.done, migration.total)
        }
    }

    let name: String
    let keyPrefix: UInt32
    let records: Int
    /// The number of records in a layout other than the newest.
    let older: Int
    /// The versions in their order, the newest last; unknown versions come first.
    let versions: [Version]
    let migration: Migration?
    /// The indexes and unique constraints. A program that does not declare one of them cannot write the type.
    let indexes: [String]
    /// The relation whose links are the records; nil for a type with records of its own.
    let relation: String?
    /// The former names of the relation's properties, in words; nil if there are none.
    let formerNames: [String]?

    init(_ type: StoredType, in context: ReadContext) throws {
        let counts = try context.storedVersions(of: type)
        var effects = type.ruleEffects(counts)
        try context.countLosses(of: type, &effects)
        (name, keyPrefix, records) = (type.name, type.keyPrefix, type.count)
        older = records - (type.versions.last.flatMap { counts[$0] } ?? 0)
        let unknown = counts.keys.filter { type.layouts[$0] == nil }.sorted()
        versions = (unknown + type.versions).map { Version($0, records: counts[$0] ?? 0, of: type, effects[$0]) }
        migration = type.migration.map(Migration.init)
        indexes = type.indexes.map(\.name)
        relation = type.links?.description
        let renamed = [type.links?.first, type.links?.second].compactMap(\.self).filter { !$0.formerNames.isEmpty }
        let names = renamed.map { "\($0.property ?? "a property") was named \($0.formerNames.joined(separator: ", "))" }
        formerNames = names.isEmpty ? nil : names
    }
}
#endif
