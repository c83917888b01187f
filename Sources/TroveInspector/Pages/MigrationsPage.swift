// `/migrations`: the layouts of all types in the order of their introduction, and the migrations under way.

#if Inspector
import Trove
import TroveTerminal

/// The layouts of all types, and the migrations under way.
enum MigrationsPage: SnapshotPage {
    static let path = "/migrations"
    static let navigationName: String? = "Migrations"
    /// The maximum number of types of a page.
    private static let limit = 1_000
    /// The maximum number of layouts in the row of a type.
    private static let layoutLimit = 100
    static let address = Address("migrations")

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let types = try snapshot.context.storedTypes()
        let pending = types.filter(\.isPending)
        let after = request.query("after")
        let shown = types.drop { type in after.map { type.name <= $0 } ?? false }.prefix(limit)
        var budget = Budget()
        let rows = budget.parts(of: shown, row)
        let lock = try request.site.schemaLock.map { try LockView.html(of: $0, snapshot, &budget) }
        let command = Command("migrations", request.site.path)
        return PageContent(
            title: "Migrations", command: request.site.schemaLock.map { command.with("--lock", $0) } ?? command,
            body: html {
                Tag.p {
                    if types.isEmpty {
                        "The store has no types."
                    } else if pending.isEmpty {
                        "Every record has the newest layout of its type."
                    } else {
                        "\(counted(pending.count, "type")) may have records of older layouts: "
                        for (place, type) in pending.prefix(20).enumerated() {
                            place == 0 ? "" : ", "
                            Tag.a(.href(LayoutPage.address(type.name))) { Tag.bdi { type.name } }
                        }
                        pending.count > 20 ? ", …" : ""
                    }
                }
                lock
                if !rows.isEmpty { table(rows) }
                Budget.hint(rows.count, of: types.count, "types", limit: limit)
                if let last = shown.prefix(rows.count).last, types.last?.name != last.name {
                    Tag.p(.class("pages")) {
                        Tag.a(.href(address.with("after", last.name)), .rel("next")) { "Next" }
                    }
                }
            })
    }

    private static func table(_ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        Tag.th(.scope("col")) { "Type" }
                        Tag.th(.scope("col"), .class("number")) { "Records" }
                        for heading in ["State", "Layouts, the oldest first"] { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    private static func row(_ type: StoredType) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(LayoutPage.address(type.name))) { Tag.bdi { type.name } }
                for end in [type.links?.first, type.links?.second].compactMap(\.self) where !end.formerNames.isEmpty {
                    Tag.small {
                        Tag.bdi {
                            "\(end.property ?? "a property") was named \(end.formerNames.joined(separator: ", ").cut(500).text)"
                        }
                    }
                }
            }
            Tag.td(.class("number")) { type.count.grouped }
            Tag.td {
                if let migration = type.migration {
                    MigrationView.html(migration)
                } else if type.possibleVersions.count > 1 {
                    "records of \(counted(type.possibleVersions.count - 1, "older layout")) possible"
                } else {
                    "migrated"
                }
            }
            Tag.td { versions(type) }
        }
    }

    @HTMLBuilder
    private static func versions(_ type: StoredType) -> HTML {
        if type.versions.isEmpty {
            "none"
        } else {
            Tag.details {
                Tag.summary { counted(type.versions.count, "layout") }
                Tag.ol {
                    for version in type.versions.suffix(layoutLimit) {
                        Tag.li {
                            "version \(Int(version))"
                            type.possibleVersions.contains(version) ? "" : ", without records"
                            Tag.small {
                                Tag.bdi(.class("kind")) {
                                    (type.layouts[version] ?? "its layout is not known").cut(500).text
                                }
                            }
                        }
                    }
                }
                let shown = min(layoutLimit, type.versions.count)
                Budget.hint(shown, of: type.versions.count, "layouts, the newest,", limit: layoutLimit)
            }
        }
    }
}

/// A migration under way as markup.
enum MigrationView {
    /// Returns the progress of a migration.
    static func html(_ migration: StoredMigration) -> HTML {
        ProgressView.html(
            "Being rewritten as version \(Int(migration.version))\(migration.changesKeys ? ", with new keys" : "")",
            migration.done, of: migration.total, "records")
    }
}

extension StoredType {
    /// Whether the type can have records of older layouts.
    fileprivate var isPending: Bool { migration != nil || possibleVersions.count > 1 }
}
#endif
