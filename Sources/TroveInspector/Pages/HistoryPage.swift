// `/history`: the commits that the store has kept, the newest first.

#if Inspector
import Trove
import TroveTerminal

/// The commits that the store has kept, the newest first.
///
/// | in the query | meaning |
/// |---|---|
/// | `before` | the number of a commit: the page of the commits before it |
enum HistoryPage: SnapshotPage {
    static let path = "/history"
    static let navigationName: String? = "History"
    static let address = Address("history")
    /// The maximum number of commits of a page.
    private static let limit = 50
    /// The size of changes after which no further commit is read, and at which a commit is cut.
    static let byteLimit = 2 << 20

    static func isInNavigation(of site: Site) -> Bool { site.keepsHistory }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        var content = PageContent(title: "History", command: .history(of: request.site.path), body: HTML())
        guard snapshot.context.keepsHistory else {
            content.body = withoutHistory
            return content
        }
        let before = try request.query("before").map(number)
        var (rows, older): ([Row], Row?) = ([], nil)
        var size = 0
        try snapshot.context.forEachHistoryResult(before: before, bytes: byteLimit) { sequence, commit in
            let row = try Row(sequence, commit)
            if !rows.isEmpty, rows.count == limit || size >= byteLimit || snapshot.isOld {
                older = row
                return false
            }
            rows.append(row)
            size += row.size
            return true
        }
        var budget = Budget()
        let parts = budget.parts(of: rows, \.markup)
        let shown = rows.prefix(parts.count)
        let next = rows.dropFirst(parts.count).first ?? older
        if before != nil || next != nil, !shown.isEmpty {
            content.command = .history(of: request.site.path, after: next?.token, limit: shown.count)
        }
        content.body = html {
            Tag.p(.class("pages")) {
                Tag.a(.href(Address("live"))) { "Commits as they come" }
                if before != nil { Tag.a(.href(address)) { "The newest commits" } }
            }
            if rows.isEmpty {
                Tag.p(.class("empty")) { before == nil ? "No commit is kept." : "No earlier commit is kept." }
            } else {
                CommitView.table(["Changes"], parts)
            }
            if let last = shown.last, next != nil {
                Tag.p(.class("pages")) {
                    Tag.a(.href(address.with("before", "\(last.sequence)")), .rel("next")) { "Earlier commits" }
                }
            }
        }
        return content
    }

    private static func number(_ text: String) throws -> UInt64 {
        guard let number = UInt64(text) else {
            throw NotFound(description: "“\(text)” is not the number of a commit.")
        }
        return number
    }

    private static var withoutHistory: HTML {
        html {
            Tag.p(.class("empty")) { "This store keeps no history of its commits." }
            Tag.p { "The history begins when a program opens the store with rules for it:" }
            Tag.pre {
                "try Store(path: path, records: [Note.self], options: StoreOptions(history: .keep(days: 30)))"
            }
        }
    }

    /// A commit, or the error of reading it.
    private struct Row {
        let sequence: UInt64
        let token: HistoryToken?
        /// The size of the changes that were read, in bytes.
        let size: Int
        let markup: HTML

        init(_ sequence: UInt64, _ result: Result<HistoryCommit, any Error>) throws {
            self.sequence = sequence
            switch result {
            case .success(let commit):
                (token, size) = (commit.token, commit.readBytes)
                markup = Tag.tr {
                    CommitView.cells(commit)
                    Tag.td { CommitView.counts(commit) }
                }
            case .failure(let error):
                (token, size) = (nil, 0)
                markup = try CommitView.row(sequence, error, columns: 3)
            }
        }
    }
}

extension Command {
    /// Returns the call that prints the commits after a position.
    ///
    /// - Parameters:
    ///   - token: The position; nil for the oldest commit that is kept.
    ///   - limit: The maximum number of commits; nil for all.
    static func history(of path: String, after token: HistoryToken? = nil, limit: Int? = nil) -> Command {
        let command = Command("history", path)
        let positioned = token.map { command.with("--after", $0.rawValue) } ?? command
        return limit.map { positioned.with("--limit", "\($0)") } ?? positioned
    }
}
#endif
