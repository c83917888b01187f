// Suspended environments: the file is closed and has no locks, and transactions wait or are refused until it is open.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct SuspensionTests {
    private let test: TestEnvironment
    private let environment: Environment
    private let table: Database

    init() throws {
        test = try TestEnvironment()
        environment = test.environment
        table = try environment.createDatabase("table")
    }

    private func suspend(refusing: Bool = false) throws {
        try environment.shared.suspend(within: .seconds(5), refusing: refusing)
    }

    /// The process that holds liblmdb's lock.
    private func lockOwner() throws -> String? { try ChildProcess(["lock-owner", test.path + "-lock"]).readLine() }

    @Test func aSuspendedEnvironment_holdsNoLock_andGoesOn() throws {
        try environment.write { try $0.put([1], for: [1], in: table) }
        #expect(try lockOwner() == "\(getpid())")
        try suspend()
        #expect(environment.shared.isSuspended)
        #expect(try lockOwner() == "nobody")
        // Another process uses it meanwhile.
        #expect(try ChildProcess(["write", test.path, "table", "5", "1", "3"]).readLine() == "done")
        try environment.shared.resume()
        #expect(try test.pairs(of: table).count == 2)
        try environment.write { try $0.put([2], for: [2], in: table) }
        #expect(try test.pairs(of: table).count == 3)
        #expect(try lockOwner() == "\(getpid())")
    }

    @Test func transactions_waitForTheResumption() throws {
        try suspend()
        let done = Atomic<Int>(0)
        let threads = [
            RunningThread { [environment, table] in
                try environment.write { try $0.put([1], for: [1], in: table) }
                done.add(1, ordering: .sequentiallyConsistent)
            },
            RunningThread { [environment, table] in
                _ = try environment.read { try $0.count(of: table) }
                done.add(1, ordering: .sequentiallyConsistent)
            },
            RunningThread { [environment] in
                _ = try environment.info
                done.add(1, ordering: .sequentiallyConsistent)
            },
        ]
        usleep(50_000)
        #expect(done.load(ordering: .sequentiallyConsistent) == 0)
        try environment.shared.resume()
        for thread in threads { try thread.value() }
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func transactions_areRefusedOnRequest() throws {
        try suspend(refusing: true)
        #expect(failure { try environment.write { _ in } }?.code == .suspended)
        #expect(failure { try environment.read { _ in } }?.code == .suspended)
        #expect(failure { _ = try environment.info }?.code == .suspended)
        #expect(failure { _ = try environment.createDatabase("other") }?.code == .suspended)
        try environment.shared.resume()
        try environment.write { try $0.put([1], for: [1], in: table) }
    }

    @Test func openTransactions_areWaitedFor_andNotAborted() throws {
        try environment.read { _ in
            #expect(failure { try suspend() }?.code == .closedInTransaction)
        }
        try environment.write { transaction in
            #expect(failure { try suspend() }?.code == .closedInTransaction)
            try transaction.put([1], for: [1], in: table)
        }
        try environment.read { transaction in
            let error = try onAnotherThread { [environment] in
                failure { try environment.shared.suspend(within: .milliseconds(50), refusing: true) }
            }
            #expect(error?.code == .busy)
            #expect(!environment.shared.isSuspended)
            #expect(try transaction.count(of: table) == 1)
        }
        try environment.write { transaction in
            let error = try onAnotherThread { [environment] in
                failure { try environment.shared.suspend(within: .milliseconds(50), refusing: false) }
            }
            #expect(error?.code == .busy)
            try transaction.put([2], for: [2], in: table)
        }
        #expect(try test.pairs(of: table).count == 2)
        try suspend()
        try suspend()
        try environment.shared.resume()
        try environment.shared.resume()
        #expect(try test.pairs(of: table).count == 2)
    }

    /// Of several threads that suspend or resume at once, one does.
    @Test func severalThreads_suspendAndResumeOnce() throws {
        for _ in 0..<20 {
            let suspensions = (0..<3).map { _ in
                RunningThread { [environment] in
                    try environment.shared.suspend(within: .milliseconds(50), refusing: false)
                }
            }
            #expect(try suspensions.filter { try $0.value() }.count == 1)
            let resumptions = (0..<4).map { _ in RunningThread { [environment] in try environment.shared.resume() } }
            for thread in resumptions { try thread.value() }
            try environment.write { try $0.put([1], for: [1], in: table) }
            #expect(try environment.read { try $0.count(of: table) } == 1)
            #expect(environment.writers.count == 0)
        }
    }

    @Test func underLoad_nothingIsLost() throws {
        let isOver = Atomic<Bool>(false)
        let written = Atomic<Int>(0)
        let threads =
            (0..<2).map { writer in
                RunningThread { [environment, table] in
                    var number = writer
                    while !isOver.load(ordering: .relaxed) {
                        try environment.write { try $0.put(key(number), for: key(number), in: table) }
                        written.add(1, ordering: .relaxed)
                        number += 2
                    }
                }
            }
            + (0..<6).map { _ in
                RunningThread { [environment, table] in
                    var last = 0
                    while !isOver.load(ordering: .relaxed) {
                        let count = try environment.read { try $0.count(of: table) }
                        #expect(count >= last)
                        last = count
                    }
                }
            }
        for round in 0..<(hasSanitizer ? 50 : 250) {
            try suspend(refusing: false)
            if round.isMultiple(of: 50) { #expect(try lockOwner() == "nobody") }
            try environment.shared.resume()
        }
        isOver.store(true, ordering: .relaxed)
        for thread in threads { try thread.value() }
        #expect(try environment.read { try $0.count(of: table) } == written.load(ordering: .relaxed))
        #expect(try FileVerification.run(test.path).findings.filter(\.isDamage).isEmpty)
    }

    @Test func aSuspendedEnvironment_isClosed_orReleased() throws {
        let other = try Environment(path: test.directory.path("other.mdb"))
        try other.shared.suspend(within: .seconds(1), refusing: false)
        try other.close()
        #expect(failure { try other.read { _ in } }?.code == .environmentClosed)
        do {
            let released = try Environment(path: test.directory.path("released.mdb"))
            try released.shared.suspend(within: .seconds(1), refusing: true)
        }
        for name in ["other.mdb", "released.mdb"] {
            let again = try Environment(path: test.directory.path(name))
            _ = try again.createDatabase("table")
        }
    }

    /// The file has gone while the environment was suspended.
    @Test func aFileThatIsReplacedMeanwhile_isNamed() throws {
        try suspend()
        try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".moved")
        #expect(failure { try environment.shared.resume() }?.code == .fileReplaced)
        #expect(failure { try environment.read { _ in } }?.code == .fileReplaced)
        try FileManager.default.moveItem(atPath: test.path + ".moved", toPath: test.path)
        #expect(try environment.read { try $0.count(of: table) } == 0)
    }
}
