// SQLite through GRDB: the common part of its peers.

import Foundation
import GRDB

/// SQLite through GRDB, in write-ahead mode with a pool of readers.
class GRDBPeer: @unchecked Sendable {
    let pool: DatabasePool

    required init(at place: Place) throws {
        pool = try Self.pool(
            at: place,
            schema: """
                CREATE TABLE IF NOT EXISTS person (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT NOT NULL,
                    created NOT NULL);
                CREATE TABLE IF NOT EXISTS flight (
                    origin TEXT NOT NULL, scheduledDeparture NOT NULL, carrier TEXT NOT NULL,
                    number INTEGER NOT NULL, destination TEXT NOT NULL, tailNumber TEXT, departureDelay INTEGER,
                    arrivalDelay INTEGER, minutesInAir INTEGER, miles INTEGER NOT NULL,
                    PRIMARY KEY (origin, scheduledDeparture, carrier, number)) WITHOUT ROWID;
                """ + (place.keepsHistory ? Self.history : ""))
    }

    /// A table of changes, which triggers fill.
    private static var history: String {
        let triggers = [("INSERT", "new"), ("DELETE", "old")].map { event, row in
            """

            CREATE TRIGGER IF NOT EXISTS person\(event) AFTER \(event) ON person BEGIN
                INSERT INTO change (kind, id, time) VALUES ('\(event)', \(row).id, julianday('now'));
            END;
            """
        }
        let table = "CREATE TABLE IF NOT EXISTS change (number INTEGER PRIMARY KEY, kind TEXT, id INTEGER, time REAL);"
        return table + triggers.joined()
    }

    static func pool(at place: Place, schema: String) throws -> DatabasePool {
        var configuration = Configuration()
        // During reads and a write, a checkpoint can find the database locked for a moment.
        configuration.busyMode = .timeout(10)
        let pool = try DatabasePool(path: place.file.path, configuration: configuration)
        // The pool sets its own level when it turns write-ahead mode on. Only the level of the writer matters.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(place.isDurable ? "FULL" : "OFF")")
        }
        try pool.write { database in
            let level = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard level == (place.isDurable ? 2 : 0) else {
                throw BenchmarkError("SQLite has synchronous = \(level ?? -1)")
            }
            try database.execute(sql: schema)
        }
        return pool
    }

    func count(_ range: Range<Int64>) throws -> Int {
        try pool.read { database in
            try Int.fetchOne(
                database, sql: "SELECT COUNT(*) FROM person WHERE id >= ? AND id < ?",
                arguments: [range.lowerBound, range.upperBound]) ?? 0
        }
    }

    func flightCount() throws -> Int {
        try pool.read { database in try Flight.fetchCount(database) }
    }

    func historyCount() throws -> Int {
        try pool.read { database in try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM change") ?? 0 }
    }

    func settle() throws {
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }
}

/// A person read by column index.
struct PersonRow<Person: PersonRecord>: FetchableRecord {
    let person: Person

    init(row: Row) {
        person = Person(
            id: row[0], name: row[1], age: row[2], email: row[3],
            created: Date(timeIntervalSinceReferenceDate: row[4]))
    }
}
