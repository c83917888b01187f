// Totals in SQLite, through GRDB's fast path: a table with a row for each group, which triggers maintain.

import Foundation
import GRDB

final class GRDBTotalingPeer: TotalingPeer, @unchecked Sendable {
    private let pool: DatabasePool

    init(at place: Place) throws {
        let columns = """
            id INTEGER PRIMARY KEY, city TEXT NOT NULL, year INTEGER NOT NULL, cents INTEGER NOT NULL,
            weight REAL NOT NULL
            """
        let tables = SaleTable.allCases.map { "CREATE TABLE IF NOT EXISTS \($0.rawValue) (\(columns));" }
        let add = """
            INSERT INTO total VALUES (new.city, new.year, 1, new.cents, new.weight)
            ON CONFLICT (city, year) DO UPDATE SET
                sales = sales + 1, cents = cents + excluded.cents, weight = weight + excluded.weight;
            """
        let remove = """
            UPDATE total SET sales = sales - 1, cents = cents - old.cents, weight = weight - old.weight
            WHERE city = old.city AND year = old.year;
            DELETE FROM total WHERE city = old.city AND year = old.year AND sales = 0;
            """
        pool = try GRDBPeer.pool(
            at: place,
            schema: tables.joined(separator: "\n") + """

                CREATE INDEX IF NOT EXISTS saleCityYear ON indexedSale (city, year);
                CREATE INDEX IF NOT EXISTS pricedSaleCents ON pricedSale (cents);
                CREATE INDEX IF NOT EXISTS rankedSaleCents ON rankedSale (cents);
                CREATE TABLE IF NOT EXISTS total (
                    city TEXT NOT NULL, year INTEGER NOT NULL, sales INTEGER NOT NULL, cents INTEGER NOT NULL,
                    weight REAL NOT NULL, PRIMARY KEY (city, year)) WITHOUT ROWID;
                CREATE TRIGGER IF NOT EXISTS saleInserted AFTER INSERT ON sale BEGIN \(add) END;
                CREATE TRIGGER IF NOT EXISTS saleDeleted AFTER DELETE ON sale BEGIN \(remove) END;
                CREATE TRIGGER IF NOT EXISTS saleUpdated AFTER UPDATE ON sale BEGIN \(remove) \(add) END;
                """)
    }

    // MARK: Writing

    func inserting(_ sales: [Sale], into table: SaleTable, isEach: Bool) -> () throws -> Void {
        { [pool] in
            guard isEach else { return try pool.write { try Self.insert(sales, into: table, $0) } }
            for sale in sales { try pool.write { try Self.insert([sale], into: table, $0) } }
        }
    }

    private static func insert(_ sales: [Sale], into table: SaleTable, _ database: Database) throws {
        // Not OR REPLACE, which would run no trigger for the replaced sale.
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO \(table.rawValue) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    city = excluded.city, year = excluded.year, cents = excluded.cents, weight = excluded.weight
                """)
        for sale in sales {
            statement.setUncheckedArguments([sale.id, sale.city, sale.year, sale.cents, sale.weight])
            try statement.execute()
        }
    }

    // MARK: Reading

    func cents(ofEach cities: [String]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT SUM(cents) FROM total WHERE city = ?")
            var checksum = Checksum()
            for city in cities { checksum.add(try Int.fetchOne(statement, arguments: [city]) ?? 0) }
            return checksum
        }
    }

    func weights(ofEach cities: [String]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT SUM(weight) FROM total WHERE city = ?")
            var checksum = Checksum()
            for city in cities { checksum.add((try Double.fetchOne(statement, arguments: [city]) ?? 0).bitPattern) }
            return checksum
        }
    }

    func counts(ofEach cities: [String], in year: Int) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT sales FROM total WHERE city = ? AND year = ?")
            var checksum = Checksum()
            for city in cities { checksum.add(try Int.fetchOne(statement, arguments: [city, year]) ?? 0) }
            return checksum
        }
    }

    func centsByGroup(in table: SaleTable) throws -> Checksum {
        let sql =
            table == .totaled
            ? "SELECT city, year, cents FROM total ORDER BY city, year"
            : "SELECT city, year, SUM(cents) FROM \(table.rawValue) GROUP BY city, year ORDER BY city, year"
        return try pool.read { database in
            let rows = try Row.fetchCursor(database.cachedStatement(sql: sql))
            var checksum = Checksum()
            while let row = try rows.next() {
                let city: String = row[0]
                let year: Int = row[1]
                let cents: Int = row[2]
                checksum.add(city.utf8.count)
                checksum.add(year)
                checksum.add(cents)
            }
            return checksum
        }
    }

    func counts(aboveEach cents: [Int]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM rankedSale WHERE cents > ?")
            var checksum = Checksum()
            for cents in cents { checksum.add(try Int.fetchOne(statement, arguments: [cents]) ?? 0) }
            return checksum
        }
    }

    func pages(atEach places: [Int]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT id FROM rankedSale ORDER BY cents DESC, id LIMIT 20 OFFSET ?")
            var checksum = Checksum()
            for place in places {
                for id in try Int64.fetchAll(statement, arguments: [place]) { checksum.add(id) }
            }
            return checksum
        }
    }

    func ranks(ofEach sales: [Sale]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT COUNT(*) FROM rankedSale WHERE cents > ? OR (cents = ? AND id < ?)")
            var checksum = Checksum()
            for sale in sales {
                checksum.add(try Int.fetchOne(statement, arguments: [sale.cents, sale.cents, sale.id]) ?? 0)
            }
            return checksum
        }
    }

    func settle() throws {
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }

    func verified(_ table: SaleTable) throws -> [Sale] {
        try pool.read { database in
            let report = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            guard report == "ok" else { throw BenchmarkError("grdb-fast: \(report ?? "no report")") }
            let groups = "SELECT city, year, COUNT(*), SUM(cents), SUM(weight) FROM sale GROUP BY city, year"
            for (first, second) in [(groups, "SELECT * FROM total"), ("SELECT * FROM total", groups)] {
                let wrong = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(first) EXCEPT \(second))")
                guard wrong == 0 else { throw BenchmarkError("grdb-fast: the triggers have left wrong totals") }
            }
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM \(table.rawValue) ORDER BY id")
            var sales: [Sale] = []
            while let row = try rows.next() {
                sales.append(Sale(id: row[0], city: row[1], year: row[2], cents: row[3], weight: row[4]))
            }
            return sales
        }
    }
}
