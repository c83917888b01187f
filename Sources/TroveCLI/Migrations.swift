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

            Exit codes: 0 every record has the newest layout, 1 a record is damaged, 2 the store could not be read, \
            3 there are records of older layouts, 64 wrong arguments.
            """)

    @OptionGroup var store: OpenedStore
    @OptionGroup var output: CommandOutput

    func run() throws {
        let report = try output.run {
            let store = try store.open(output)
            return try store.read { context in
                Report(
                    path: store.path,
                    types: try context.storedTypes().map { MigratedType($0, try context.storedVersions(of: $0)) })
            }
        }
        try output.printJSON(report)
        output.printLines(lines(report), verdict: report.isMigrated ? .good : .pending)
        throw report.isMigrated ? Outcome.good : Outcome.pendingMigration
    }

    private struct Report: Encodable {
        let path: String
        let verdict: String
        let isMigrated: Bool
        let types: [MigratedType]

        init(path: String, types: [MigratedType]) {
            self.path = path
            self.types = types
            isMigrated = types.allSatisfy { $0.older == 0 && $0.migration == nil }
            verdict = isMigrated ? "migrated" : "pending"
        }

        private enum CodingKeys: CodingKey { case path, verdict, types }
    }

    private func lines(_ report: Report) -> [String] {
        let older = report.types.reduce(0) { $0 + $1.older }
        let verdict =
            report.isMigrated
            ? "every record has the newest layout"
            : counted(older, "record has an older layout", "records have older layouts")
        return report.types.flatMap(lines) + ["\(report.path): \(verdict)"]
    }

    private func lines(_ type: MigratedType) -> [String] {
        var lines = ["\(type.name): \(counted(type.records, "record")), \(type.older.grouped) of older layouts"]
        for version in type.versions {
            let layout = version.layout ?? "its layout is not known"
            let newest = version.isNewest ? ", the newest" : ""
            lines.append("  version \(version.version)\(newest): \(counted(version.records, "record")): \(layout)")
            lines += version.changes.map { "    \($0)" }
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

        init(_ version: UInt32, records: Int, of type: StoredType) {
            self.version = version
            self.records = records
            layout = type.layouts[version]
            isNewest = version == type.versions.last
            let newest = type.versions.last.flatMap { type.layouts[$0] }
            changes = isNewest || records == 0 ? [] : Self.changes(from: layout, to: newest)
        }

        private static func changes(from old: String?, to new: String?) -> [String] {
            guard let old, let new else { return [] }
            do {
                return changes(from: try RecordLayout(old), to: try RecordLayout(new))
            } catch {
                return ["only the program can compare these layouts"]
            }
        }

        /// Returns the changes of the rules, and the properties with unknown conversions.
        private static func changes(from old: RecordLayout, to new: RecordLayout) -> [String] {
            do throws(ConversionError) {
                return try RecordConversion(from: old, to: new).changes.map(\.description)
            } catch {
                // The error gives the path of a field inside a value: then the whole value is left out.
                let field = error.field.split(separator: ".").first.map(String.init) ?? error.field
                let rest = (old: old.without(field), new: new.without(field))
                guard rest != (old, new) else { return [text(of: error)] }
                return [text(of: error)] + changes(from: rest.old, to: rest.new)
            }
        }

        private static func text(of error: ConversionError) -> String {
            switch error.reason {
            case .noDefault: "\(error.field) is new: the program decides its value in old records"
            case .differentTypes(let old, let new):
                "\(error.field) was \(old), is \(new): the program decides the conversion"
            default: "\(error)"
            }
        }
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

    init(_ type: StoredType, _ counts: [UInt32: Int]) {
        (name, keyPrefix, records) = (type.name, type.keyPrefix, type.count)
        older = records - (type.versions.last.flatMap { counts[$0] } ?? 0)
        let unknown = counts.keys.filter { type.layouts[$0] == nil }.sorted()
        versions = (unknown + type.versions).map { Version($0, records: counts[$0] ?? 0, of: type) }
        migration = type.migration.map(Migration.init)
    }
}

extension RecordLayout {
    /// Returns the layout without the properties of this name.
    fileprivate func without(_ name: String) -> RecordLayout {
        RecordLayout(key: key.filter { $0.name != name }, fields: fields.filter { $0.name != name })
    }
}
#endif
