// `/sql`: a statement, its rows, its plan.

#if Inspector
import Hummingbird
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// A statement of SQL that reads.
///
/// | in the query | meaning |
/// |---|---|
/// | `q` | the statement |
/// | `skip` | the number of rows to leave out |
/// | `form` | `csv` or `json`: the rows of the page as a file |
enum SQLPage: Page {
    static let path = "/sql"
    static let navigationName: String? = "SQL"
    /// The maximum number of rows of a page.
    static let rowLimit = 1_000
    /// The maximum size of the rows in bytes.
    static let sizeLimit = 4 << 20

    /// Returns the address of the page with a statement.
    static func address(_ statement: String) -> Address { Address("sql").with("q", statement) }

    static func response(to request: PageRequest) async throws -> Response {
        let statement = request.query("q")
        let skip = max(0, request.query("skip").flatMap { Int($0) } ?? 0)
        guard let statement else {
            let (names, commit) = try await request.site.snapshot { (try tables($0), $0.commit) }
            return page(request, nil, names, commit)
        }
        let form = request.query("form").flatMap { StatementRows.Form(rawValue: $0) } ?? .page
        let site = request.site
        do {
            let (outcome, names, commit) = try await site.snapshot { snapshot in
                let outcome = Result {
                    try StatementCall.$analyzers.withValue(site.analyzers) {
                        try StatementRows(statement, skipping: skip, form, snapshot)
                    }
                }
                return (outcome, try tables(snapshot), snapshot.commit)
            }
            if form != .page, case .success(let rows) = outcome { return rows.file }
            return page(request, (statement, outcome), names, commit)
        } catch let error as SnapshotTooOld {
            // The statement stays on the page.
            return page(request, (statement, .failure(error)), [], nil)
        }
    }

    private static func page(
        _ request: PageRequest, _ outcome: (statement: String, rows: Result<StatementRows, any Error>)?,
        _ tables: [String], _ commit: UInt64?
    ) -> Response {
        let statement = outcome?.statement
        let content = PageContent(
            title: "SQL",
            command: Command("sql", request.site.path).with(text: statement ?? "SELECT * FROM trove_types"),
            body: html {
                form(statement, didRun: outcome != nil)
                if let outcome {
                    switch outcome.rows {
                    case .success(let rows): rows.html(of: outcome.statement)
                    case .failure(let error): Tag.pre(.class("error"), .role("alert")) { "\(error)" }
                    }
                }
                Tag.details(.id("history"), .hidden()) {
                    Tag.summary { "Statements of this browser" }
                    Tag.ul()
                }
                Tag.details {
                    Tag.summary { "Tables" }
                    Tag.ul {
                        for table in tables {
                            Tag.li {
                                Tag.a(.href(address("SELECT * FROM \(table.quotedForSQL) LIMIT 100"))) {
                                    Tag.bdi { table }
                                }
                            }
                        }
                    }
                }
            })
        return .html(PageFrame(request: request, content: content, commit: commit).document)
    }

    private static func form(_ statement: String?, didRun: Bool) -> HTML {
        Tag.form(.class("lines"), .method("get"), .action(Address("sql"))) {
            Tag.label(.for("statement")) { "A statement that reads: SELECT, WITH, VALUES, PRAGMA table_list" }
            Tag.textarea(
                .id("statement"), .name("q"), .rows(min(20, max(4, (statement ?? "").split(separator: "\n").count))),
                .spellcheck(false), .data("search"), .data("statement", didRun ? "run" : "new")
            ) { "\n" + (statement ?? "") }
            Tag.div(.class("line")) {
                Tag.button(.type("submit")) { "Run" }
                Tag.span(.class("hint")) { "Ctrl-Enter runs it. A statement ends after a second." }
            }
        }
    }

    /// Returns the names of the first tables: types, and relations.
    private static func tables(_ snapshot: Snapshot) throws -> [String] {
        let rows = try snapshot.context.sql("SELECT name FROM trove_types ORDER BY name LIMIT 500", as: String.self)
        let relations = try snapshot.context.storedRelations().prefix(500).flatMap {
            [$0.name, $0.inverse].compactMap(\.self)
        }
        return rows + Set(relations).sorted() + ["trove_types", "trove_indexes"]
    }
}
#endif
