// `/indexes`: the indexes of all types.

#if Inspector
import LMDB
import Trove
import TroveTerminal

/// The indexes and unique constraints of all types, with their sizes and states.
///
/// | in the query | meaning |
/// |---|---|
/// | `after`, `index` | the last index of the page before: its type and its name |
enum IndexesPage: SnapshotPage {
    static let path = "/indexes"
    static let navigationName: String? = "Indexes"
    /// The maximum number of indexes of a page.
    static let limit = 1_000

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let all = try snapshot.context.storedTypes().flatMap { type in
            type.indexes.map { Place(type: type, index: $0) }
        }
        let rest = all[start(of: request, in: all)...]
        let size = try request.site.store.get().info.usedSize
        let token = request.site.formToken
        var budget = Budget()
        let rows = budget.parts(of: rest.prefix(limit)) { row($0, size, token) }
        return PageContent(
            title: "Indexes", command: Command("info", request.site.path),
            body: html {
                if rows.isEmpty {
                    Tag.p(.class("empty")) { all.isEmpty ? "The store has no indexes." : "No further indexes." }
                } else {
                    table(rows)
                }
                Budget.hint(rows.count, of: all.count, "indexes", limit: limit)
                if let last = rest.prefix(rows.count).last, rows.count < rest.count {
                    let next = Address("indexes").with("after", last.type.name).with("index", last.index.name)
                    Tag.p(.class("pages")) { Tag.a(.href(next), .rel("next")) { "Next" } }
                }
            })
    }

    /// An index and its type.
    private struct Place {
        let type: StoredType
        let index: StoredIndex
    }

    /// Returns the position of the first index of a page.
    private static func start(of request: PageRequest, in places: [Place]) -> Int {
        guard let type = request.query("after") else { return 0 }
        let index = request.query("index")
        if let last = places.firstIndex(where: { $0.type.name == type && $0.index.name == index }) { return last + 1 }
        return places.firstIndex { $0.type.name > type } ?? places.count
    }

    private static func table(_ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in ["Index", "Type"] { Tag.th(.scope("col")) { heading } }
                        for heading in ["Entries", "Bytes", "Bytes an entry"] {
                            Tag.th(.scope("col"), .class("number")) { heading }
                        }
                        for heading in ["Share of the file", "State", "Check"] { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    private static func row(_ place: Place, _ size: Int, _ token: SecretToken) -> HTML {
        let (type, index) = (place.type, place.index)
        return Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(IndexPage.address(index, of: type))) { Tag.bdi { index.name } }
            }
            Tag.td { Tag.a(.href(TypePage.address(type.name))) { Tag.bdi { type.name } } }
            Tag.td(.class("number")) {
                index.hasGroups
                    ? counted(index.count, "group")
                    : index.fullText == nil ? index.count.grouped : counted(index.count, "record")
            }
            Tag.td(.class("number")) { index.size.grouped }
            Tag.td(.class("number")) { index.bytesOfEntry }
            Tag.td { ShareBar.html(index.size, of: size) }
            Tag.td { IndexState.html(index, of: type) }
            Tag.td { HealthPage.checkForm(index.name, of: type.name, token) }
        }
    }
}

/// The state of an index as markup.
enum IndexState {
    /// Returns the state, with the progress of an index that is not ready.
    @HTMLBuilder
    static func html(_ index: StoredIndex, of type: StoredType) -> HTML {
        if index.isReady {
            "ready"
        } else {
            ProgressView.html("Not ready", index.done, of: type.count, "records")
        }
    }
}

extension StoredIndex {
    /// The bytes of the index for each entry, in words.
    var bytesOfEntry: String { count == 0 ? "–" : (size.addingClamped(count / 2) / count).grouped }
}
#endif
