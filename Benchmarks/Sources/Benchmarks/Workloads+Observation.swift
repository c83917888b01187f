// The observation workloads: what observers cost a writer, and when values arrive.

import Foundation
import Synchronization

extension Workload {
    static func observing(_ inputs: Inputs) -> [Workload] {
        let count = inputs.people.count
        return costs(of: inputs, [1, 1000, 10_000].map { min($0, count / 10) }) + [readingAllTheTime(inputs)]
            + latencies(inputs) + observingOtherProcesses(inputs) + liveObjects(inputs)
    }

    static func observing(
        _ id: String, _ title: String, records: Int, target: Double? = nil, peers: [PeerKind] = PeerKind.observing,
        _ run: @escaping @Sendable (any ObservingPeer) async throws -> Measurement
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: .observing(run), peers: peers,
            baseline: .grdbFast)
    }

    // MARK: The writer

    /// Returns workloads that compare commits of one insert with the same commits of an unobserved database. The
    /// observers wait for people that do not change. GRDB has one: with 1,000, a run takes more than eight minutes.
    private static func costs(of inputs: Inputs, _ counts: [Int]) -> [Workload] {
        let observed = inputs.people.prefix(inputs.people.count / 10)
        let rest = inputs.people.dropFirst(observed.count)
        let half = rest.count / 2
        let (first, second) = (Array(rest.prefix(half)), Array(rest.dropFirst(half).prefix(half)))
        return zip(["O1", "O1k", "O1m"], counts).map { id, count in
            observing(
                id, "commits of one insert, with \(count) observers of others, beside none; processor time",
                records: half, target: 1.2, peers: count > 1 ? [.trove] : PeerKind.observing
            ) { peer in
                try peer.insert(Array(observed))
                let unobserved = try processorSeconds { try peer.insertEach(first) }
                let arrived = Counter()
                let tasks = (0..<Int64(count)).map { id in peer.observe(id..<id + 1) { _ in arrived.add() } }
                defer { for task in tasks { task.cancel() } }
                await arrived.wait(for: count)
                var measurement = Measurement(seconds: try processorSeconds { try peer.insertEach(second) })
                measurement.ownReference = unobserved
                guard arrived.value == count else { throw BenchmarkError("\(id): values of unchanged people") }
                return measurement
            }
        }
    }

    private static func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
        let start = threadSeconds()
        try body()
        return threadSeconds() - start
    }

    /// Commits while an observer reads 100 people as fast as it can, beside the same commits unobserved.
    private static func readingAllTheTime(_ inputs: Inputs) -> Workload {
        let people = inputs.people
        let observed = Int64(min(100, people.count))
        let changes = (0..<people.count).map { number in
            var person = people[number % Int(observed)]
            person.age = number
            return person
        }
        return observing(
            "O3", "commits of one replaced person of 100 that are observed, beside unobserved", records: changes.count,
            target: 1.15
        ) { peer in
            try peer.insert(Array(people.prefix(Int(observed))))
            let clock = ContinuousClock()
            let unobserved = try clock.measure { try peer.insertEach(changes) }
            let arrivals = Arrivals()
            let task = peer.observe(0..<observed) { people in arrivals.note(people.reduce(0) { max($0, $1.age) }) }
            defer { task.cancel() }
            _ = await arrivals.arrival(of: changes.count - 1)
            let time = try clock.measure { try peer.insertEach(changes) }
            var measurement = Measurement(seconds: time / .seconds(1))
            measurement.ownReference = unobserved / .seconds(1)
            return measurement
        }
    }

    // MARK: Latency

    private static func latencies(_ inputs: Inputs) -> [Workload] {
        let count = min(inputs.people.count, 2000), few = min(inputs.people.count, 100)
        return [
            latency(
                "O2", "until 100 observed people arrive, median; goal: 60 µs", target: 0.5, inputs, few, count, 0.5),
            latency("O2t", "the same, 99th percentile; goal: 1 ms", target: nil, inputs, few, count, 0.99),
            latency(
                "O4", "until \(inputs.people.count) observed people arrive after one changed, median; goal: 3 ms",
                target: nil, inputs, inputs.people.count, 20, 0.5),
        ]
    }

    /// Measures the time from the return of a commit to the arrival of its value, and takes a quantile of it.
    private static func latency(
        _ id: String, _ title: String, target: Double?, _ inputs: Inputs, _ observed: Int, _ count: Int,
        _ quantile: Double
    ) -> Workload {
        let people = Array(inputs.people.prefix(observed))
        return observing(id, title, records: 1, target: target) { peer in
            try peer.insert(people)
            let arrivals = Arrivals()
            // The number of a change is the age of the person that it changes: the greatest of all.
            let task = peer.observe(0..<Int64(observed)) { people in
                arrivals.note(people.reduce(0) { max($0, $1.age) })
            }
            defer { task.cancel() }
            _ = await arrivals.arrival(of: people.reduce(0) { max($0, $1.age) })
            var times: [Double] = []
            for number in 100..<100 + count {
                var person = people[number % people.count]
                person.age = number
                let changed = person
                times.append(
                    try await arrivals.latency(of: number) {
                        try peer.insertEach([changed])
                        return monotonicSeconds()
                    })
            }
            return Measurement(seconds: Statistics.quantile(times.sorted(), quantile))
        }
    }
}

/// A count that can be waited for.
final class Counter: Sendable {
    private let arrivals = Arrivals()
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() {
        arrivals.note(
            count.withLock { count in
                count += 1
                return count
            })
    }

    func wait(for count: Int) async { _ = await arrivals.arrival(of: count) }
}
