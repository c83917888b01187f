// `/indexes/TYPE/INDEX`: an index with a sample of its values, or the words and tables of a full text.

#if Inspector
import LMDB
import Trove
import TroveTerminal

/// An index: its definition, its size, and the largest groups of its entries.
enum IndexPage: SnapshotPage {
    static let path = "/indexes/:type/:index"
    /// The maximum number of groups.
    private static let groupLimit = 25

    /// Returns the address of an index.
    static func address(_ index: StoredIndex, of type: StoredType) -> Address {
        Address("indexes", type.name, index.name)
    }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let type = try snapshot.type(named: request["type"])
        guard let index = type.indexes.first(where: { $0.name == request["index"] }) else {
            throw NotFound(description: "\(type.name) has no index “\(request["index"])”.")
        }
        return PageContent(
            title: index.name, command: Command("info", request.site.path),
            body: html {
                Tag.p(.class("pages")) {
                    Tag.a(.href(TypePage.address(type.name))) { Tag.bdi { type.name } }
                    if index.fullText != nil {
                        let place = SearchedIndex(type: type, index: index)
                        Tag.a(.href(SearchPage.address(nil, in: place))) { "Search its words" }
                    }
                }
                facts(index, of: type)
                HealthPage.checkForm(index.name, of: type.name, request.site.formToken)
                if let text = index.fullText {
                    tables(text, numbers: type.recordNumbers)
                } else {
                    values(
                        Result { try snapshot.context.sample(index, of: type, groups: groupLimit) },
                        ofGroups: index.hasGroups)
                }
            })
    }

    private static func facts(_ index: StoredIndex, of type: StoredType) -> HTML {
        Tag.dl(.class("facts")) {
            fact("Definition") { Tag.bdi { index.definition.cut(2_000).text } }
            fact("State") { IndexState.html(index, of: type) }
            fact(index.hasGroups ? "Groups" : index.fullText == nil ? "Entries" : "Records") { index.count.grouped }
            fact("Bytes") { index.size.grouped }
            fact(
                index.hasGroups ? "Bytes a group" : index.fullText == nil ? "Bytes an entry" : "Bytes a record"
            ) { index.bytesOfEntry }
            if let text = index.fullText {
                fact("Words") { text.words.grouped }
                fact("Analyzer") { Tag.bdi { text.analyzer.cut(2_000).text } }
                fact("Phrases") { text.keepsOrder ? "can be searched" : "cannot be searched" }
            }
        }
    }

    private static func fact(_ name: String, @HTMLBuilder _ value: () -> HTML) -> HTML {
        html {
            Tag.dt { name }
            Tag.dd { value() }
        }
    }

    // MARK: Values

    private static func values(_ sample: Result<StoredIndexSample?, any Error>, ofGroups: Bool) -> HTML {
        html {
            switch sample {
            case .success(let sample?): groups(sample, ofGroups: ofGroups)
            case .success(nil):
                Tag.p(.class("hint")) {
                    ofGroups
                        ? "The groups of these totals cannot be read here."
                        : "The entries of this index do not begin with values that can be read here."
                }
            case .failure(let error): ErrorPage.message(error)
            }
        }
    }

    @HTMLBuilder
    private static func groups(_ sample: StoredIndexSample, ofGroups: Bool) -> HTML {
        Tag.h2 { ofGroups ? "Groups" : "Values" }
        Tag.p {
            if ofGroups {
                counted(sample.values, "group")
                " of \(sample.isExact ? "" : "about ")\(counted(sample.entries, "record"))."
            } else {
                sample.isExact ? "" : "About "
                counted(sample.values, "distinct value")
                " in \(counted(sample.entries, "entry", "entries"))"
                sample.isExact ? ", all of them counted." : ", by a sample."
            }
        }
        if !sample.largest.isEmpty {
            Tag.div(.class("scrolls")) {
                Tag.table {
                    Tag.thead {
                        Tag.tr {
                            Tag.th(.scope("col")) { ofGroups ? "Group" : "Value" }
                            Tag.th(.scope("col"), .class("number")) { ofGroups ? "Records" : "Entries" }
                            Tag.th(.scope("col")) { ofGroups ? "Share of the records" : "Share of the entries" }
                        }
                    }
                    Tag.tbody { sample.largest.map { row($0, of: sample.entries) } }
                }
            }
            if sample.values > sample.largest.count {
                Tag.p(.class("hint")) {
                    "The largest groups\(sample.isExact ? "" : " of the sample"): "
                        + "\(sample.largest.count) of \(sample.values.grouped)."
                }
            }
        }
    }

    private static func row(_ group: StoredIndexSample.Group, of entries: Int) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                if group.texts?.isEmpty == true {
                    "all records"
                } else if let texts = group.texts {
                    Tag.bdi { texts.joined(separator: ", ").cut(ValueView.cellLimit).text }
                } else {
                    Tag.code { Hexadecimal.text(group.bytes.prefix(40)) }
                }
            }
            Tag.td(.class("number")) { (group.isAtLeast ? "at least " : "") + group.entries.grouped }
            Tag.td { ShareBar.html(group.entries, of: entries) }
        }
    }

    // MARK: Full text

    @HTMLBuilder
    private static func tables(_ text: StoredFullText, numbers: StoredFullText.Table?) -> HTML {
        let tables = text.tables + [numbers].compactMap(\.self)
        let size = tables.map(\.size).clampedSum()
        Tag.h2 { "Tables" }
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        Tag.th(.scope("col")) { "Table" }
                        for heading in ["Rows", "Bytes"] { Tag.th(.scope("col"), .class("number")) { heading } }
                        Tag.th(.scope("col")) { "Share" }
                    }
                }
                Tag.tbody {
                    for table in tables {
                        Tag.tr {
                            Tag.th(.scope("row")) { table.name }
                            Tag.td(.class("number")) { table.rows.grouped }
                            Tag.td(.class("number")) { table.size.grouped }
                            Tag.td { ShareBar.html(table.size, of: size) }
                        }
                    }
                }
            }
        }
        if numbers != nil {
            Tag.p(.class("hint")) { "All full-text indexes of the type share the record numbers." }
        }
    }
}
#endif
