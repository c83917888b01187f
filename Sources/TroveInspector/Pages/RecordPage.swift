// `/record/NAME/KEY`: a record with its types, its links, and its bytes.

#if Inspector
import Trove
import TroveCoding
import TroveTerminal

/// A record. The key is its bytes after `0x`, or a text as a person writes it.
enum RecordPage: SnapshotPage {
    static let path = "/record/:name/:key"
    /// The maximum number of bytes of a value that are shown in hexadecimal.
    private static let byteLimit = 64 << 10

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let type = try snapshot.type(named: request["name"])
        let bytes = try key(request["key"], of: type)
        let key = type.storedKey(bytes)
        guard let value = try snapshot.context.storedBytes(withKey: bytes, of: type) else {
            throw NotFound(description: "\(type.name) has no record with the key \(key).")
        }
        let record = Result { try snapshot.context.storedRecord(withKey: bytes, of: type) }
        let showsBytes = request.query("bytes") != nil
        var budget = Budget()
        let shown = try self.fields(record, type, size: value.count, &budget)
        let entries = try self.entries(bytes, of: type, size: value.count, request, snapshot, &budget)
        let hexadecimal = showsBytes ? budget.taking(self.hexadecimal(key: bytes, value)) : HTML()
        let changes = try self.changes(ChangedRecord(type: type, key: key, value: value), request, snapshot)
        let links = try LinkView(type, key, snapshot).html(&budget)
        let commits = try RecordCommitsView(type, bytes).html(snapshot, &budget)
        return PageContent(
            title: "\(key)".cut(120).text,
            command: Command("dump", request.site.path, type.name, "--from", "\(key)", "--limit", "1"),
            body: html {
                Tag.p(.class("pages")) {
                    Tag.a(.href(TypePage.address(type.name))) { Tag.bdi { type.name } }
                    Tag.a(.href(TypePage.address(type.name).with("after", Hexadecimal.text(bytes))), .rel("next")) {
                        "Records after this one"
                    }
                    Tag.a(.href(TypePage.address(type.name).with("before", Hexadecimal.text(bytes))), .rel("prev")) {
                        "Records before this one"
                    }
                    if showsBytes {
                        Tag.a(.href(RecordLink.address(key))) { "Without bytes" }
                    } else {
                        Tag.a(.href(RecordLink.address(key).with("bytes", "1"))) { "Bytes in hexadecimal" }
                    }
                }
                shown
                hexadecimal
                links
                entries
                commits
                changes
            })
    }

    private static func fields(
        _ record: Result<StoredRecord?, any Error>, _ type: StoredType, size: Int, _ budget: inout Budget
    ) throws -> HTML {
        switch record {
        case .success(let record?):
            let fields = fields(record, type, size: size, &budget)
            return Tag.div(.data("watches", type.name)) { fields }
        case .success(nil): return Tag.p(.class("hint")) { "The value has no version of a layout." }
        case .failure(let error) where error.endsPage: throw error
        case .failure(let error): return ErrorPage.message(error)
        }
    }

    /// Returns the entries of the record in the indexes; for a large record, whose entries need a while, a link.
    private static func entries(
        _ key: [UInt8], of type: StoredType, size: Int, _ request: PageRequest, _ snapshot: Snapshot,
        _ budget: inout Budget
    ) throws -> HTML {
        let view = IndexEntriesView(type, key)
        guard size <= IndexEntriesView.recordLimit || request.query("entries") != nil else {
            return view.link(RecordLink.address(type.storedKey(key)))
        }
        return try view.html(request.site.analyzers, snapshot, &budget)
    }

    /// Returns the links to the changes of the record. SQL needs the layouts of all types: if one is damaged, the page
    /// has the error in their place.
    private static func changes(
        _ record: ChangedRecord, _ request: PageRequest, _ snapshot: Snapshot
    ) throws -> HTML {
        guard request.site.allowsWrites else { return HTML() }
        do {
            return try record.links(on: request.site, snapshot)
        } catch  where !error.endsPage {
            return ErrorPage.message(error)
        }
    }

    /// Returns the bytes of a key in an address.
    static func key(_ text: String, of type: StoredType) throws -> [UInt8] {
        if text.hasPrefix("0x"), let bytes = Hexadecimal.bytes(text.dropFirst(2)) { return bytes }
        do {
            return try StoredKeyRange(of: type, from: [text]).lowerBytes
        } catch let error as StoreError {
            throw NotFound(description: "“\(text)” is not a key of \(type.name): \(error)")
        }
    }

    private static func fields(
        _ record: StoredRecord, _ type: StoredType, size: Int, _ budget: inout Budget
    ) -> HTML {
        let fields = ValueView.fields(record.fields, limit: ValueView.recordLimit, &budget)
        return html {
            Tag.p(.class("hint")) {
                "Layout version \(Int(record.fieldsVersion))"
                record.fieldsVersion == type.versions.last ? ", the current one" : ", an older one"
                ". \(record.key.count.grouped) bytes of key, \(size.grouped) bytes of value. The checksum is right."
            }
            fields
            if budget.left <= 0 {
                Tag.p(.class("hint")) { "The rest of the record is left out: a page has at most 4 MB." }
            }
        }
    }

    private static func hexadecimal(key: [UInt8], _ value: [UInt8]) -> HTML {
        html {
            Tag.h2 { "Bytes of the key" }
            Tag.pre { Hexadecimal.table(key) }
            Tag.h2 { "Bytes of the value" }
            Tag.pre { Hexadecimal.table(value.prefix(byteLimit)) }
            if value.count > byteLimit {
                Tag.small { "\(byteLimit.grouped) of \(value.count.grouped) bytes are shown" }
            }
        }
    }
}
#endif
