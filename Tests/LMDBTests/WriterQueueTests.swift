// The order of writers: order of arrival, whether they wait on their own thread or are jobs.

import Dispatch
import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct WriterQueueTests {
    @Test func turns_followArrival() throws {
        let test = try TestEnvironment()
        let environment = test.environment
        let order = Mutexed<[Int]>([])
        let jobsDone = DispatchSemaphore(value: 0)
        var threads: [RunningThread<Void>] = []
        let count = 24
        try environment.write { _ in
            for number in 0..<count {
                if number.isMultiple(of: 3) {
                    environment.writers.enqueue {
                        do {
                            let core = try environment.shared.beginWriteInTurn()
                            order.append(number)
                            core.endWriteInTurn()
                        } catch {
                            Issue.record(error)
                        }
                        jobsDone.signal()
                    }
                } else {
                    threads.append(RunningThread { try environment.write { _ in order.append(number) } })
                }
                while environment.writers.count < number + 2 { sched_yield() }
            }
            #expect(order.value.isEmpty)
        }
        for thread in threads { try thread.value() }
        for _ in 0..<(count / 3) { jobsDone.wait() }
        #expect(order.value == Array(0..<count))
        #expect(environment.writers.count == 0)
    }

    // MARK: Jobs that take others along

    /// Holds the turn until `mayEnd` is signaled, so that others queue up.
    private func holdTurn(_ environment: Environment) -> DispatchSemaphore {
        let (hasTurn, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        environment.writers.enqueue {
            hasTurn.signal()
            mayEnd.wait()
        }
        hasTurn.wait()
        return mayEnd
    }

    @Test func jobs_areTakenAlong_upToAThread_orOneThatIsNotWanted() throws {
        let test = try TestEnvironment()
        let environment = test.environment
        let writers = environment.writers
        let turns = Mutexed<[[Int]]>([])
        let mayEnd = holdTurn(environment)
        for number in 0..<4 { writers.enqueue(Companionable(number, turns)) }
        let thread = RunningThread { try environment.write { _ in turns.append([4]) } }
        while writers.count < 6 { sched_yield() }
        for number in 5..<8 { writers.enqueue(Companionable(number, turns)) }
        writers.enqueue(Companionable(8, turns, isWanted: false))
        for number in 9..<11 { writers.enqueue(Companionable(number, turns)) }
        #expect(writers.count == 12)
        mayEnd.signal()
        try thread.value()
        while writers.count > 0 { sched_yield() }
        #expect(turns.value == [[0, 1, 2, 3], [4], [5, 6, 7], [8, 9, 10]])
    }

    /// Abandoned tickets are no obstacle, whatever their position.
    @Test func jobsBehindAbandonedTickets_areTakenAlong() throws {
        let test = try TestEnvironment()
        let environment = test.environment
        let writers = environment.writers
        let turns = Mutexed<[[Int]]>([])
        let mayEnd = holdTurn(environment)
        func giveUp(_ times: Int) {
            for _ in 0..<times {
                let error = failure { try environment.shared.takeTurn(for: "test", within: .nanoseconds(1)) }
                #expect(error?.code == .busy)
            }
        }
        for number in 0..<5 {
            giveUp(number % 3)
            writers.enqueue(Companionable(number, turns))
        }
        giveUp(2)
        #expect(writers.count == 6)
        mayEnd.signal()
        while writers.count > 0 { sched_yield() }
        #expect(turns.value == [[0, 1, 2, 3, 4]])
        // The queue continues.
        try environment.write { _ in turns.append([5]) }
        #expect(turns.value.last == [5])
    }

    @Test func jobsThatAreDone_areReleased() throws {
        let test = try TestEnvironment()
        let writers = test.environment.writers
        let turns = Mutexed<[[Int]]>([])
        var jobs: [Weak] = []
        let mayEnd = holdTurn(test.environment)
        for number in 0..<6 {
            let job = Companionable(number, turns, isWanted: number % 2 == 1)
            writers.enqueue(job)
            jobs.append(Weak(job))
        }
        #expect(jobs.allSatisfy { $0.job != nil })
        mayEnd.signal()
        while writers.count > 0 { sched_yield() }
        #expect(turns.value == [[0, 1], [2, 3], [4, 5]])
        #expect(jobs.allSatisfy { $0.job == nil })
    }

    @Test func failedBeginnings_passTheTurnOn() throws {
        let test = try TestEnvironment()
        let path = test.directory.path("read-only.mdb")
        do { _ = try Environment(path: path) }
        let environment = try Environment(path: path, options: EnvironmentOptions(isReadOnly: true))
        for _ in 0..<3 { #expect(failure { try environment.write { _ in } }?.code == .readOnlyEnvironment) }
        #expect(environment.writers.count == 0)
    }

    @Test func threadsAndJobs_loseNoWrite() throws {
        let test = try TestEnvironment()
        let environment = test.environment
        let table = try environment.createDatabase("table")
        @Sendable func increment(_ core: TransactionCore) throws {
            var number: UInt8 = 0
            var carry: UInt8 = 0
            _ = try core.withValue(table, unsafe ([1] as [UInt8]).span.bytes) { value in
                let bytes = copiedBytes(value)
                (number, carry) = (bytes[0], bytes[1])
            }
            let next: [UInt8] = number == .max ? [0, carry + 1] : [number + 1, carry]
            _ = try core.put(table, unsafe ([1] as [UInt8]).span.bytes, size: 2, mode: .replace) { span in
                copyBytes(unsafe next.span.bytes, into: &span)
            }
            try core.commit()
        }
        let rounds = 200
        let threads = (0..<3).map { _ in
            RunningThread {
                for _ in 0..<rounds {
                    let core = try environment.shared.beginWrite()
                    defer { core.endWrite() }
                    try increment(core)
                }
            }
        }
        let jobs = DispatchGroup()
        for _ in 0..<rounds {
            jobs.enter()
            environment.writers.enqueue {
                do {
                    let core = try environment.shared.beginWriteInTurn()
                    defer { core.endWriteInTurn() }
                    try increment(core)
                } catch {
                    Issue.record(error)
                }
                jobs.leave()
            }
        }
        for thread in threads { try thread.value() }
        jobs.wait()
        let value = try #require(try environment.read { try $0.get([1], from: table) })
        #expect(Int(value[0]) + 256 * Int(value[1]) == 4 * rounds)
    }

    @Test func handlesOpenedByManyThreads_areTheSame() throws {
        let test = try TestEnvironment()
        let environment = test.environment
        let threads = (0..<4).map { thread in
            RunningThread {
                try (0..<30).map { number in
                    let table = try environment.createDatabase("table \(number)")
                    try environment.write { try $0.put([], for: key(thread), in: table) }
                    _ = try environment.read { try $0.count(of: table) }
                    return ObjectIdentifier(table)
                }
            }
        }
        let handles = try threads.map { try $0.value() }
        #expect(Set(handles).count == 1)
        for name in try environment.databaseNames() {
            #expect(try test.pairs(of: environment.openDatabase(name)).count == 4)
        }
    }
}

/// A job that takes along all wanted jobs after it, and records the numbers of the jobs in its turn.
private final class Companionable: WriterJob {
    private let number: Int
    private let turns: Mutexed<[[Int]]>
    private let isWanted: Bool

    init(_ number: Int, _ turns: Mutexed<[[Int]]>, isWanted: Bool = true) {
        self.number = number
        self.turns = turns
        self.isWanted = isWanted
    }

    func run(in queue: WriterQueue) {
        var numbers = [number]
        while let next = queue.takeNextJob(where: { ($0 as? Companionable)?.isWanted == true }) as? Companionable {
            numbers.append(next.number)
        }
        turns.append(numbers)
    }
}

private struct Weak {
    weak var job: Companionable?

    init(_ job: Companionable) { self.job = job }
}
