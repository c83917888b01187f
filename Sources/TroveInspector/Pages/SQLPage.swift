// `/sql`: a statement, its rows, its plan.

#if Inspector
import Hummingbird
import LMDB
import Trove
import TroveSQL
import TroveTerminal

/// A statement of SQL. One that reads runs at once; one that writes is shown, and runs when its form is sent.
///
/// | in the query | meaning |
/// |---|---|
/// | `q` | the statement |
/// | `skip` | the number of rows to leave out |
/// | `form` | `csv` or `json`: the rows of the page as a file |
///
/// | in the form | meaning |
/// |---|---|
/// | `q` | the statement |
/// | `shown` | the mark with which the statement was shown |
enum SQLPage: FormPage {
    static let path = "/sql"
    static let navigationName: String? = "SQL"
    static let address = Address("sql")
    /// The maximum number of rows of a page.
    static let rowLimit = 1_000
    /// The maximum size of the rows in bytes.
    static let sizeLimit = 4 << 20

    /// Returns the address of the page with a statement.
    static func address(_ statement: String) -> Address { address.with("q", statement) }

    /// A statement, and what a page shows of it.
    private struct Outcome: Sendable {
        enum Kind: Sendable {
            case rows(StatementRows)
            /// The statement writes, and has not run.
            case confirmation(WrittenStatement)
            case written(StatementResult)
        }

        let statement: String
        /// Whether the statement is known to write.
        var writes = false
        var kind: Kind?
        /// The error, if there is one.
        var failure: (any Error)?
        var status = HTTPResponse.Status.ok
    }

    static func response(to request: PageRequest) async throws -> Response {
        guard let statement = request.query("q")?.withLineFeeds else {
            let (names, commit) = try await request.site.snapshot { (try tables($0), $0.commit) }
            return page(request, nil, names, commit)
        }
        let skip = max(0, request.query("skip").flatMap { Int($0) } ?? 0)
        let form = request.query("form").flatMap { StatementRows.Form(rawValue: $0) } ?? .page
        let site = request.site
        do {
            let (outcome, names, commit) = try await site.snapshot { snapshot in
                var outcome = Outcome(statement: statement)
                do {
                    outcome.kind = try kind(statement, skipping: skip, form, site, snapshot)
                    if case .confirmation = outcome.kind { outcome.writes = true }
                } catch {
                    outcome.failure = error
                }
                return (outcome, try tables(snapshot), snapshot.commit)
            }
            if form != .page, case .rows(let rows) = outcome.kind { return rows.file }
            return page(request, outcome, names, commit)
        } catch let error as SnapshotTooOld {
            // The statement stays on the page.
            return page(request, Outcome(statement: statement, failure: error), [], nil)
        }
    }

    private static func kind(
        _ statement: String, skipping skip: Int, _ form: StatementRows.Form, _ site: Site, _ snapshot: Snapshot
    ) throws -> Outcome.Kind {
        if let written = try WrittenStatement(statement, in: site, snapshot) { return .confirmation(written) }
        return try StatementCall.$analyzers.withValue(site.analyzers) {
            .rows(try StatementRows(statement, skipping: skip, form, snapshot))
        }
    }

    static func response(to form: PageForm, _ request: PageRequest) async throws -> Response {
        let site = request.site
        var outcome = Outcome(statement: (form["q"] ?? "").withLineFeeds)
        do {
            let text = outcome.statement
            let statement = try await site.snapshot { try WrittenStatement(text, in: site, $0) }
            guard let statement else { return .redirect(to: address(text)) }
            outcome.writes = true
            if site.shownStatements.take(form["shown"], text) {
                outcome.kind = .written(try await statement.run(on: site))
            } else {
                outcome.kind = .confirmation(statement)
                throw RefusedChange(
                    description: "The form of this statement was sent before, or is too old. Nothing is changed now.")
            }
        } catch {
            (outcome.failure, outcome.status) = (error, .conflict)
        }
        do {
            let (names, commit) = try await site.snapshot { (try tables($0), $0.commit) }
            return page(request, outcome, names, commit)
        } catch {
            // What is written stays so: the page says it, without the list of tables.
            guard case .written = outcome.kind else { throw error }
            return page(request, outcome, [], nil)
        }
    }

    /// Returns the command that runs a statement.
    private static func command(_ request: PageRequest, _ outcome: Outcome?) -> Command {
        let command = Command("sql", request.site.path)
        return (outcome?.writes == true ? command.with("--write") : command)
            .with(text: outcome?.statement ?? "SELECT * FROM trove_types")
    }

    private static func page(
        _ request: PageRequest, _ outcome: Outcome?, _ tables: [String], _ commit: UInt64?
    ) -> Response {
        let statement = outcome?.statement
        let content = PageContent(
            title: "SQL", command: command(request, outcome), status: outcome?.status ?? .ok,
            body: html {
                form(statement, didRun: outcome != nil, writes: request.site.allowsWrites)
                if let failure = outcome?.failure {
                    Tag.pre(.class("error"), .role("alert")) { "\(failure)" }
                }
                switch outcome?.kind {
                case .rows(let rows): rows.html(of: statement ?? "")
                case .confirmation(let statement): statement.confirmation(on: request.site)
                case .written(let result): result.html
                case nil: HTML()
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
        return .html(
            PageFrame(request: request, content: content, commit: commit).document, status: content.status)
    }

    private static func form(_ statement: String?, didRun: Bool, writes: Bool) -> HTML {
        Tag.form(.class("lines"), .method("get"), .action(address)) {
            Tag.label(.for("statement")) {
                writes
                    ? "A statement: SELECT, WITH, VALUES, PRAGMA table_list; INSERT, UPDATE and DELETE are confirmed first"
                    : "A statement that reads: SELECT, WITH, VALUES, PRAGMA table_list"
            }
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
