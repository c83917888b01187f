// `/`: the types of the store, and its state.

#if Inspector
import Foundation
import LMDB
import Trove
import TroveTerminal

/// The types of the store with their sizes, and the state of the store.
enum TypesPage: SnapshotPage {
    static let path = "/"
    static let navigationName: String? = "Types"
    /// The maximum number of types of a page.
    static let limit = 1_000
    /// The maximum number of indexes in the row of a type, and of readers.
    private static let partLimit = 100

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let store = try request.site.store.get()
        let info = try store.info
        let last = try request.site.feed.get().lastCommit
        let types = try snapshot.context.storedTypes()
        let after = request.query("after")
        let shown = types.drop { type in after.map { type.name <= $0 } ?? false }.prefix(limit)
        var budget = Budget()
        let rows = budget.parts(of: shown) { row($0, of: info.usedSize) }
        return PageContent(
            title: "Types", command: Command("info", request.site.path),
            body: html {
                state(info, freePages: freePages(of: store))
                lastCommit(last, keepsHistory: snapshot.context.keepsHistory)
                if types.isEmpty { Tag.p(.class("empty")) { "The store has no types." } }
                if !rows.isEmpty { table(rows) }
                Budget.hint(rows.count, of: types.count, "types", limit: limit)
                if let final = shown.prefix(rows.count).last, types.last?.name != final.name {
                    Tag.p(.class("pages")) {
                        Tag.a(.href(Address().with("after", final.name)), .rel("next")) { "Next" }
                    }
                }
            })
    }

    /// Returns the number of free pages, or the reason why they are not counted.
    private static func freePages(of store: Store) -> String {
        do {
            return try store.freePageCount()?.grouped ?? "not counted, because of a commit meanwhile"
        } catch StoreError.file(.fileReplaced) {
            return "not counted: the name of the file leads to another file, or to none"
        } catch {
            return "not counted: \(error)"
        }
    }

    private static func state(_ info: StoreInfo, freePages: String) -> HTML {
        let process = Int(ProcessInfo.processInfo.processIdentifier)
        let readers = info.readers.filter { $0.process != process }
        return Tag.dl(.class("facts")) {
            fact("File", "\(info.usedSize.grouped) bytes")
            fact("Map", "\(info.mapSize.grouped) bytes")
            fact("Pages", "\((info.usedSize / max(1, info.pageSize)).grouped), of \(info.pageSize.grouped) bytes each")
            fact("Free pages", freePages)
            fact("Commits", Int(clamping: info.commitSequence).grouped)
            fact("Store", info.identifier.uuidString)
            fact("liblmdb", info.library)
            if !info.features.isEmpty {
                fact("Features of the format", info.features.map { "\($0)" }.joined(separator: ", "))
            }
            fact("Readers of other processes", words(readers))
        }
    }

    /// Returns the last commit since the inspector was opened, with the types that it has changed.
    private static func lastCommit(_ last: LiveFeed.LastCommit?, keepsHistory: Bool) -> HTML {
        Tag.p(.id("last-commit")) {
            if let last {
                "Commit \(last.commit.number), seen at \(last.moment.ISO8601Format()), changed "
                for (place, type) in last.commit.types.enumerated() {
                    place == 0 ? "" : ", "
                    Tag.a(.href(TypePage.address(type))) { Tag.bdi { type } }
                }
                if last.commit.isOfAnyType { last.commit.types.isEmpty ? "any records" : ", and others" }
                ". "
            } else {
                "No commit was seen since the inspector was opened. "
            }
            if keepsHistory {
                Tag.a(.href(HistoryPage.address)) { "History" }
                ", "
            } else {
                Tag.span(.class("hint")) { "A store without a history does not keep the times of its commits. " }
            }
            Tag.a(.href(Address("live"))) { "Commits as they come" }
        }
    }

    private static func words(_ readers: [StoreReader]) -> String {
        guard !readers.isEmpty else { return "none" }
        let others = readers.count - partLimit
        return readers.prefix(partLimit).map(words).joined(separator: ", ")
            + (others > 0 ? ", and \(others.grouped) more" : "")
    }

    private static func words(_ reader: StoreReader) -> String {
        "process \(reader.process) "
            + (reader.commitsBehind.map { "reads, \(counted($0, "commit")) behind" } ?? "has no open read")
    }

    private static func fact(_ name: String, _ value: String) -> HTML {
        html {
            Tag.dt { name }
            Tag.dd { Tag.bdi { value } }
        }
    }

    private static func table(_ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        Tag.th(.scope("col")) { "Type" }
                        for heading in ["Records", "Bytes"] { Tag.th(.scope("col"), .class("number")) { heading } }
                        for heading in ["Share of the file", "Layouts", "Indexes"] { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    private static func row(_ type: StoredType, of size: Int) -> HTML {
        let bytes = ([type.size, type.recordNumbers?.size ?? 0] + type.indexes.map(\.size)).clampedSum()
        return Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(Address("type", type.name))) { Tag.bdi { type.name } }
                if let links = type.links { Tag.small { Tag.bdi { "\(links)" } } }
            }
            Tag.td(.class("number")) { type.count.grouped }
            Tag.td(.class("number")) { bytes.grouped }
            Tag.td { ShareBar.html(bytes, of: size) }
            Tag.td { layouts(type) }
            Tag.td { indexes(type) }
        }
    }

    private static func layouts(_ type: StoredType) -> HTML {
        let older = type.possibleVersions.count - 1
        return html {
            Tag.a(.href(LayoutPage.address(type.name))) { counted(type.versions.count, "layout") }
            if let migration = type.migration {
                MigrationView.html(migration)
            } else if older > 0 {
                Tag.small { "records of \(counted(older, "older layout")) possible" }
            }
        }
    }

    @HTMLBuilder
    private static func indexes(_ type: StoredType) -> HTML {
        if type.indexes.isEmpty {
            "none"
        } else {
            Tag.details {
                Tag.summary { counted(type.indexes.count, "index", "indexes") }
                Tag.ul {
                    for index in type.indexes.prefix(partLimit) {
                        Tag.li {
                            Tag.a(.href(IndexPage.address(index, of: type))) { Tag.bdi { index.name } }
                            ": \(counted(index.count, "entry", "entries")), \(index.size.grouped) bytes"
                            if !index.isReady { IndexState.html(index, of: type) }
                        }
                    }
                }
                Budget.hint(min(partLimit, type.indexes.count), of: type.indexes.count, "indexes", limit: partLimit)
            }
        }
    }
}
#endif
