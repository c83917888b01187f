// `/history/TOKEN`: a commit of the history with its changes.

#if Inspector
import Trove
import TroveTerminal

/// A commit of the history with its changes. The token is the position after the commit.
///
/// | in the query | meaning |
/// |---|---|
/// | `skip` | the number of changes before the first of the page |
enum CommitPage: SnapshotPage {
    static let path = "/history/:token"
    /// The maximum number of changes of a page.
    static let limit = 1_000

    /// Returns the address of the page of a commit.
    static func address(_ token: HistoryToken) -> Address { Address("history", token.rawValue) }

    static func content(of request: PageRequest, _ snapshot: Snapshot) throws -> PageContent {
        let commit = try commit(request["token"], snapshot)
        let skip = min(request.number("skip") ?? 0, commit.changeCount)
        let changes = commit.storedChanges(skip..<min(skip + limit, commit.changeCount))
        let types = Dictionary(
            uniqueKeysWithValues: try snapshot.context.storedTypes(Set(changes.map(\.keyPrefix))).map {
                ($0.keyPrefix, $0)
            })
        var budget = Budget()
        let facts = budget.taking(facts(commit))
        let rows = try budget.parts(of: changes) { try row($0, types[$0.keyPrefix], snapshot) }
        let end = skip + rows.count
        let before = try tokenBefore(commit, snapshot)
        return PageContent(
            title: "Commit \(Int(clamping: commit.sequence).grouped)",
            command: .history(of: request.site.path, after: before, limit: 1),
            body: html {
                Tag.p(.class("pages")) {
                    Tag.a(.href(HistoryPage.address)) { "History" }
                    if let before { Tag.a(.href(address(before))) { "The commit before" } }
                }
                facts
                if changes.isEmpty {
                    Tag.p(.class("empty")) {
                        commit.changeCount == 0 ? "The history begins with this commit." : "No further changes."
                    }
                } else if !rows.isEmpty {
                    table(rows)
                }
                Budget.hint(rows.count, of: commit.changeCount, "changes", limit: limit)
                if commit.isCut {
                    Tag.p(.class("hint")) {
                        "The commit has further changes: a page reads a few megabytes of them. The command prints all."
                    }
                }
                if end < commit.changeCount, !rows.isEmpty {
                    let next = address(commit.token).with("skip", "\(end)")
                    Tag.p(.class("pages")) { Tag.a(.href(next), .rel("next")) { "Next" } }
                }
            })
    }

    /// Returns the commit of a token.
    ///
    /// - Throws: ``NotFound`` if the history has no such commit.
    private static func commit(_ text: String, _ snapshot: Snapshot) throws -> HistoryCommit {
        guard let token = HistoryToken(rawValue: text) else {
            throw NotFound(description: "“\(text)” is not the token of a commit.")
        }
        do {
            return try snapshot.context.historyCommit(before: token, bytes: HistoryPage.byteLimit)
        } catch StoreError.history(let error) {
            throw NotFound(description: "\(error)")
        }
    }

    /// Returns the token of the commit before a commit; nil for the oldest commit.
    private static func tokenBefore(_ commit: HistoryCommit, _ snapshot: Snapshot) throws -> HistoryToken? {
        var token: HistoryToken?
        try snapshot.context.forEachHistoryResult(before: commit.sequence, bytes: 0) { _, commit in
            if case .success(let commit) = commit { token = commit.token }
            return false
        }
        return token
    }

    private static func facts(_ commit: HistoryCommit) -> HTML {
        Tag.dl(.class("facts")) {
            Tag.dt { "Time" }
            Tag.dd { CommitView.time(commit) }
            Tag.dt { "Author" }
            Tag.dd { CommitView.author(commit) }
            Tag.dt { "Token" }
            Tag.dd { Tag.code { commit.token.rawValue } }
            Tag.dt { "Changes" }
            Tag.dd { CommitView.counts(commit) }
        }
    }

    private static func table(_ rows: [HTML]) -> HTML {
        Tag.div(.class("scrolls")) {
            Tag.table {
                Tag.thead {
                    Tag.tr {
                        for heading in ["Record", "Change", "Type", "Tombstone"] {
                            Tag.th(.scope("col")) { heading }
                        }
                    }
                }
                Tag.tbody { rows }
            }
        }
    }

    /// - Parameter type: The type of the record; nil if the store does not have it.
    private static func row(
        _ change: StoredHistoryChange, _ type: StoredType?, _ snapshot: Snapshot
    ) throws -> HTML {
        let name = try change.key.map { try record($0, type, snapshot) }
        return Tag.tr {
            Tag.th(.scope("row")) { name }
            Tag.td { CommitView.kind(change) }
            Tag.td { CommitView.type(change.type, isStored: type != nil) }
            Tag.td { change.tombstone.map { ValueView.short(.record($0)) } }
        }
    }

    /// Returns the key of a record, with a link if the record is stored.
    private static func record(_ key: StoredKey, _ type: StoredType?, _ snapshot: Snapshot) throws -> HTML {
        let name = Tag.bdi { "\(key)".cut(80).text }
        // A key from before a migration to other keys has no layout, and names no record.
        guard let type, key.layout != nil else { return name }
        if try snapshot.context.hasRecord(withKey: key.bytes, of: type) { return RecordLink.html(key) }
        return html {
            name
            Tag.small { "not stored" }
        }
    }
}
#endif
