// GRDB's Codable records, as most of its users write them.

import GRDB

final class GRDBCodablePeer: GRDBPeer, Peer, @unchecked Sendable {
    func insert(_ people: [Person]) throws {
        try pool.write { database in
            for person in people { try person.insert(database, onConflict: .replace) }
        }
    }

    func insertEach(_ people: [Person]) throws {
        for person in people {
            try pool.write { database in try person.insert(database, onConflict: .replace) }
        }
    }

    func insertConcurrently(_ tasks: [[Person]]) async throws {
        try await withThrowingTaskGroup { group in
            for people in tasks {
                group.addTask { [pool] in
                    for person in people {
                        try await pool.write { database in try person.insert(database, onConflict: .replace) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func delete(_ ids: [Int64]) throws {
        try pool.write { database in
            for id in ids { try Person.deleteOne(database, key: id) }
        }
    }

    func insert(_ flights: [Flight]) throws {
        try pool.write { database in
            for flight in flights { try flight.insert(database, onConflict: .replace) }
        }
    }

    func get(_ ids: [Int64]) throws -> Checksum {
        try pool.read { database in
            var checksum = Checksum()
            for id in ids {
                if let person = try Person.fetchOne(database, key: id) { checksum.add(person) }
            }
            return checksum
        }
    }

    func getEach(_ ids: [Int64]) throws -> Checksum {
        var checksum = Checksum()
        for id in ids {
            if let person = try pool.read({ try Person.fetchOne($0, key: id) }) { checksum.add(person) }
        }
        return checksum
    }

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        try pool.read { database in
            var checksum = Checksum()
            for range in ranges { checksum.add(try Self.people(in: range).fetchAll(database)) }
            return checksum
        }
    }

    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        try pool.read { database in
            var checksum = Checksum()
            for range in ranges {
                let ages = try Self.people(in: range).select(Column("age"), as: Int.self).fetchAll(database)
                checksum.add(ages.reduce(0, &+))
            }
            return checksum
        }
    }

    func all() throws -> [Person] {
        try pool.read { database in try Person.order(Column("id")).fetchAll(database) }
    }

    private static func people(in range: Range<Int64>) -> QueryInterfaceRequest<Person> {
        Person.filter(Column("id") >= range.lowerBound && Column("id") < range.upperBound).order(Column("id"))
    }
}
