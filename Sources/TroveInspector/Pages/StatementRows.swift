// The rows of a statement, up to the limits of a page.

#if Inspector
import Hummingbird
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// The rows of a statement, up to the limits of a page.
struct StatementRows: Sendable {
    /// The form of the rows.
    enum Form: String {
        case page, csv, json
    }

    private let rows: ShownRows
    private let lines: String
    private let form: Form
    private let skipped: Int
    private let hasMore: Bool
    private let plan: String
    private let time: Duration

    /// Runs a statement, and keeps the rows of a page.
    init(_ statement: String, skipping skipped: Int, _ form: Form, _ snapshot: Snapshot) throws {
        let sql = SQL(raw: statement)
        let columns = try snapshot.context.columnNames(of: sql)
        plan = form == .page ? try snapshot.context.explainSQL(sql) : ""
        var rows = ShownRows(columns: columns)
        var lines = form == .csv ? SQLRow.csv(of: columns.map { .text($0) }) + "\r\n" : ""
        var (left, count, size, hasMore) = (skipped, 0, 0, false)
        let start = ContinuousClock.now
        try snapshot.context.forEachRow(sql) { row in
            if left > 0 {
                left -= 1
                return .continue
            }
            guard count < SQLPage.rowLimit, size < SQLPage.sizeLimit else {
                hasMore = true
                return .stop
            }
            count += 1
            switch form {
            case .page:
                rows.add(row)
                size = rows.size
            case .csv, .json:
                let line = form == .csv ? SQLRow.csv(of: row.values) + "\r\n" : row.json + "\n"
                guard line.utf8.count <= SQLPage.sizeLimit else { throw RowTooLarge() }
                lines += line
                size = lines.utf8.count
            }
            return .continue
        }
        time = ContinuousClock.now - start
        (self.rows, self.lines, self.form) = (rows, lines, form)
        (self.skipped, self.hasMore) = (skipped, hasMore)
    }

    /// The rows as a file.
    var file: Response {
        let (type, ending) = form == .csv ? ("text/csv", "csv") : ("application/x-ndjson", "json")
        return Response(
            status: .ok,
            headers: [
                .contentType: "\(type); charset=utf-8",
                .contentDisposition: "attachment; filename=\"rows.\(ending)\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: lines)))
    }

    /// Returns the rows, the time and the plan as markup.
    func html(of statement: String) -> HTML {
        let base = SQLPage.address(statement).with("skip", skipped > 0 ? "\(skipped)" : nil)
        let table = rows.table()
        return TroveInspector.html {
            Tag.section(.class("plan"), .aria("label", "Plan")) { Tag.pre { plan } }
            Tag.p(.class("pages")) {
                Tag.span { "\(counted(table.shown, "row")), \(time.milliseconds)" }
                if skipped > 0 { Tag.span { "after \(counted(skipped, "row"))" } }
                Tag.a(.href(base.with("form", "csv"))) { "CSV of these rows" }
                Tag.a(.href(base.with("form", "json"))) { "JSON of these rows" }
                if hasMore || table.shown < rows.count {
                    let next = SQLPage.address(statement).with("skip", "\(skipped.addingClamped(table.shown))")
                    Tag.a(.href(next), .rel("next")) { "Next rows" }
                }
            }
            table.html
        }
    }
}

/// The error of a row that is larger than a file of rows may be.
private struct RowTooLarge: Error, CustomStringConvertible {
    var description: String { "A row has more than 4 MB. The command prints it." }
}
#endif
