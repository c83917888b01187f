// The workloads of every peer.

import Dispatch
import Synchronization

extension Workload {
    /// Returns all workloads on the given inputs.
    static func all(on inputs: Inputs) -> [Workload] {
        inserting(inputs) + reading(inputs) + scanningInWrites(inputs) + durable(inputs) + others(inputs)
            + migrating(inputs) + indexing(inputs) + relating(inputs) + searching(inputs) + observing(inputs)
            + asking(inputs) + totaling(inputs) + keepingHistory(inputs)
    }

    private static func inserting(_ inputs: Inputs) -> [Workload] {
        let people = inputs.people
        return [
            Workload(
                id: "W1", title: "insert, ascending keys, one transaction", records: people.count, target: 1.0,
                work: .writing(Writing(run: { try $0.insert(people) }, people: people)),
                size: Size(id: "size", title: "bytes on disk after W1", target: 1.05)),
            Workload(
                id: "W1r", title: "insert, random order, one transaction", records: people.count, target: 1.15,
                work: .writing(
                    Writing(run: { [shuffled = inputs.shuffled] in try $0.insert(shuffled) }, people: people))),
        ]
    }

    private static func reading(_ inputs: Inputs) -> [Workload] {
        let (ids, ranges, middle) = (inputs.ids, inputs.ranges, inputs.middle)
        let selected = ranges.reduce(0) { $0 + $1.count }
        return [
            Workload(
                id: "W2", title: "random point gets, one read transaction", records: ids.count, target: 1.10,
                work: .reading { try $0.get(ids) }),
            Workload(
                id: "W2t", title: "random point gets, a read transaction each", records: ids.count, target: 1.3,
                work: .reading { try $0.getEach(ids) }),
            Workload(
                id: "W3", title: "100 selects of a range", records: selected, target: 1.15,
                work: .reading { try $0.select(ranges) }),
            Workload(
                id: "W3f", title: "one Int property of 100 ranges", records: selected, target: 2,
                work: .reading { try $0.ages(ranges) }),
            Workload(
                id: "W4", title: "full scan", records: inputs.people.count, target: 1.15,
                work: .reading { peer in
                    var checksum = Checksum()
                    checksum.add(try peer.all())
                    return checksum
                }),
            Workload(
                id: "W4c", title: "count of a range", records: middle.count, target: 1.2,
                work: .reading { peer in
                    var checksum = Checksum()
                    checksum.add(try peer.count(middle))
                    return checksum
                }),
        ]
    }

    private static func durable(_ inputs: Inputs) -> [Workload] {
        let singles = Array(inputs.people.prefix(max(1, inputs.people.count / 100)))
        let each = singles.count >= 1000 ? 64 : 2
        let concurrent = Array(inputs.people.prefix(64 * each))
        let tasks = stride(from: 0, to: concurrent.count, by: each).map { start in
            Array(concurrent[start..<min(start + each, concurrent.count)])
        }
        return [
            Workload(
                id: "W5", title: "durable transactions of one insert, one by one", records: singles.count, target: 1.05,
                work: .writing(Writing(isDurable: true, run: { try $0.insertEach(singles) }, people: singles))),
            Workload(
                id: "W5c", title: "the same from \(tasks.count) tasks at once, beside liblmdb one by one",
                records: concurrent.count, target: 0.125,
                work: .writing(
                    Writing(
                        isDurable: true, isConcurrent: true, run: { try await $0.insertConcurrently(tasks) },
                        people: concurrent))),
        ]
    }

    private static func others(_ inputs: Inputs) -> [Workload] {
        let (people, half, flights) = (inputs.people, inputs.half, inputs.flights)
        let halfIDs = half.map(\.id)
        return [
            Workload(
                id: "W6", title: "flights of nycflights13, one transaction", records: flights.count, target: nil,
                work: .writing(Writing(run: { try $0.insert(flights) }, flights: flights.count))),
            Workload(
                id: "W7", title: "processor time of readers beside a writer, per get", records: inputs.ids.count,
                target: 1.25, work: .measuring { try await readers(of: inputs, in: $0) }),
            Workload(
                id: "W8", title: "delete a random half, insert it again", records: halfIDs.count, target: 1.2,
                work: .writing(
                    Writing(
                        prepare: { try $0.insert(people) },
                        run: {
                            try $0.delete(halfIDs)
                            try $0.insert(half)
                        }, people: people))),
            Workload(
                id: "open", title: "open a database of ten times as many, first get", records: 1, target: nil,
                work: .opening(people: 10 * people.count)),
        ]
    }
}

// MARK: W7

extension Workload {
    private static let readerCount = 8

    /// Measures the processor time of reading tasks during writes of a thread, with the time without writes as the
    /// reference.
    private static func readers(of inputs: Inputs, in peer: any Peer) async throws -> (Measurement, Checksum) {
        let (quiet, expected) = try await read(inputs, peer)
        let isOver = Flag()
        let written = Array(inputs.shuffled.prefix(10))
        async let commits: Int = withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        var commits = 0
                        while !isOver.isRaised {
                            try peer.insert(written)
                            commits += 1
                        }
                        return commits
                    })
            }
        }
        // The writer is also awaited if a reader throws.
        defer { isOver.raise() }
        let (busy, checksum) = try await read(inputs, peer)
        isOver.raise()
        guard try await commits > 0, checksum == expected else {
            throw BenchmarkError("W7: nothing was written beside the readers, or they read something else")
        }
        return (Measurement(seconds: busy, ownReference: quiet), checksum)
    }

    /// Returns the processor time of the reading tasks for all gets, and the checksum of the records.
    private static func read(_ inputs: Inputs, _ peer: any Peer) async throws -> (seconds: Double, Checksum) {
        let share = (inputs.ids.count + readerCount - 1) / readerCount
        let parts = try await withThrowingTaskGroup { group in
            for start in stride(from: 0, to: inputs.ids.count, by: share) {
                group.addTask {
                    let ids = Array(inputs.ids[start..<min(start + share, inputs.ids.count)])
                    let before = threadSeconds()
                    let checksum = try peer.getEach(ids)
                    return (start: start, seconds: threadSeconds() - before, checksum: checksum)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        var checksum = Checksum()
        for part in parts.sorted(by: { $0.start < $1.start }) { checksum.add(part.checksum) }
        return (parts.reduce(0) { $0 + $1.seconds }, checksum)
    }
}

/// A flag that stops the writer's thread.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isRaised: Bool { value.load(ordering: .relaxed) }

    func raise() { value.store(true, ordering: .relaxed) }
}
