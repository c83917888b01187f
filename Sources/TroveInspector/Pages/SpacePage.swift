// `/space`: where the bytes of the file are.

#if Inspector
import Foundation
import LMDB
import Trove
import TroveTerminal

/// The pages of the file: a map, the tables with the most pages, and how full their pages are.
///
/// | in the query | meaning |
/// |---|---|
/// | `run` | the number of the walk: another number walks again |
enum SpacePage: JobPage {
    static let path = "/space"
    static let navigationName: String? = "Space"

    /// The maximum number of tables with a row and a color of their own.
    private static let tableLimit = 40

    static func content(of request: PageRequest) async throws -> JobContent {
        let store = try request.site.store.get()
        let run = request.number("run") ?? 0
        let state = try await request.site.jobs.state(of: "space \(run)") { progress in
            try await store.readLong { context in
                try context.pageUsage(cellLimit: PageMap.cellLimit) { done, total in progress(done, total) }
            }
        }
        var content = JobContent(
            page: PageContent(title: "Space", command: Command("verify", request.site.path), body: HTML()))
        switch state {
        case .running(let progress):
            content.isRunning = true
            content.page.body = waiting(progress, "pages")
        case .failed(let error): content.page.body = failure(error, again: try await again(request))
        case .finished(let pages, let moment):
            content.page.body = body(pages, moment, again: try await again(request))
        }
        return content
    }

    private static func again(_ request: PageRequest) async throws -> Address {
        Address("space").with("run", "\(await request.site.jobs.nextNumber())")
    }

    private static func body(_ pages: StoredPages, _ moment: Date, again: Address) -> HTML {
        let order = pages.tablesBySize
        let tables = order.map { TableUse(owner: pages.owners[$0], pages: pages.usage.tables[$0]) }
        let shown = Array(tables.prefix(tableLimit))
        return html {
            facts(pages.usage, tables)
            state(at: moment, again: again, "Walk again")
            Tag.h2 { "Map of the pages" }
            PageMap(pages, order).html()
            Tag.h2 { "Tables by size" }
            TableTreemap(shown).html()
            table(shown, pages.usage)
            if tables.count > shown.count {
                Tag.p(.class("hint")) { "\((tables.count - shown.count).grouped) smaller tables are left out." }
            }
            if !pages.usage.findings.isEmpty { damage(pages.usage) }
        }
    }

    private static func facts(_ usage: PageUsage, _ tables: [TableUse]) -> HTML {
        let bytes = usage.pages * usage.pageSize
        let used = tables.reduce(0) { $0 + $1.pages.usedBytes }
        return Tag.dl(.class("facts")) {
            for (name, value) in [
                ("File", "\(bytes.grouped) bytes, \(usage.pages.grouped) pages of \(usage.pageSize.grouped) bytes"),
                (
                    "In use",
                    "\((usage.pages - usage.freePages - usage.unreachedPages).grouped) pages, with the two meta pages"
                ),
                ("Filled", "\(used.grouped) bytes of the pages in use"),
                ("Free", "\(usage.freePages.grouped) pages, for later commits when no read needs them"),
                ("Neither in use nor free", "\(usage.unreachedPages.grouped) pages"),
                (
                    "A compacting copy",
                    usage.findings.isEmpty
                        ? "saves about \(usage.savedBytes.grouped) bytes: trove copy --compact"
                        : "cannot be estimated, because of the damage"
                ),
                ("State", "after the commit \(usage.transaction.grouped) of the engine"),
            ] {
                Tag.dt { name }
                Tag.dd { value }
            }
        }
    }

    private static func table(_ tables: [TableUse], _ usage: PageUsage) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in [
                            "Table", "Entries", "Pages", "Share of the file", "Filled bytes an entry",
                            "Leaf pages by fill",
                        ] {
                            Tag.th(.scope("col")) { heading }
                        }
                    }
                }
                Tag.tbody {
                    tables.enumerated().map { place, table in
                        Tag.tr {
                            Tag.th(.scope("row")) {
                                Hue.swatch(place)
                                table.label
                            }
                            Tag.td(.class("number")) { table.pages.entries.grouped }
                            Tag.td(.class("number")) { table.pages.pages.grouped }
                            Tag.td { ShareBar.html(table.pages.pages, of: usage.pages) }
                            Tag.td(.class("number")) {
                                table.pages.filledBytesOfEntry
                            }
                            Tag.td { FillHistogram.html(table.pages.leafFill) }
                        }
                    }
                }
            }
        }
    }

    private static func damage(_ usage: PageUsage) -> HTML {
        html {
            Tag.h2 { "Damage" }
            Tag.p(.class("error"), .role("alert")) {
                "The walk met \(counted(usage.findings.count, "finding")). Pages below a damaged one are not counted."
            }
            Tag.p { Tag.a(.href(Address("health"))) { "Verify the file" } }
        }
    }
}

/// The pages of a table, and whose table it is.
struct TableUse: Sendable {
    let owner: PageOwner
    let pages: PageUsage.Table

    /// The name, with a link to the type.
    var label: HTML {
        guard let type = owner.type else { return Tag.bdi { "\(owner)" } }
        return Tag.a(.href(TypePage.address(type))) { Tag.bdi { "\(owner)" } }
    }
}

extension StoredPages {
    /// The positions of the tables with pages, the largest first, and of equal sizes by their names.
    var tablesBySize: [Int] {
        let tables = usage.tables.indices.filter { usage.tables[$0].pages > 0 }
            .map { (position: $0, pages: usage.tables[$0].pages, name: "\(owners[$0])") }
        return tables.sorted { ($1.pages, $0.name) < ($0.pages, $1.name) }.map(\.position)
    }
}

extension PageUsage.Table {
    /// The filled bytes of the table for each entry, in words.
    fileprivate var filledBytesOfEntry: String {
        entries == 0 ? "–" : (usedBytes.addingClamped(entries / 2) / entries).grouped
    }
}
#endif
