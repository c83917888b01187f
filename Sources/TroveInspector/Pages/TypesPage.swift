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

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let store = try request.site.store.get()
        let info = try store.info
        let types = try snapshot.context.storedTypes()
        let after = request.query("after")
        let shown = types.drop { type in after.map { type.name <= $0 } ?? false }.prefix(limit)
        return PageContent(
            title: "Types", command: Command("info", request.site.path),
            body: html {
                state(info, freePages: freePages(of: info))
                if types.isEmpty { Tag.p(.class("empty")) { "The store has no types." } }
                if !shown.isEmpty { table(shown, of: info.usedSize) }
                if let last = shown.last, types.last?.name != last.name {
                    Tag.p(.class("pages")) {
                        "\(shown.count.grouped) of \(types.count.grouped) types. "
                        Tag.a(.href(Address().with("after", last.name)), .rel("next")) { "Next" }
                    }
                }
            })
    }

    /// Returns the number of free pages; nil if a commit or the file keeps them from being counted.
    private static func freePages(of info: StoreInfo) -> Int? {
        do { return try FileWalk.freePageCount(of: info.path) } catch { return nil }
    }

    private static func state(_ info: StoreInfo, freePages: Int?) -> HTML {
        let process = Int(ProcessInfo.processInfo.processIdentifier)
        let readers = info.readers.filter { $0.process != process }
        return Tag.dl(.class("facts")) {
            fact("File", "\(info.usedSize.grouped) bytes")
            fact("Map", "\(info.mapSize.grouped) bytes")
            fact("Pages", "\((info.usedSize / max(1, info.pageSize)).grouped) of \(info.pageSize.grouped) bytes")
            fact("Free pages", freePages.map(\.grouped) ?? "not counted, because of a commit")
            fact("Commits", Int(clamping: info.commitSequence).grouped)
            fact("Store", info.identifier.uuidString)
            fact("liblmdb", info.library)
            if !info.features.isEmpty {
                fact("Features of the format", info.features.map { "\($0)" }.joined(separator: ", "))
            }
            fact("Readers of other processes", readers.isEmpty ? "none" : readers.map(words).joined(separator: ", "))
        }
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

    private static func table(_ types: ArraySlice<StoredType>, of size: Int) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        Tag.th(.scope("col")) { "Type" }
                        for heading in ["Records", "Bytes"] { Tag.th(.scope("col"), .class("number")) { heading } }
                        for heading in ["Share of the file", "Layouts", "Indexes"] { Tag.th(.scope("col")) { heading } }
                    }
                }
                Tag.tbody { types.map { row($0, of: size) } }
            }
        }
    }

    private static func row(_ type: StoredType, of size: Int) -> HTML {
        let bytes = type.size &+ type.indexes.reduce(type.recordNumbers?.size ?? 0) { $0 &+ $1.size }
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
                Tag.small {
                    "migrating: \(migration.done.grouped) of \(counted(migration.total, "record")) done"
                }
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
                    for index in type.indexes {
                        Tag.li {
                            Tag.a(.href(IndexPage.address(index, of: type))) { Tag.bdi { index.name } }
                            ": \(counted(index.count, "entry", "entries")), \(index.size.grouped) bytes"
                            if !index.isReady { ", not ready: built from \(counted(index.done, "record"))" }
                        }
                    }
                }
            }
        }
    }
}
#endif
