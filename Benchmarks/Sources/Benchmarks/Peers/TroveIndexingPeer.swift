// Trove's indexes, used as Docs/Queries.md describes.

import Trove

final class TroveIndexingPeer: IndexingPeer, @unchecked Sendable {
    private let path: String
    private var opened: Store?
    /// Whether plain people are stored as ``AgedPerson``.
    private var hasIndex = false
    private static let options = StoreOptions(durability: .noSync)

    init(at place: Place) throws {
        path = place.file.path
        opened = try Store(path: path, options: Self.options)
    }

    private var store: Store {
        get throws {
            guard let opened else { throw BenchmarkError("the store is closed") }
            return opened
        }
    }

    // MARK: Writing

    func insert(_ people: [Person]) throws {
        try store.write { context in
            for person in people { try context.insert(person) }
        }
    }

    func insert(_ people: [IndexedPerson]) throws {
        try store.write { context in
            for person in people { try context.insert(person) }
        }
    }

    func rename(_ people: [Person]) throws {
        try store.write { context in
            for renamed in people {
                guard var person = try Person.get(in: context, id: renamed.id) else { continue }
                person.name = renamed.name
                try context.insert(person)
            }
        }
    }

    func rename(_ people: [IndexedPerson]) throws {
        try store.write { context in
            for renamed in people {
                guard var person = try IndexedPerson.get(in: context, id: renamed.id) else { continue }
                person.name = renamed.name
                try context.insert(person)
            }
        }
    }

    func age(_ ids: [Int64]) throws {
        try store.write { context in
            for id in ids {
                guard var person = try IndexedPerson.get(in: context, id: id) else { continue }
                person.age = (person.age + 1) % IndexedPerson.ages.count
                try context.insert(person)
            }
        }
    }

    /// Builds the index by opening the store with a type that has an additional index. A process has a single
    /// declaration of a stored type at a time, so the store must be closed first.
    func buildIndex() throws {
        opened = nil
        opened = try Store(path: path, records: [AgedPerson.self], options: Self.options)
        hasIndex = true
    }

    // MARK: Reading

    func people(ofAge age: Int) throws -> [IndexedPerson] {
        try IndexedPerson.filter(\.age == age).resolve(in: store)
    }

    func people(_ order: AgeOrder, atMost limit: Int?) throws -> [IndexedPerson] {
        var query =
            switch order {
            case .ascending(let ages): IndexedPerson.filter(.between(\.age, ages)).sorted(by: \.age)
            case .descending(let ages): IndexedPerson.filter(.between(\.age, ages)).sorted(by: \.age.desc)
            }
        if let limit { query = query.limit(limit) }
        return try query.resolve(in: store)
    }

    func count(_ ages: Range<Int>) throws -> Int {
        try IndexedPerson.filter(.between(\.age, ages)).count(in: store)
    }

    func plainPeople(ofAge age: Int) throws -> [Person] {
        try Person.filter(\.age == age).resolve(in: store)
    }

    func verified() throws -> (plain: [Person], indexed: [IndexedPerson]) {
        let differences = try store.check(IndexedPerson.self) + (hasIndex ? store.check(AgedPerson.self) : [])
        guard differences.isEmpty else { throw BenchmarkError("\(differences[0])") }
        let plain = hasIndex ? try AgedPerson.select(in: store).map(Person.init) : try Person.select(in: store)
        return (plain, try IndexedPerson.select(in: store))
    }

    /// Calls a closure with the scans of a read transaction, or of a write transaction after a change of a record.
    func scanning(inWrite: Bool, _ body: (any PersonScanning) throws -> Checksum) throws -> Checksum {
        guard inWrite else { return try store.read { try body(TroveScans(context: $0)) } }
        return try store.write { context in
            if let person = try Person.query().first(in: context) { try context.insert(person) }
            return try body(TroveScans(context: context))
        }
    }
}

/// The scans of people in a transaction of Trove.
private struct TroveScans: PersonScanning {
    let context: ReadContext

    func select(_ ranges: [Range<Int64>]) throws -> Checksum {
        var checksum = Checksum()
        for range in ranges { checksum.add(try Person.select(in: context, id: .range(range))) }
        return checksum
    }

    func ages(_ ranges: [Range<Int64>]) throws -> Checksum {
        var checksum = Checksum()
        for range in ranges {
            checksum.add(try Person.query(id: .range(range)).select(\.age).resolve(in: context).reduce(0, &+))
        }
        return checksum
    }

    func all() throws -> Checksum {
        var checksum = Checksum()
        checksum.add(try Person.select(in: context))
        return checksum
    }
}
