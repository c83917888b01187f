// The workloads of live objects and lists. No peer has such objects.

import Foundation
import Trove

extension Workload {
    static func liveObjects(_ inputs: Inputs) -> [Workload] {
        memory(inputs) + rounds(inputs) + [patching(inputs)] + accesses(inputs) + saving(inputs) + paging(inputs)
    }

    /// Returns work with a store of people.
    private static func live(
        _ id: String, _ title: String, records: Int, target: Double? = nil, _ people: [Person],
        forMemory: Bool = false, prepare: @escaping @Sendable (Store) throws -> [AnyObject] = { _ in [] },
        run: @escaping @Sendable (Store, [AnyObject]) async throws -> Double
    ) -> Workload {
        let work = Work.migrating { place, _ in
            let store = try await Store(
                path: place.file.path, records: [Person.self, IndexedPerson.self],
                options: StoreOptions(durability: .noSync))
            try await store.insert(contentsOf: people)
            let objects = try prepare(store)
            var (measurement, seconds) = try await Measurement.of(staysOnThread: false, forMemory: forMemory) {
                try await run(store, objects)
            }
            measurement.seconds = seconds
            return measurement
        }
        return Workload(id: id, title: title, records: records, target: target, work: work, peers: [.trove])
    }

    /// Returns the seconds of a closure.
    private static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = monotonicSeconds()
        try await body()
        return monotonicSeconds() - start
    }

    // MARK: Memory

    private static func memory(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people
        let count = min(people.count, 10_000)
        return [
            live(
                "O6", "memory of \(count) idle observers; goal: 8 MB", records: count, people, forMemory: true
            ) { store, _ in
                let arrived = Counter()
                return await seconds {
                    let tasks = (0..<Int64(count)).map { id in
                        Task {
                            for try await _ in Person.query(id: .range(id..<id + 1)).values(in: store) { arrived.add() }
                        }
                    }
                    await arrived.wait(for: count)
                    for task in tasks { task.cancel() }
                }
            },
            live(
                "O6o", "memory of \(count) live objects; goal: 6 MB", records: count, people, forMemory: true
            ) { store, _ in
                try await seconds {
                    let objects = try Person.live(people.prefix(count).map(\.id), in: store)
                    guard objects.count == count else { throw BenchmarkError("O6o: objects are missing") }
                }
            },
            live(
                "O6l", "memory of a live list of \(people.count) people", records: people.count, people,
                forMemory: true
            ) { store, _ in
                try await seconds {
                    let list = try LiveList(Person.query(), in: store, pageSize: people.count)
                    guard list.rows.count == people.count else { throw BenchmarkError("O6l: rows are missing") }
                }
            },
        ]
    }

    // MARK: Rounds

    private static func rounds(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people
        let ids = people.prefix(10_000).map(\.id)
        return [
            live(
                "O7", "a change of one of \(ids.count) live objects, until delivered; goal: 30 µs", records: 100,
                people,
                prepare: { try Person.live(ids, in: $0) },
                run: { store, _ in
                    var time = 0.0
                    for var person in people.prefix(100) {
                        person.age += 1000
                        try await store.insert(person)
                        time += await seconds { await store.live.settle() }
                    }
                    return time
                }),
            live(
                "O7a", "changes of all of \(ids.count) live objects, until delivered; goal: 20 ms", records: 1, people,
                prepare: { try Person.live(ids, in: $0) },
                run: { store, _ in
                    try await store.insert(
                        contentsOf: people.prefix(10_000).map { person in
                            var person = person
                            person.age += 1000
                            return person
                        })
                    return await seconds { await store.live.settle() }
                }),
        ]
    }

    /// The change of one of many observed people, delivered as a difference.
    private static func patching(_ inputs: Inputs) -> Workload {
        let people = inputs.people
        return live(
            "O4c", "until the difference of \(people.count) observed people arrives, median; goal: 0.3 ms", records: 1,
            people
        ) { store, _ in
            let arrivals = Arrivals()
            let task = Task {
                var number = 0
                for try await _ in Person.query().changes(in: store) {
                    number += 1
                    arrivals.note(number)
                }
            }
            defer { task.cancel() }
            _ = await arrivals.arrival(of: 1)
            var times: [Double] = []
            for number in 2...21 {
                var person = people[number]
                person.age = number + 1000
                let changed = person
                times.append(
                    try await arrivals.latency(of: number) {
                        try store.write { _ = try $0.insert(changed) }
                        return monotonicSeconds()
                    })
            }
            return Statistics.quantile(times.sorted(), 0.5)
        }
    }

    // MARK: Objects

    private static func accesses(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people
        let ids = people.map(\.id)
        let times = 10 * people.count
        return [
            live(
                "O8", "get live objects that are held; goal: 0.2 µs", records: ids.count, people,
                prepare: { try Person.live(ids, in: $0) },
                run: { store, _ in
                    try await seconds { for id in ids { _ = try Person.live(id, in: store) } }
                }),
            live("O8n", "get live objects that nobody holds; goal: 2.5 µs", records: ids.count, people) { store, _ in
                try await seconds { for id in ids { _ = try Person.live(id, in: store) } }
            },
            access("O8r", "read a property of a live object; goal: 0.1 µs", times, people) { person, number in
                if person.age < 0 { person.age = number }
            },
            access("O8s", "set a property of a live object; goal: 0.4 µs", times, people) { person, number in
                person.age = number
            },
            access("O8c", "change two properties at once; goal: 0.8 µs", times, people) { person, number in
                person.change {
                    $0.age = number
                    $0.name = number.isMultiple(of: 2) ? "Korben" : "Ruby"
                }
            },
        ]
    }

    private static func access(
        _ id: String, _ title: String, _ times: Int, _ people: [Person],
        _ body: @escaping @Sendable (Live<Person>, Int) -> Void
    ) -> Workload {
        live(id, title, records: times, Array(people.prefix(1))) { store, _ in
            guard let person = try Person.live(people[0].id, in: store) else { return 0 }
            let time = await seconds { for number in 0..<times { body(person, number) } }
            person.revert()
            return time
        }
    }

    private static func saving(_ inputs: Inputs) -> [Workload] {
        let people = Array(inputs.people.prefix(10_000))
        let changed = people.map { person in
            var person = person
            person.age += 2000
            return person
        }
        let work = Work.migrating { place, _ in
            let store = try await Store(path: place.file.path, options: StoreOptions(durability: .noSync))
            try await store.insert(contentsOf: people)
            let objects = try Person.live(people.map(\.id), in: store)
            let reference = try await seconds { try await store.insert(contentsOf: changed) }
            await store.live.settle()
            for object in objects { object.age += 1000 }
            var measurement = Measurement(seconds: try await seconds { try await store.live.saveAllChanges() })
            measurement.ownReference = reference
            guard objects.allSatisfy({ !$0.hasChanges }) else { throw BenchmarkError("O9: objects are not saved") }
            return measurement
        }
        return [
            Workload(
                id: "O9", title: "save \(people.count) edited live objects, beside inserting them in bulk",
                records: people.count, target: 1.5, work: work, peers: [.trove]),
            live("O9n", "save when nothing is edited; goal: 1 µs", records: 1_000, people) { store, _ in
                try await seconds { for _ in 0..<1_000 { try await store.live.saveAllChanges() } }
            },
        ]
    }

    // MARK: Lists

    private static func paging(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people.map(IndexedPerson.init)
        let pages = min(1000, people.count / 100 - 1)
        @Sendable func list(_ store: Store) throws -> LiveList<IndexedPerson> {
            try LiveList(IndexedPerson.query().sorted(by: \.age), in: store)
        }
        return [
            live(
                "O10", "first page of a live list of \(people.count) by an index; goal: 0.2 ms", records: 20, [],
                prepare: {
                    try $0.insert(contentsOf: people)
                    return []
                },
                run: { store, _ in try await seconds { for _ in 0..<20 { _ = try list(store) } } }),
            live(
                "O10p", "page \(pages) of this list; goal: 0.2 ms", records: 1, [],
                prepare: {
                    try $0.insert(contentsOf: people)
                    let list = try list($0)
                    for _ in 1..<pages { try list.loadMore() }
                    return [list]
                },
                run: { _, objects in
                    guard let list = objects.first as? LiveList<IndexedPerson> else { return 0 }
                    return try await seconds { try await list.loadMore() }
                }),
        ]
    }
}
