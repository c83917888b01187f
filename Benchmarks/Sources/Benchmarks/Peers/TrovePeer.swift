// Trove, used as its README describes.

import Trove

final class TrovePeer: Peer {
    let store: Store

    init(at place: Place) throws {
        store = try Store(
            path: place.file.path,
            options: StoreOptions(
                durability: place.isDurable ? .full : .noSync, history: place.keepsHistory ? .keep(days: 30) : nil))
    }

    func insert(_ people: [Person]) throws {
        try store.write { context in
            for person in people { try context.insert(person) }
        }
    }

    func insertEach(_ people: [Person]) throws {
        for person in people { try store.insert(person) }
    }

    func insertConcurrently(_ tasks: [[Person]]) async throws {
        try await withThrowingTaskGroup { group in
            for people in tasks {
                group.addTask { [store] in
                    for person in people {
                        try await store.write { context in _ = try context.insert(person) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func delete(_ ids: [Int64]) throws {
        try store.write { context in
            for id in ids { try context.delete(Person.self, key: id) }
        }
    }

    func insert(_ flights: [Flight]) throws {
        try store.write { context in
            for flight in flights { try context.insert(flight) }
        }
    }

    func get(_ ids: [Int64]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for id in ids {
                if let person = try Person.get(in: context, id: id) { checksum.add(person) }
            }
            return checksum
        }
    }

    func getEach(_ ids: [Int64]) throws -> Checksum {
        var checksum = Checksum()
        for id in ids {
            if let person = try Person.get(in: store, id: id) { checksum.add(person) }
        }
        return checksum
    }

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for range in ranges { checksum.add(try Person.select(in: context, id: .range(range))) }
            return checksum
        }
    }

    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for range in ranges {
                checksum.add(try Person.query(id: .range(range)).select(\.age).resolve(in: context).reduce(0, &+))
            }
            return checksum
        }
    }

    func all() throws -> [Person] {
        try Person.select(in: store)
    }

    func count(_ range: Range<Int64>) throws -> Int {
        try Person.query(id: .range(range)).count(in: store)
    }

    func flightCount() throws -> Int {
        try Flight.query().count(in: store)
    }

    func historyCount() throws -> Int {
        try store.read { try $0.history().reduce(0) { try $0 + $1.changes(of: Person.self).count } }
    }
}
