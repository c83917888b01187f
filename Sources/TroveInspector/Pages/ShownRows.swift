// The rows of a statement that a page shows.

#if Inspector
import TroveSQL
import TroveTerminal

/// The first rows of a statement, up to the limits of a page. Long values are cut.
struct ShownRows: Sendable {
    /// The names of the columns; for a statement that writes, those of its first row.
    private var columns: [String]
    private var rows: [[SQLValue]] = []
    /// The number of rows, with those that are left out.
    private(set) var count = 0
    /// The size of the rows that are kept, in bytes.
    private(set) var size = 0

    init(columns: [String] = []) { self.columns = columns }

    /// Adds a row, or counts it if the page is full.
    mutating func add(_ row: SQLRow) {
        count += 1
        guard rows.count < SQLPage.rowLimit, size < SQLPage.sizeLimit else { return }
        if columns.isEmpty { columns = row.columns }
        rows.append(row.values.map(\.shortened))
        size += row.values.reduce(0) { $0 + $1.shortSize }
    }

    /// Returns the rows as a table with the number of its rows, and a sentence about those that are left out.
    func table() -> (html: HTML, shown: Int) {
        var budget = Budget()
        let shown = budget.parts(of: rows) { row in Tag.tr { row.map(cell) } }
        let table = TroveInspector.html {
            Budget.hint(shown.count, of: count, "rows", limit: SQLPage.rowLimit)
            if !columns.isEmpty {
                Tag.div(.class("scrolls")) {
                    Tag.table {
                        Tag.thead {
                            Tag.tr { columns.map { name in Tag.th(.scope("col")) { Tag.bdi { name.cut(80).text } } } }
                        }
                        Tag.tbody { shown }
                    }
                }
            }
        }
        return (table, shown.count)
    }

    private func cell(_ value: SQLValue) -> HTML {
        switch value {
        case .null: Tag.td { Tag.span(.class("null")) { "NULL" } }
        case .integer, .real: Tag.td(.class("number")) { "\(value)" }
        case .text, .blob: Tag.td { Tag.bdi(.class("value")) { value.plainText } }
        }
    }
}

extension SQLValue {
    /// The number of characters of a text that are shown, and of bytes of a blob.
    private static let shownLimit = 500

    /// The value, with a long text or blob cut.
    fileprivate var shortened: SQLValue {
        switch self {
        case .text(let text):
            let (short, size) = text.cut(Self.shownLimit)
            return .text(short + (size.map { " … of \($0)" } ?? ""))
        case .blob(let bytes) where bytes.count > Self.shownLimit:
            return .text(Hexadecimal.text(bytes.prefix(Self.shownLimit)) + " … of \(bytes.count.grouped) bytes")
        default: return self
        }
    }

    fileprivate var shortSize: Int {
        switch self {
        case .text(let text): min(text.utf8.count, 4 * Self.shownLimit)
        case .blob(let bytes): min(2 * bytes.count, 2 * Self.shownLimit)
        default: 8
        }
    }
}
#endif
