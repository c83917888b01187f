// SQLite by its C functions: prepared statements, and values read by column, as Swift values.

import Foundation
import GRDB
import GRDBSQLite
import TroveSQL

final class SQLitePeer: AskingPeer, @unchecked Sendable {
    private let pool: DatabasePool

    init(at place: Place) throws {
        pool = try GRDBPeer.pool(
            at: place,
            schema: """
                CREATE TABLE IF NOT EXISTS Customer (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT NOT NULL,
                    city TEXT NOT NULL, balance REAL NOT NULL, isActive BOOLEAN NOT NULL, created TEXT NOT NULL);
                CREATE INDEX IF NOT EXISTS customerAge ON Customer (age);
                CREATE UNIQUE INDEX IF NOT EXISTS customerEmail ON Customer (email);
                CREATE TABLE IF NOT EXISTS Purchase (
                    id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, amount REAL NOT NULL);
                CREATE INDEX IF NOT EXISTS purchaseCustomer ON Purchase (customer);
                CREATE VIRTUAL TABLE IF NOT EXISTS Article USING fts5(
                    id UNINDEXED, title, body, tokenize = 'unicode61 remove_diacritics 2');
                """)
    }

    func fill(customers count: Int) throws {
        try pool.write { database in
            let customers = try database.makeStatement(sql: "INSERT INTO Customer VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            let purchases = try database.makeStatement(sql: "INSERT INTO Purchase VALUES (?, ?, ?)")
            for number in 0..<count {
                let customer = Customer(number: number)
                let created: String? = if case .text(let text) = customer.created.sqlValue { text } else { nil }
                try customers.execute(arguments: [
                    customer.id, customer.name, customer.age, customer.email, customer.city, customer.balance,
                    customer.isActive, created,
                ])
                let purchase = Purchase(number: number, customers: count)
                try purchases.execute(arguments: [purchase.id, purchase.customer, purchase.amount])
            }
            let articles = try database.makeStatement(sql: "INSERT INTO Article (id, title, body) VALUES (?, ?, ?)")
            for entry in Article.texts(customers: count).entries {
                try articles.execute(arguments: [entry.id, entry.title, entry.body])
            }
            try database.execute(sql: "ANALYZE")
        }
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }

    func answer(_ question: Question) throws -> Checksum {
        try pool.read { database in
            // Prepared by GRDB and cached, run by the C functions.
            let statement = try database.cachedStatement(sql: question.text).sqliteStatement
            var sum = RowSum()
            for run in 0..<question.runs {
                try self.run(statement, question.arguments(run), &sum)
                sum.endRun()
            }
            return sum.checksum
        }
    }

    func run(_ change: ShopChange) throws -> Int {
        try pool.write { database in
            try change.statements.reduce(0) { changes, text in
                let statement = try database.cachedStatement(sql: text).sqliteStatement
                defer { sqlite3_reset(statement) }
                guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("sqlite: \(text) failed") }
                return changes + database.changesCount
            }
        }
    }

    private func run(_ statement: OpaquePointer, _ arguments: [SQLValue], _ sum: inout RowSum) throws {
        sqlite3_reset(statement)
        defer { sqlite3_reset(statement) }
        for (place, argument) in arguments.enumerated() { try bind(argument, to: statement, Int32(place + 1)) }
        let count = sqlite3_column_count(statement)
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw BenchmarkError("sqlite: error \(code)") }
            var row = Checksum()
            for column in 0..<count {
                switch sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: sqlite3_column_int64(statement, column).add(to: &row)
                case SQLITE_FLOAT: sqlite3_column_double(statement, column).add(to: &row)
                case SQLITE_TEXT: String(cString: sqlite3_column_text(statement, column)).add(to: &row)
                default: throw BenchmarkError("sqlite: a value of another type")
                }
            }
            sum.add(row)
        }
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, _ place: Int32) throws {
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(let text):
            // SQLite copies the text.
            sqlite3_bind_text(statement, place, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        default: throw BenchmarkError("sqlite: an argument of another type")
        }
    }
}
