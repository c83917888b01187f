// SQLite's FTS5 through GRDB, with texts of its own, and as many features of Unicode as Trove's standard analyzer.

import Foundation
import GRDB

final class FTS5Peer: SearchingPeer, @unchecked Sendable {
    private let pool: DatabasePool
    private static let texts = "title, body, year UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'"

    init(at place: Place) throws {
        pool = try GRDBPeer.pool(
            at: place,
            schema: """
                CREATE VIRTUAL TABLE IF NOT EXISTS entry USING fts5(\(Self.texts));
                CREATE TABLE IF NOT EXISTS earlier (
                    id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL, year INTEGER NOT NULL);
                CREATE VIRTUAL TABLE IF NOT EXISTS datedText USING fts5(\(Self.texts));
                CREATE VIRTUAL TABLE IF NOT EXISTS part USING fts5(
                    title UNINDEXED, body, year UNINDEXED, tokenize = 'trigram');
                CREATE TABLE IF NOT EXISTS dated (id INTEGER PRIMARY KEY, year INTEGER NOT NULL);
                CREATE INDEX IF NOT EXISTS datedYear ON dated (year);
                """)
    }

    // MARK: Writing

    func insert(_ entries: [Entry]) throws {
        try write("INSERT INTO entry (rowid, title, body, year) VALUES (?, ?, ?, ?)", entries) {
            [$0.id, $0.title, $0.body, $0.year]
        }
    }

    func replace(_ entries: [Entry]) throws {
        try write("UPDATE entry SET title = ?, body = ? WHERE rowid = ?", entries) { [$0.title, $0.body, $0.id] }
    }

    func insert(_ entries: [EarlierEntry]) throws {
        try write("INSERT INTO earlier (id, title, body, year) VALUES (?, ?, ?, ?)", entries) {
            [$0.id, $0.title, $0.body, $0.year]
        }
    }

    /// Builds the index over the table of the entries, which stays the only copy of their texts.
    func buildIndex() throws {
        let sql = """
            DROP TABLE entry;
            CREATE VIRTUAL TABLE entry USING fts5(\(Self.texts), content = 'earlier', content_rowid = 'id');
            INSERT INTO entry (entry) VALUES ('rebuild');
            """
        try pool.write { database in try database.execute(sql: sql) }
    }

    func insert(_ entries: [DatedEntry]) throws {
        try write("INSERT INTO dated (id, year) VALUES (?, ?)", entries) { [$0.id, $0.year] }
        try write("INSERT INTO datedText (rowid, title, body, year) VALUES (?, ?, ?, ?)", entries) {
            [$0.id, $0.title, $0.body, $0.year]
        }
    }

    func insert(_ entries: [PartEntry]) throws {
        try write("INSERT INTO part (rowid, title, body, year) VALUES (?, ?, ?, ?)", entries) {
            [$0.id, $0.title, $0.body, $0.year]
        }
    }

    /// Runs a statement for each element, in a single transaction.
    private func write<Element>(
        _ sql: String, _ elements: [Element], _ arguments: (Element) -> StatementArguments
    ) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: sql)
            for element in elements {
                statement.setUncheckedArguments(arguments(element))
                try statement.execute()
            }
        }
    }

    // MARK: Searching

    func entryCount() throws -> Int {
        try number(
            """
            SELECT (SELECT COUNT(*) FROM entry) + (SELECT COUNT(*) FROM datedText) + (SELECT COUNT(*) FROM part)
            """, [])
    }

    func count(_ query: WordQuery) throws -> Int {
        try number("SELECT COUNT(*) FROM entry WHERE entry MATCH ?", [query.matchExpression])
    }

    func best(_ query: WordQuery, atMost limit: Int) throws -> [Entry] {
        try entries(
            "SELECT rowid, title, body, year FROM entry WHERE entry MATCH ? ORDER BY rank LIMIT ?",
            [query.matchExpression, limit])
    }

    func snippets(_ query: WordQuery, atMost limit: Int) throws -> [String] {
        try pool.read { database in
            let sql = """
                SELECT snippet(entry, 1, '<b>', '</b>', '…', 24) FROM entry WHERE entry MATCH ? ORDER BY rank LIMIT ?
                """
            return try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [query.matchExpression, limit])
        }
    }

    func best(_ query: WordQuery, of year: Int, atMost limit: Int) throws -> [DatedEntry] {
        try entries(
            """
            SELECT dated.id, title, body, dated.year FROM datedText JOIN dated ON dated.id = datedText.rowid
            WHERE datedText MATCH ? AND dated.year = ? ORDER BY rank LIMIT ?
            """, [query.matchExpression, year, limit]
        ).map(DatedEntry.init)
    }

    func latest(_ query: WordQuery, atMost limit: Int) throws -> [DatedEntry] {
        try entries(
            """
            SELECT dated.id, title, body, dated.year FROM datedText JOIN dated ON dated.id = datedText.rowid
            WHERE datedText MATCH ? ORDER BY dated.year DESC, dated.id LIMIT ?
            """, [query.matchExpression, limit]
        ).map(DatedEntry.init)
    }

    func count(withPart part: String) throws -> Int {
        try number("SELECT COUNT(*) FROM part WHERE part MATCH ?", ["\"\(part)\""])
    }

    func first(_ limit: Int, withPart part: String) throws -> [PartEntry] {
        try entries(
            "SELECT rowid, title, body, year FROM part WHERE part MATCH ? ORDER BY rowid LIMIT ?",
            ["\"\(part)\"", limit]
        ).map(PartEntry.init)
    }

    func settle() throws {
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }

    private func number(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try pool.read { database in
            try Int.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) ?? 0
        }
    }

    private func entries(_ sql: String, _ arguments: StatementArguments) throws -> [Entry] {
        try pool.read { database in
            let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
            var entries: [Entry] = []
            while let row = try rows.next() {
                entries.append(Entry(id: row[0], title: row[1], body: row[2], year: row[3]))
            }
            return entries
        }
    }
}

extension WordQuery {
    /// The query in FTS5's language.
    fileprivate var matchExpression: String {
        switch self {
        case .all(let words): words.map { "\"\($0)\"" }.joined(separator: " AND ")
        case .any(let words): words.map { "\"\($0)\"" }.joined(separator: " OR ")
        case .phrase(let words): "\"\(words.joined(separator: " "))\""
        case .prefix(let beginning): "\"\(beginning)\"*"
        }
    }
}
