// Writers take their turn in order of arrival, whether they wait on their own thread or are jobs.

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
            #expect(try test.rows(of: environment.openDatabase(name)).count == 4)
        }
    }
}
