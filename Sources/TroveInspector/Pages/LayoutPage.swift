// `/type/NAME/layout`: the layouts of a type, and what changed between them.

#if Inspector
import Trove
import TroveCoding
import TroveTerminal

/// The layouts of a type: the fields now, the differences between versions, and what the automatic rules would do.
enum LayoutPage: SnapshotPage {
    static let path = "/type/:name/layout"

    /// Returns the address of the layouts of a type.
    static func address(_ name: String) -> Address { Address("type", name, "layout") }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let type = try snapshot.type(named: request["name"])
        let counts = try VersionCounts(of: type, snapshot)
        let layouts = type.storedLayouts(counts?.isWhole == true ? counts?.records : nil)
        var budget = Budget()
        var sections: [HTML] = []
        for layout in layouts.reversed() where budget.left > 0 { sections.append(section(layout, counts, &budget)) }
        return PageContent(
            title: "Layouts of \(type.name)", command: Command("migrations", request.site.path),
            body: html {
                Tag.p(.class("pages")) {
                    Tag.a(.href(TypePage.address(type.name))) { Tag.bdi { type.name } }
                    Tag.a(.href(MigrationsPage.address)) { "All migrations" }
                }
                if let migration = type.migration { MigrationView.html(migration) }
                if let counts, !counts.isWhole {
                    Tag.p(.class("hint")) {
                        "The first \(counted(counts.read, "record")) of \(type.count.grouped) were counted by version."
                    }
                }
                if layouts.isEmpty { Tag.p(.class("empty")) { "No record was ever saved: there is no layout." } }
                sections
                Budget.hint(sections.count, of: layouts.count, "layouts")
            })
    }

    private static func section(
        _ layout: StoredLayout, _ counts: VersionCounts?, _ budget: inout Budget
    ) -> HTML {
        let fields = fields(layout, &budget)
        let differences = list("Differences from the version before", layout.differences.map { "\($0)" }, &budget)
        var effects = HTML()
        if let rules = layout.effects, layout.records != 0 {
            let lines = rules.undecidedLines + rules.changes.map { "\($0)" }
            effects = list(
                "When its records are read as the newest version", lines.isEmpty ? ["Nothing changes."] : lines, &budget
            )
        }
        return Tag.section {
            Tag.h2 { "Version \(Int(layout.version))" + (layout.isNewest ? ", the newest" : "") }
            Tag.p(.class("hint")) { records(layout, counts) }
            fields
            differences
            effects
        }
    }

    /// Returns the number of records of a layout, as far as it is known.
    private static func records(_ layout: StoredLayout, _ counts: VersionCounts?) -> String {
        if let records = layout.records { return counted(records, "record") }
        let known = counts?.records[layout.version] ?? 0
        return known > 0 ? "At least \(counted(known, "record"))" : "The number of its records is not known."
    }

    private static func fields(_ stored: StoredLayout, _ budget: inout Budget) -> HTML {
        guard let layout = stored.layout else {
            return Tag.p(.class("error")) { "This layout cannot be read: " + stored.text.cut(2_000).text }
        }
        let fields = layout.key.map { ($0, "key") } + layout.fields.map { ($0, "value") }
        let rows = budget.parts(of: fields) { row($0.0, $0.1) }
        return html {
            Tag.div(.class("scrolls")) {
                Tag.table {
                    Tag.thead {
                        Tag.tr {
                            for heading in ["Field", "Type", "Part of"] { Tag.th(.scope("col")) { heading } }
                        }
                    }
                    Tag.tbody { rows }
                }
            }
            Budget.hint(rows.count, of: fields.count, "fields")
        }
    }

    private static func row(_ field: LayoutField, _ part: String) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) { Tag.bdi { field.name.cut(2_000).text } }
            Tag.td { Tag.bdi(.class("kind")) { "\(field.type)".cut(2_000).text } }
            Tag.td { part }
        }
    }

    /// Returns lines below a title; nothing without lines.
    private static func list(_ title: String, _ lines: [String], _ budget: inout Budget) -> HTML {
        guard !lines.isEmpty else { return HTML() }
        let items = budget.parts(of: lines) { line in Tag.li { Tag.bdi { line.cut(2_000).text } } }
        return html {
            Tag.h3 { title }
            Tag.ul { items }
            Budget.hint(items.count, of: lines.count, "lines")
        }
    }
}

/// The numbers of a type's records by version, as far as a page may read.
struct VersionCounts {
    private(set) var records: [UInt32: Int] = [:]
    /// The number of records that were read.
    private(set) var read = 0
    /// Whether all records were read.
    private(set) var isWhole = true

    /// Counts records until the snapshot is old. Returns nil if the catalog has the numbers already, or if a record
    /// cannot be read without its program.
    init?(of type: StoredType, _ snapshot: Snapshot) throws {
        guard type.possibleVersions.count > 1 else { return nil }
        do {
            try snapshot.context.forEachStoredRecord(of: type, onDamage: { _ in }) { record in
                if read > 0, snapshot.isOld {
                    isWhole = false
                    return false
                }
                records[record.fieldsVersion, default: 0] += 1
                read += 1
                return true
            }
        } catch StoreError.schema {
            return nil
        }
    }
}
#endif
