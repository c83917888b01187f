// `/type/NAME`: the records of a type, paged by key, with a filter.

#if Inspector
import Trove
import TroveTerminal

/// The records of a type.
///
/// | in the query | meaning |
/// |---|---|
/// | `from` | the first key, or its first components, as a person writes it |
/// | `filter` | a condition such as `age > 30`, or words for the full-text index |
/// | `after`, `before` | a key in hexadecimal: the page after it, or before it |
/// | `last` | the last page |
enum TypePage: SnapshotPage {
    static let path = "/type/:name"
    /// The maximum number of indexes that are named.
    private static let indexLimit = 20

    /// Returns the address of the page of a type.
    static func address(_ name: String) -> Address { Address("type", name) }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let type = try snapshot.type(named: request["name"])
        let typed = request.query("filter")
        var content = PageContent(
            title: type.name,
            command: Command("dump", request.site.path, type.name, "--limit", "\(RecordScan.rowLimit)"),
            body: HTML())
        let result: HTML
        do {
            let filter = try RecordFilter(typed, of: type)
            if case .words(let words) = filter {
                content.command = Command("search", request.site.path, type.name).with(text: words)
                result = try found(words, filter, type, request, snapshot)
            } else {
                if let from = request.query("from") { content.command = content.command.with("--from", from) }
                if let typed { content.command = content.command.with("--where", typed) }
                result = try page(filter, type, request, snapshot)
            }
        } catch  where !error.endsPage {
            // The form stays on the page, with what has been typed.
            result = ErrorPage.message(error)
        }
        content.body = html {
            about(type)
            form(type, typed: typed, from: request.query("from"))
            Tag.div(.data("watches", type.name)) { result }
        }
        return content
    }

    private static func about(_ type: StoredType) -> HTML {
        Tag.p(.class("pages")) {
            counted(type.count, type.links == nil ? "record" : "link") + ", \(type.size.grouped) bytes"
            if let links = type.links { Tag.bdi { "\(links)" } }
            Tag.a(.href(LayoutPage.address(type.name))) { counted(type.versions.count, "layout") }
            if let statement = FilterStatement(.none, of: type) {
                Tag.a(.href(SQLPage.address(statement.text))) { "SQL" }
            }
            Tag.a(.href(LivePage.address(type.name))) { "Commits" }
            // The name says whether an index is ranked, or which totals it has.
            for index in type.indexes.prefix(indexLimit) {
                Tag.a(.href(IndexPage.address(index, of: type))) { Tag.bdi { index.name.cut(100).text } }
            }
            if type.indexes.count > indexLimit { Tag.a(.href(Address("indexes"))) { "All indexes" } }
            if type.count > RecordScan.rowLimit {
                Tag.a(.href(address(type.name))) { "First page" }
                Tag.a(.href(address(type.name).with("last", "1"))) { "Last page" }
            }
        }
    }

    private static func form(_ type: StoredType, typed: String?, from: String?) -> HTML {
        Tag.form(.class("lines"), .method("get"), .action(address(type.name)), .role("search")) {
            Tag.div(.class("line")) {
                Tag.label(.for("filter")) { "Filter" }
                Tag.input(
                    .id("filter"), .name("filter"), .type("text"), .value(typed ?? ""), .data("search"),
                    .data("plans", PlanPage.address(type.name).text), .spellcheck(false), .autocomplete(false),
                    .placeholder("age > 30, or words of its texts"))
            }
            Tag.div(.class("line")) {
                Tag.label(.for("from")) { "First key" }
                Tag.input(
                    .id("from"), .name("from"), .type("text"), .value(from ?? ""), .spellcheck(false),
                    .autocomplete(false), .placeholder(String(type.keyLayout.prefix(80))))
                Tag.button(.type("submit")) { "Show" }
            }
            Tag.div(.id("typed-plan"), .role("status"), .hidden())
        }
    }

    // MARK: Records by key

    private static func page(
        _ filter: RecordFilter, _ type: StoredType, _ request: PageRequest, _ snapshot: Snapshot
    ) throws -> HTML {
        let place = try RecordPlace(request)
        var condition: StoredCondition?
        if case .condition(let test, _) = filter { condition = test }
        let scan = try RecordScan(type, at: place, where: condition, snapshot)
        let table = RecordTable(type, scan.rows).markup
        return try html {
            if case .condition(_, let text) = filter {
                try PlanView(filter, type, snapshot, request.site.analyzers).html(
                    "Scan by key: \(counted(scan.read, "record")) read, each tested: \(text). "
                        + "\(counted(scan.rows.count, "row")) found"
                        + (scan.isCut ? "; the scan has ended after a part of a second, and can go on." : "."))
            }
            if scan.rows.isEmpty {
                Tag.p(.class("empty")) { type.count == 0 ? "There are no records." : "No record is here." }
            } else {
                table.html
            }
            Budget.hint(table.count, of: scan.rows.count, "rows")
            try links(scan, isCutAfter: table.count < scan.rows.count ? table.count : nil, place, type, request)
        }
    }

    /// Returns the links to the pages before and after.
    ///
    /// - Parameter cut: The number of rows that are shown, if it is less than all.
    private static func links(
        _ scan: RecordScan, isCutAfter cut: Int?, _ place: RecordPlace, _ type: StoredType, _ request: PageRequest
    ) throws -> HTML {
        let base = address(type.name).with("filter", request.query("filter"))
        var next = place.isDescending ? hasNext(place) ? scan.lastKey : nil : scan.hasMore ? scan.lastKey : nil
        if let cut, cut > 0 {
            switch scan.rows[cut - 1] {
            case .record(let record, _): next = record.key
            case .unreadable(let key, _): next = key?.bytes ?? next
            }
        }
        let isAtStart = if case .start = place { true } else { false }
        let before = place.isDescending ? scan.hasMore ? scan.firstKey : nil : isAtStart ? nil : scan.firstKey
        return Tag.p(.class("pages")) {
            if let before {
                Tag.a(.href(base.with("before", Hexadecimal.text(before))), .rel("prev")) { "Before" }
            }
            if let next {
                Tag.a(.href(base.with("after", Hexadecimal.text(next))), .rel("next")) { "Next" }
            }
        }
    }

    private static func hasNext(_ place: RecordPlace) -> Bool {
        if case .before = place { true } else { false }
    }

    // MARK: Words

    private static func found(
        _ words: String, _ filter: RecordFilter, _ type: StoredType, _ request: PageRequest, _ snapshot: Snapshot
    ) throws -> HTML {
        let analyzers = request.site.analyzers
        let hits = try snapshot.context.storedHits(
            of: type, matching: words, limit: RecordScan.rowLimit, analyzers: analyzers)
        let suggestions =
            hits.isEmpty ? try snapshot.context.storedSuggestions(for: words, of: type, analyzers: analyzers) : []
        let plan = try PlanView(filter, type, snapshot, analyzers).html()
        let table = RecordTable(type, hits.map { .record($0.record, score: $0.score) }).markup
        return html {
            plan
            if hits.isEmpty {
                Tag.p(.class("empty")) { "No record has these words." }
            } else {
                table.html
            }
            Budget.hint(table.count, of: hits.count, "hits")
            if hits.count == RecordScan.rowLimit {
                Tag.p(.class("hint")) { "The \(RecordScan.rowLimit) best records are shown." }
            }
            if !suggestions.isEmpty {
                Tag.p {
                    "Did you mean "
                    for suggestion in suggestions {
                        Tag.a(.href(address(type.name).with("filter", suggestion.text))) {
                            Tag.bdi { suggestion.text }
                        }
                        " "
                    }
                }
            }
        }
    }
}

extension Snapshot {
    /// Returns the type with a name.
    ///
    /// - Throws: ``NotFound``.
    func type(named name: String) throws -> StoredType { try context.knownType(named: name) }
}

extension ReadContext {
    /// Returns the type with a name.
    ///
    /// - Throws: ``NotFound``.
    func knownType(named name: String) throws -> StoredType {
        guard let type = try storedType(withName: name) else {
            throw NotFound(description: "The store has no type “\(name)”.")
        }
        return type
    }
}

extension Error {
    /// Whether the error is of the snapshot, so that the page cannot be shown.
    var endsPage: Bool {
        switch self {
        case is CancellationError, is NotFound: true
        case let error as StoreError: if case .transaction = error { true } else { false }
        default: false
        }
    }
}
#endif
