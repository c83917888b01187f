// Observations that begin and end while commits run: no commit is lost, and none comes back.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Observation and commits at once", .hangLimit) struct RoundRaceTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [ObservedNote.self])
        try store.insert(ObservedNote(id: 0, value: 0))
    }

    /// Commits until a closure returns true. Returns the number of commits.
    private func writer(_ store: Store, until isOver: @escaping @Sendable () -> Bool) -> RunningThread<Int> {
        RunningThread {
            var value = 0
            repeat {
                value += 1
                try store.insert(ObservedNote(id: 0, value: value))
            } while !isOver()
            return value
        }
    }

    /// Each observer reads the record after its registration. Then the rounds must report every later commit.
    @Test(arguments: [true, false]) func betweenTheFirstReadAndTheFirstRound_nothingIsLost(isPulled: Bool) throws {
        let isOver = Monitor(false)
        let store = store
        let writer = writer(store) { isOver.withLock { $0 } }
        for _ in 0..<(hasSanitizer ? 100 : 2_000) {
            let observer = RecordingObserver(isPulled: isPulled)
            let registration = try store.register(observer, for: .notes(0))
            let first = try store.commitSequenceNow
            try store.roundNow()
            let reported = observer.reported
            if let last = reported.last?.commits.upperBound, last > first {
                #expect(reported[0].commits.lowerBound <= first + 1)
            }
            for (earlier, later) in zip(reported, reported.dropFirst()) {
                #expect(earlier.commits.upperBound + 1 == later.commits.lowerBound)
            }
            withExtendedLifetime(registration) {}
        }
        isOver.withLock { $0 = true }
        _ = try writer.value()
    }

    /// A commit and an observation that begin at once: either the read sees the commit, or the commit is reported.
    @Test func aCommit_isSeenOrReported() async throws {
        let store = store
        for value in 1...(hasSanitizer ? 200 : 2_000) {
            let start = ObservationGate()
            let writer = RunningThread {
                start.pass()
                try store.insert(ObservedNote(id: 0, value: value))
            }
            try await start.awaitArrival()
            start.open()
            let values = Monitor<[Int?]>([])
            let observer = RecordingObserver(onRead: { round in
                let value = try round.context.get(ObservedNote.self, key: 0)?.value
                values.withLock { $0.append(value) }
            })
            let registration = try store.register(observer, for: .notes(0))
            let first = try store.valueNow
            try await writer.value()
            await store.settle()
            #expect(first == value || values.withLock { $0.last } == .some(value))
            withExtendedLifetime(registration) {}
        }
    }

    @Test func observationsThatComeAndGo_leaveNothing() throws {
        let isOver = Monitor(false)
        let store = store
        let writer = writer(store) { isOver.withLock { $0 } }
        let observers = (0..<4).map { task in
            RunningThread {
                for number in 0..<(hasSanitizer ? 100 : 1_500) {
                    let observer = RecordingObserver(isPulled: number.isMultiple(of: 2))
                    let registration = try store.register(observer, for: .notes(task))
                    if number.isMultiple(of: 10) { try store.roundNow() }
                    if number.isMultiple(of: 3) { registration.observe(.notes(0), since: 0) }
                }
            }
        }
        for observer in observers { try observer.value() }
        isOver.withLock { $0 = true }
        _ = try writer.value()
        while store.catalog.hub.isActive { sched_yield() }
        #expect(store.rounds.state.withLock { !$0.hasObservers && $0.waiting.isEmpty })
        #expect(store.rounds.inbox.entryCount == 0)
    }

    /// Random writes of several threads, and observers of random regions: each is notified of each of its keys.
    @Test func everyKeyOfARegion_isReported() async throws {
        let (random, seed) = SeededGenerator.fromEnvironment()
        let store = store
        let truth = Monitor<[CommitNotice]>([])
        let observation = store.catalog.hub.add { notice in truth.withLock { $0.append(notice) } }
        var generator = random
        let observers = (0..<30).map { number in
            let range = (0..<3).map { _ in Int.random(in: 0..<200, using: &generator) }
            var region = ObservedRegion.notes(range[0])
            region.insert(
                range: KeyRange(
                    lower: ObservedNote.key(min(range[1], range[2])), upper: ObservedNote.key(max(range[1], range[2]))),
                of: ObservedNote.schema.keyPrefix)
            return (observer: RecordingObserver(isPulled: number.isMultiple(of: 2)), region: region)
        }
        let first = try store.commitSequenceNow
        let registrations = try observers.map { try store.register($0.observer, for: $0.region) }
        let writers = (0..<3).map { number in
            RunningThread {
                var generator = SeededGenerator(seed: seed &+ UInt64(number))
                for _ in 0..<80 { try Self.write(in: store, &generator) }
            }
        }
        for writer in writers { try await writer.value() }
        await store.settle()

        let notices = truth.withLock { $0 }
        for (observer, region) in observers {
            let reported = observer.reported
            for notice in notices where notice.sequence > first && region.isTouched(by: notice.changedKeys) {
                let round = reported.first { $0.commits.contains(notice.sequence) }
                #expect(round != nil, "TROVE_TEST_SEED=\(seed), commit \(notice.sequence)")
                guard case .some(let keys, _)? = round?.keys,
                    case .some(let changed, _) = notice.changedKeys.keys(of: ObservedNote.schema.keyPrefix)
                else { continue }
                #expect(Set(changed).isSubset(of: keys), "TROVE_TEST_SEED=\(seed), commit \(notice.sequence)")
            }
            for (earlier, later) in zip(reported, reported.dropFirst()) {
                #expect(earlier.commits.upperBound < later.commits.lowerBound)
            }
        }
        #expect(notices.count == Int(try store.commitSequenceNow - first))
        // The optimizer releases an object after its last use.
        withExtendedLifetime((observation, registrations)) {}
    }

    private static func write(in store: Store, _ random: inout SeededGenerator) throws {
        try store.write { context in
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let id = Int.random(in: 0..<200, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    let range = ObservedNote.query(id: .closedRange(from: id, through: id + 5))
                    _ = try range.delete(in: context)
                case 1:
                    try? context.nested { context in
                        try context.insert(ObservedNote(id: id, value: 1))
                        throw CancellationError()
                    }
                case 2...4: try context.delete(ObservedNote.self, key: id)
                default: try context.insert(ObservedNote(id: id, value: Int(random.next() >> 40)))
                }
            }
        }
    }
}

extension Store {
    fileprivate var commitSequenceNow: UInt64 {
        get throws { try read { try $0.catalogStorage().number(.commitSequence) } }
    }

    fileprivate var valueNow: Int? { get throws { try read { try $0.get(ObservedNote.self, key: 0)?.value } } }
}
