// `/indexes`: the indexes of all types.

#if Inspector
import Trove
import TroveTerminal

/// The indexes and unique constraints of all types, with their sizes and states.
enum IndexesPage: SnapshotPage {
    static let path = "/indexes"
    static let navigationName: String? = "Indexes"
    /// The number of indexes at which a page ends, after the indexes of a whole type.
    static let limit = 1_000

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let after = request.query("after")
        let types = try snapshot.context.storedTypes().filter { type in
            !type.indexes.isEmpty && after.map { type.name > $0 } ?? true
        }
        var shown: [StoredType] = []
        var count = 0
        for type in types where count < limit {
            shown.append(type)
            count += type.indexes.count
        }
        let size = try request.site.store.get().info.usedSize
        return PageContent(
            title: "Indexes", command: Command("info", request.site.path),
            body: html {
                if shown.isEmpty {
                    Tag.p(.class("empty")) { after == nil ? "The store has no indexes." : "No further indexes." }
                } else {
                    table(shown, of: size)
                }
                if let last = shown.last, shown.count < types.count {
                    Tag.p(.class("pages")) {
                        Tag.a(.href(Address("indexes").with("after", last.name)), .rel("next")) { "Next" }
                    }
                }
            })
    }

    private static func table(_ types: [StoredType], of size: Int) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in ["Index", "Type"] { Tag.th(.scope("col")) { heading } }
                        for heading in ["Entries", "Bytes", "Bytes an entry"] {
                            Tag.th(.scope("col"), .class("number")) { heading }
                        }
                        for heading in ["Share of the file", "State"] { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody {
                    for type in types {
                        for index in type.indexes { row(index, of: type, size) }
                    }
                }
            }
        }
    }

    private static func row(_ index: StoredIndex, of type: StoredType, _ size: Int) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(IndexPage.address(index, of: type))) { Tag.bdi { index.name } }
            }
            Tag.td { Tag.a(.href(TypePage.address(type.name))) { Tag.bdi { type.name } } }
            Tag.td(.class("number")) { index.count.grouped }
            Tag.td(.class("number")) { index.size.grouped }
            Tag.td(.class("number")) { index.bytesOfEntry }
            Tag.td { ShareBar.html(index.size, of: size) }
            Tag.td { IndexState.html(index, of: type) }
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
            "not ready"
            Tag.small { "built from \(index.done.grouped) of \(counted(type.count, "record"))" }
            ShareBar.html(index.done, of: type.count)
        }
    }
}

extension StoredIndex {
    /// The bytes of the index for each entry, in words.
    var bytesOfEntry: String { count == 0 ? "–" : ((size + count / 2) / count).grouped }
}
#endif
