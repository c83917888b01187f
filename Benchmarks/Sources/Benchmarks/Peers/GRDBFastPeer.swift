// GRDB's fast path, as its documentation recommends and its own performance tests use: cached statements, arguments
// without validation, and rows read by column index.

import Foundation
import GRDB

final class GRDBFastPeer: GRDBPeer, Peer, @unchecked Sendable {
    func insert(_ people: [Person]) throws {
        try pool.write { database in try Self.insert(people, database) }
    }

    func insertEach(_ people: [Person]) throws {
        for person in people {
            try pool.write { database in try Self.insert([person], database) }
        }
    }

    func insertConcurrently(_ tasks: [[Person]]) async throws {
        try await withThrowingTaskGroup { group in
            for people in tasks {
                group.addTask { [pool] in
                    for person in people {
                        try await pool.write { database in try Self.insert([person], database) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func insert(_ people: [Person], _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO person VALUES (?, ?, ?, ?, ?)")
        for person in people {
            statement.setUncheckedArguments([
                person.id, person.name, person.age, person.email, person.created.timeIntervalSinceReferenceDate,
            ])
            try statement.execute()
        }
    }

    func delete(_ ids: [Int64]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
            for id in ids {
                statement.setUncheckedArguments([id])
                try statement.execute()
            }
        }
    }

    func insert(_ flights: [Flight]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO flight VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            for flight in flights {
                statement.setUncheckedArguments([
                    flight.origin, flight.scheduledDeparture.timeIntervalSinceReferenceDate, flight.carrier,
                    flight.number, flight.destination, flight.tailNumber, flight.departureDelay, flight.arrivalDelay,
                    flight.minutesInAir, flight.miles,
                ])
                try statement.execute()
            }
        }
    }

    func get(_ ids: [Int64]) throws -> Checksum {
        try pool.read { database in
            let statement = try Self.personByID(database)
            var checksum = Checksum()
            for id in ids {
                if let row = try Self.person(id, statement) { checksum.add(row.person) }
            }
            return checksum
        }
    }

    func getEach(_ ids: [Int64]) throws -> Checksum {
        var checksum = Checksum()
        for id in ids {
            if let row = try pool.read({ try Self.person(id, Self.personByID($0)) }) { checksum.add(row.person) }
        }
        return checksum
    }

    private static func personByID(_ database: Database) throws -> Statement {
        try database.cachedStatement(sql: "SELECT * FROM person WHERE id = ?")
    }

    private static func person(_ id: Int64, _ statement: Statement) throws -> PersonRow<Person>? {
        statement.setUncheckedArguments([id])
        return try PersonRow<Person>.fetchOne(statement)
    }

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM person WHERE id >= ? AND id < ? ORDER BY id")
            var checksum = Checksum()
            for range in ranges {
                let rows = try PersonRow<Person>.fetchAll(statement, arguments: [range.lowerBound, range.upperBound])
                checksum.add(rows.count)
                if let first = rows.first { checksum.add(first.person) }
                if let last = rows.last { checksum.add(last.person) }
            }
            return checksum
        }
    }

    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT age FROM person WHERE id >= ? AND id < ? ORDER BY id")
            var checksum = Checksum()
            for range in ranges {
                let ages = try Int.fetchAll(statement, arguments: [range.lowerBound, range.upperBound])
                checksum.add(ages.reduce(0, &+))
            }
            return checksum
        }
    }

    func all() throws -> [Person] {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT * FROM person ORDER BY id")
            var people: [Person] = []
            let rows = try PersonRow<Person>.fetchCursor(statement)
            while let row = try rows.next() { people.append(row.person) }
            return people
        }
    }
}
