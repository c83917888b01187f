// The entries of a record in each index of its type.

#if Inspector
import Trove
import TroveCoding
import TroveTerminal

/// The entries of a record in each index of its type.
struct IndexEntriesView {
    private let type: StoredType
    private let key: [UInt8]

    /// The maximum number of entries that are shown of an index.
    private static let entryLimit = 50
    /// The maximum size of a record whose entries are derived without a request for them.
    static let recordLimit = 64 << 10

    init(_ type: StoredType, _ key: [UInt8]) {
        self.type = type
        self.key = key
    }

    /// Returns the entries; nothing for a type without indexes.
    func html(_ analyzers: [TextAnalyzer], _ snapshot: Snapshot, _ budget: inout Budget) throws -> HTML {
        guard !type.indexes.isEmpty else { return HTML() }
        let found: [StoredIndexEntries]
        do {
            found = try snapshot.context.storedIndexEntries(ofRecord: key, of: type, analyzers: analyzers) ?? []
        } catch  where !error.endsPage {
            return section { ErrorPage.message(error) }
        }
        let rows = budget.parts(of: found, row)
        return section {
            Tag.div(.class("scrolls")) {
                Tag.table {
                    Tag.thead {
                        Tag.tr { for heading in ["Index", "Entries"] { Tag.th(.scope("col")) { heading } } }
                    }
                    Tag.tbody { rows }
                }
            }
            Budget.hint(rows.count, of: found.count, "indexes")
        }
    }

    /// Returns a link to the page with the entries, for a large record.
    func link(_ address: Address) -> HTML {
        guard !type.indexes.isEmpty else { return HTML() }
        return section {
            Tag.p(.class("hint")) {
                "The record is large. "
                Tag.a(.href(address.with("entries", "1"))) { "Derive its entries" }
            }
        }
    }

    private func section(@HTMLBuilder _ content: () -> HTML) -> HTML {
        TroveInspector.html {
            Tag.h2(.id("entries")) { "Entries in indexes" }
            content()
        }
    }

    private func row(_ index: StoredIndexEntries) -> HTML {
        Tag.tr {
            Tag.th(.scope("row")) {
                Tag.a(.href(Address("indexes", type.name, index.index))) { Tag.bdi { index.index } }
            }
            Tag.td {
                if let words = index.reservation { Tag.p(.class("hint")) { words } }
                if !index.entries.isEmpty {
                    Tag.ul { index.entries.prefix(Self.entryLimit).map { entry($0, of: index) } }
                } else if index.extent == .whole {
                    Tag.span(.class("empty")) { "none" }
                }
                let shown = min(Self.entryLimit, index.entries.count)
                Budget.hint(shown, of: index.entries.count, "entries", limit: Self.entryLimit)
            }
        }
    }

    private func entry(_ entry: StoredIndexEntries.Entry, of index: StoredIndexEntries) -> HTML {
        Tag.li {
            if entry.bytes.isEmpty {
                "the document of the record"
            } else if entry.components?.isEmpty == true {
                "the group of all records"
            } else if let components = entry.components {
                Tag.bdi { components.joined(separator: ", ").cut(ValueView.cellLimit).text }
            } else {
                Tag.code { Hexadecimal.text(entry.bytes.prefix(40)) + (entry.bytes.count > 40 ? "…" : "") }
            }
            entry.isCut ? " (stored as its beginning and a hash)" : ""
            switch entry.state {
            case .present: HTML()
            case .missing where index.mayLackEntries: Tag.small { "not in the index" }
            case .missing: Tag.span(.class("error")) { " is missing in the index" }
            case .damaged: Tag.span(.class("error")) { " is in the index with other contents" }
            }
        }
    }
}

extension StoredIndexEntries {
    /// Whether an entry may be missing in a sound index.
    fileprivate var mayLackEntries: Bool { !isReady || extent == .conditional }

    /// What is not known of the entries, in a sentence; nil if all is known.
    fileprivate var reservation: String? {
        switch extent {
        case .olderLayout: "Only its program derives the entries of a record of an older layout."
        case .unknown: "Only its program derives the entries."
        case .conditional: "Only its program knows whether the record has the entries."
        case .whole: isReady ? nil : "The index is not ready: entries can be missing."
        }
    }
}
#endif
