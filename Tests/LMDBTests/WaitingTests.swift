// Waits for writers with a limit, and reads that exceed the maximum age.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct WaitingTests {
    private static let impatient = EnvironmentOptions(durability: .noSync, busyTimeout: .milliseconds(30))

    @Test func writerOfAnotherProcess_isWaitedForUpToTheTimeout_andThenForNothing() throws {
        let test = try TestEnvironment(Self.impatient)
        let table = try test.environment.createDatabase("table")
        let child = try ChildProcess(["hold-writer", test.path])
        #expect(child.readLine() == "holding")
        for _ in 0..<3 {
            let error = failure { try test.environment.write { _ in } }
            #expect(error?.code == .writerBusy)
            #expect(error?.limit == 30)
            #expect(error?.path == test.path)
        }
        // Readers never wait for a writer.
        #expect(try test.pairs(of: table).isEmpty)
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        // The abandoned thread releases the lock as soon as it gets it.
        try writePatiently(test.environment) { try $0.put([1], for: [1], in: table) }
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func timeoutOfNothing_takesAFreeLock() throws {
        let test = try TestEnvironment(EnvironmentOptions(durability: .noSync, busyTimeout: .zero))
        let table = try test.environment.createDatabase("table")
        try test.environment.write { try $0.put([1], for: [1], in: table) }
        try test.environment.write { _ in
            let code = try onAnotherThread { failure { try test.environment.write { _ in } }?.code }
            #expect(code == .writerBusy)
        }
        // No ended transaction counts as open: only then can a database be dropped.
        #expect(try test.environment.dropDatabase("table"))
    }

    @Test func writerOfThisProcess_isWaitedForUpToTheTimeout() throws {
        let test = try TestEnvironment(Self.impatient)
        try test.environment.write { _ in
            let code = try onAnotherThread { failure { try test.environment.write { _ in } }?.code }
            #expect(code == .writerBusy)
        }
        try writePatiently(test.environment) { _ in }
    }

    @Test func suspendedWriter_holdsNobodyUp_andGoesOnAfterwards() throws {
        let test = try TestEnvironment(Self.impatient)
        let child = try ChildProcess(["hold-writer", test.path])
        #expect(child.readLine() == "holding")
        child.suspend()
        #expect(failure { try test.environment.write { _ in } }?.code == .writerBusy)
        child.resume()
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        try writePatiently(test.environment) { _ in }
        #expect(try test.environment.databaseNames() == ["unfinished"])
    }

    /// The waiting thread keeps the environment open, since a second environment on the file must not exist.
    @Test func environmentGivenUpWhileItWaits_closesWhenTheLockComes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.mdb")
        do { _ = try Environment(path: path) }
        let child = try ChildProcess(["hold-writer", path])
        #expect(child.readLine() == "holding")
        do {
            let environment = try Environment(path: path, options: Self.impatient)
            #expect(failure { try environment.write { _ in } }?.code == .writerBusy)
        }
        // In the meantime, an opener with the same options can open the environment again.
        do {
            let environment = try Environment(path: path, options: Self.impatient)
            #expect(failure { try environment.write { _ in } }?.code == .writerBusy)
            #expect(try environment.databaseNames() == [])
        }
        child.kill()
        let environment = try Environment(path: path, options: Self.impatient)
        try writePatiently(environment) { _ in }
    }

    @Test func plainCopy_isHeldUpByAWriterNoLongerThanTheTimeout() throws {
        let test = try TestEnvironment(Self.impatient)
        let child = try ChildProcess(["hold-writer", test.path])
        #expect(child.readLine() == "holding")
        child.suspend()
        let copy = test.directory.path("copy.mdb")
        #expect(failure { try test.environment.copy(to: copy) }?.code == .writerBusy)
        #expect(!FileManager.default.fileExists(atPath: copy))
        try test.environment.copy(to: copy, compacting: true)
        child.resume()
    }

    @Test func dropping_isHeldUpByAWriterNoLongerThanTheTimeout() throws {
        let test = try TestEnvironment(Self.impatient)
        _ = try test.environment.createDatabase("table")
        let child = try ChildProcess(["hold-writer", test.path])
        #expect(child.readLine() == "holding")
        #expect(failure { try test.environment.dropDatabase("table") }?.code == .writerBusy)
        #expect(try test.environment.databaseNames() == ["table"])
        child.kill()
        while failure({ try test.environment.dropDatabase("table") })?.code == .writerBusy {}
        #expect(try test.environment.databaseNames() == [])
    }

    /// All rules of transactions hold when another thread has the lock.
    @Test func transactionsOfATimedWriter_commitRollBackAndNest() throws {
        let test = try TestEnvironment(EnvironmentOptions(mapSize: 1 << 20, busyTimeout: .seconds(60)))
        let table = try test.environment.createDatabase("table")
        let threads = (0..<4).map { thread in
            RunningThread {
                for number in 0..<50 {
                    let ownKey = key(50 * thread + number)
                    try test.environment.write { transaction in
                        try transaction.put([UInt8](repeating: 1, count: 3000), for: ownKey, in: table)
                    }
                    do {
                        try test.environment.write { transaction in
                            _ = try transaction.nested { try $0.delete(ownKey, from: table) }
                            throw Difference(what: "rolled back")
                        }
                    } catch is Difference {}
                }
            }
        }
        for thread in threads { try thread.value() }
        #expect(try test.pairs(of: table).count == 200)
        #expect(try test.environment.info.lastTransaction == 201)
    }

    /// With a short timeout, a write may arrive while the abandoned thread is still ending.
    private func writePatiently(
        _ environment: Environment, _ body: (borrowing WriteTransaction) throws -> Void
    ) throws {
        while true {
            do {
                return try environment.write(body)
            } catch let error as LMDBError where error.code == .writerBusy {
                continue
            }
        }
    }
}

