// Records as a table: a column for each property, with the parts of nested records as columns of their own.

#if Inspector
import Trove
import TroveCoding
import TroveTerminal

/// Rows of a table of records.
enum RecordRow: Sendable {
    /// A record, and its score if a search has found it.
    case record(StoredRecord, score: Double? = nil)
    /// A record that cannot be read, and the error.
    case unreadable(StoredKey?, String)
}

/// Records as a table. A nested record has a column for each of its properties.
struct RecordTable {
    let type: StoredType
    let rows: [RecordRow]
    private let columns: [[String]]

    /// The maximum number of columns.
    private static let columnLimit = 60
    /// The maximum depth of nested records with columns of their own.
    private static let depthLimit = 3

    init(_ type: StoredType, _ rows: [RecordRow]) {
        self.type = type
        self.rows = rows
        let layout = try? type.layout(of: type.versions.last)
        var columns: [[String]] = []
        for field in (layout?.key ?? []) + (layout?.fields ?? []) { Self.add(field, [], to: &columns) }
        // Records of older layouts have other properties.
        var known = Set(columns)
        for case .record(let record, _) in rows where record.fieldsVersion != type.versions.last {
            for column in Self.columns(of: record.fields, [], known: known) where known.insert(column).inserted {
                columns.append(column)
            }
        }
        self.columns = Array(columns.prefix(Self.columnLimit))
    }

    private static func add(_ field: LayoutField, _ path: [String], to columns: inout [[String]]) {
        let path = path + [field.name]
        if path.count < depthLimit, case .record(let parts) = field.type.withoutOptionals, !parts.isEmpty {
            for part in parts { add(part, path, to: &columns) }
        } else {
            columns.append(path)
        }
    }

    private static func columns(of fields: StoredFields, _ path: [String], known: Set<[String]>) -> [[String]] {
        fields.fields.flatMap { field in
            let path = path + [field.name]
            if path.count < depthLimit, case .record(let parts) = field.value.withoutOptionals, !known.contains(path) {
                return columns(of: parts, path, known: known)
            }
            let isWhole = !known.contains { $0.count > path.count && $0.starts(with: path) }
            return isWhole ? [path] : []
        }
    }

    /// The table as markup, and the number of its rows: fewer than there are if they would be too many bytes.
    var markup: (html: HTML, count: Int) {
        var budget = Budget()
        let rows = budget.parts(of: rows, html)
        let hasScores = self.rows.contains { if case .record(_, score: .some) = $0 { true } else { false } }
        let table = Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        Tag.th(.scope("col")) { "Key" }
                        if hasScores { Tag.th(.scope("col")) { "Score" } }
                        columns.map { column in
                            Tag.th(.scope("col")) { Tag.bdi { column.joined(separator: ".").cut(80).text } }
                        }
                    }
                }
                Tag.tbody { rows }
            }
        }
        return (table, rows.count)
    }

    private func html(_ row: RecordRow) -> HTML {
        switch row {
        case .record(let record, let score):
            return Tag.tr(.data("key", Hexadecimal.text(record.key))) {
                RecordLink.cell(type.storedKey(record.key))
                if let score {
                    Tag.td(.class("number")) { ScoreText.text(score) }
                }
                columns.map { cell(record.fields.value(at: $0[...])) }
            }
        case .unreadable(let key, let error):
            return Tag.tr {
                if let key {
                    RecordLink.cell(key)
                } else {
                    Tag.th(.scope("row")) { "?" }
                }
                Tag.td(.columns(max(1, columns.count))) { Tag.span(.class("error")) { Tag.bdi { error } } }
            }
        }
    }

    private func cell(_ value: FieldValue?) -> HTML {
        guard let value else { return Tag.td() }
        return Tag.td(value.isNumber ? .class("number") : .none) { ValueView.short(value) }
    }
}

/// The link to the page of a record.
enum RecordLink {
    /// Returns the heading of a row, with the link.
    static func cell(_ key: StoredKey) -> HTML { Tag.th(.scope("row")) { html(key) } }

    /// Returns the link.
    static func html(_ key: StoredKey) -> HTML {
        Tag.a(.href(address(key))) { Tag.bdi { "\(key)".cut(80).text } }
    }

    /// Returns the address of the page of a record.
    static func address(_ key: StoredKey) -> Address { Address("record", key.type, "0x" + Hexadecimal.text(key.bytes)) }
}

/// Scores of searches as text.
enum ScoreText {
    /// Returns a score with four digits after the point.
    static func text(_ score: Double) -> String {
        let whole = Int(clamping: Int64((score * 10_000).rounded().clamped))
        let digits = "\(whole % 10_000)"
        return "\(whole / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Double {
    /// The number within the range of integers; 0 for NaN.
    fileprivate var clamped: Double { isNaN ? 0 : min(max(self, 0), 1e15) }
}

extension LayoutType {
    /// The type without optionals around it.
    fileprivate var withoutOptionals: LayoutType {
        if case .optional(let wrapped) = self { wrapped.withoutOptionals } else { self }
    }
}

extension FieldValue {
    /// The value inside optionals, or nil.
    fileprivate var withoutOptionals: FieldValue {
        if case .some(let value) = self { value.withoutOptionals } else { self }
    }
}

extension StoredFields {
    /// Returns the value at a path; nil if there is none.
    fileprivate func value(at path: ArraySlice<String>) -> FieldValue? {
        guard let name = path.first, let value = self[name] else { return nil }
        guard path.count > 1 else { return value }
        switch value.withoutOptionals {
        case .record(let fields): return fields.value(at: path.dropFirst())
        case .null: return .null
        default: return nil
        }
    }
}
#endif