@Suite struct OldReadTests {
    @Test func oldRead_isReported_andGoesOn() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let reported = Mutexed<[OldRead]>([])
        try test.environment.read { transaction in
            for number in 0..<3 { try test.environment.write { try $0.put([1], for: key(number), in: table) } }
            // The watch begins after the commits, so that no report can come before them.
            test.environment.watchReads(longerThan: .milliseconds(20), ending: false) { reported.append($0) }
            while reported.value.isEmpty {}
            #expect(try transaction.count(of: table) == 0)
        }
        let first = try #require(reported.value.first)
        #expect(first.age >= .milliseconds(20))
        #expect(first.commitsBehind == 3)
    }

    @Test func oldRead_isEnded_atItsNextUse_andTheNextReadIsNot() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        try test.environment.write { transaction in
            for number in 0..<1000 { try transaction.put([1], for: key(number), in: table) }
        }
        let reported = Mutexed<[OldRead]>([])
        test.environment.watchReads(longerThan: .milliseconds(20), ending: true) { reported.append($0) }
        let error = failure {
            try test.environment.read { transaction in
                var shown = 0
                try transaction.scan(table) { _, _ in
                    shown += 1
                    if shown == 10 { while reported.value.isEmpty {} }
                    return .continue
                }
            }
        }
        #expect(error?.code == .readExpired)
        #expect(try test.pairs(of: table).count == 1000)
        // Its pages can be reused.
        #expect(try test.environment.readers().allSatisfy { $0.transaction == nil })
    }

    @Test func oldRead_thatGoesOn_isReportedOnce_andRefusedInTheSameWayEachTime() throws {
        let test = try TestEnvironment()
        let reported = Mutexed<[OldRead]>([])
        test.environment.watchReads(longerThan: .milliseconds(10), ending: true) { reported.append($0) }
        // A second reader shows that the watch has inspected the reads again.
        let codes = try test.environment.read { transaction in
            while reported.value.isEmpty {}
            var codes = [transaction.failure { _ = try $0.database("table") }?.code]
            for _ in 0..<10 {
                let before = reported.value.count
                try onAnotherThread { try test.environment.read { _ in while reported.value.count == before {} } }
                codes.append(transaction.failure { _ = try $0.database("table") }?.code)
            }
            return codes
        }
        #expect(codes == Array(repeating: .readExpired, count: 11))
        #expect(reported.value.count == 11)
    }

    @Test func shortReads_areNotReported() throws {
        let test = try TestEnvironment()
        let reported = Mutexed<[OldRead]>([])
        test.environment.watchReads(longerThan: .seconds(3600), ending: true) { reported.append($0) }
        for _ in 0..<1000 { try test.environment.read { _ in } }
        #expect(reported.value.isEmpty)
    }
}
