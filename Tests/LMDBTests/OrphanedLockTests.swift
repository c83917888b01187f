// A writer that dies where mutexes are not robust: the next writer throws instead of waiting forever.

import Foundation
import Testing
import TroveTestSupport

@testable import LMDB

/// The guard of writers, on any liblmdb. A mark in the lock file shows the death of a writer.
@Suite struct WriterGuardTests {
    private static func options(_ busyTimeout: Duration? = nil) -> EnvironmentOptions {
        var options = EnvironmentOptions(durability: .noSync, busyTimeout: busyTimeout)
        options.hasRobustMutexes = false
        return options
    }

    private static let variable = ["TROVE_NO_ROBUST_MUTEXES": "1"]

    /// Returns the mark of an environment's lock file. It must be released after the environment.
    private func mark(_ test: TestEnvironment) throws -> WriterMark {
        try WriterMark(in: try #require(try LockFileDescriptor(test.path + "-lock")))
    }

    @Test func threadsAndProcesses_writeInTurn_andLeaveNoMark() throws {
        for timeout in [nil, Duration.seconds(60)] {
            let test = try TestEnvironment(Self.options(timeout))
            let table = try test.environment.createDatabase("table")
            let children = try (0..<2).map { number in
                try ChildProcess(
                    ["write", test.path, "table", "\(1000 * (number + 1))", "100", "10"], environment: Self.variable)
            }
            let threads = (0..<4).map { thread in
                RunningThread { [environment = test.environment] in
                    for number in 0..<50 {
                        let ownKey = key(50 * thread + number)
                        try environment.write { transaction in
                            try transaction.put([1], for: ownKey, in: table)
                            try transaction.nested { try $0.put([2], for: ownKey, in: table) }
                        }
                        do {
                            try environment.write { _ in throw Rollback() }
                        } catch is Rollback {}
                    }
                }
            }
            for thread in threads { try thread.value() }
            for child in children { #expect(child.readLine() == "done") }
            #expect(try test.pairs(of: table).count == 400)
            let mark = try mark(test)
            #expect(mark.process == 0)
            try test.environment.write { _ in #expect(mark.process == Int(getpid())) }
            #expect(mark.process == 0)
            try test.environment.close()
        }
    }

    @Test func aMark_stopsWriters_andNotReaders_untilTheFileIsClosed() throws {
        for timeout in [nil, Duration.seconds(60)] {
            let test = try TestEnvironment(Self.options(timeout))
            let table = try test.environment.createDatabase("table")
            let mark = try mark(test)
            mark.process = 12345
            for _ in 0..<2 {
                let error = failure { try test.environment.write { _ in } }
                #expect(error?.code == .writerLockOrphaned)
                #expect(error?.limit == 12345)
                #expect(error?.description.contains("process 12345") == true)
            }
            let copy = test.directory.path("copy.mdb")
            #expect(failure { try test.environment.copy(to: copy) }?.code == .writerLockOrphaned)
            try test.environment.copy(to: copy, compacting: true)
            #expect(try test.pairs(of: table).isEmpty)
            try test.environment.close()
            let again = try Environment(path: test.path, options: Self.options(timeout))
            let sameTable = try again.openDatabase("table")
            try again.write { try $0.put([1], for: [1], in: sameTable) }
        }
    }

    /// The lock stays as it is as long as any process has the file open.
    @Test func aMark_staysWhileAnotherProcessHasTheFileOpen() throws {
        let test = try TestEnvironment(Self.options())
        let child = try ChildProcess(["hold-reader", test.path], environment: Self.variable)
        #expect(child.readLine() == "holding")
        do {
            let mark = try mark(test)
            mark.process = 12345
            try test.environment.close()
        }
        do {
            let again = try Environment(path: test.path, options: Self.options())
            #expect(failure { try again.write { _ in } }?.code == .writerLockOrphaned)
        }
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
        let again = try Environment(path: test.path, options: Self.options())
        try again.write { _ in }
    }

    @Test func aSuspendedEnvironment_hasAGuardAfterwards() throws {
        let test = try TestEnvironment(Self.options())
        try test.environment.shared.suspend(within: .seconds(1), refusing: false)
        #expect(test.environment.shared.writerGuard == nil)
        try test.environment.shared.resume()
        try test.environment.write { _ in
            #expect(test.environment.shared.writerGuard?.markedProcess == Int(getpid()))
        }
    }

    /// The guard costs nothing where it is not needed.
    @Test func robustMutexes_needNoGuard() throws {
        let test = try TestEnvironment()
        #expect((test.environment.shared.writerGuard == nil) == Engine.hasRobustMutexes)
        let sizes = try FileManager.default.attributesOfItem(atPath: test.path + "-lock")
        #expect(try #require(sizes[.size] as? Int).isMultiple(of: 64) == Engine.hasRobustMutexes)
    }
}

/// The folder of a liblmdb without robust mutexes.
private let library = ProcessInfo.processInfo.environment["TROVE_LIBRARY_WITHOUT_ROBUST_MUTEXES"]

/// The death of a writer, on a liblmdb without robust mutexes. `scripts/engines` builds it.
@Suite(.enabled(if: library != nil, "TROVE_LIBRARY_WITHOUT_ROBUST_MUTEXES is not set"))
struct OrphanedLockTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
    }

    private func start(_ command: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            [command, path] + arguments,
            environment: [
                "LD_LIBRARY_PATH": try #require(library), "TROVE_NO_ROBUST_MUTEXES": "1",
            ])
    }

    private func kill(aProcess command: String) throws -> Int {
        let child = try start(command)
        #expect(child.readLine() == "holding")
        child.kill()
        return child.identifier
    }

    @Test func aKilledWriter_stopsTheNextWriter_untilAllHaveClosedTheFile() throws {
        let reader = try start("hold-reader")
        #expect(reader.readLine() == "holding")
        let open = try start("write-and-reopen")
        #expect(open.readLine() == "open")
        let dead = try kill(aProcess: "hold-writer")
        for _ in 0..<2 {
            let writer = try start("write", "table", "0", "1", "10")
            #expect(writer.readLine()?.contains("(process \(dead))") == true)
            #expect(writer.wait() == 1)
        }
        try open.writeLine("write")
        #expect(open.readLine() == "code \(LMDBError.Code.writerLockOrphaned.rawValue)")
        #expect(open.readLine() == "closed")
        try reader.writeLine("end")
        #expect(reader.readLine() == "done")
        #expect(reader.wait() == 0)
        try open.writeLine("write")
        #expect(open.readLine() == "written")
        #expect(open.wait() == 0)
        let writer = try start("write", "table", "0", "10", "10")
        #expect(writer.readLine() == "done")
    }

    @Test func aWaitingWriter_throwsWhenTheWriterBeforeItIsKilled() throws {
        let holder = try start("hold-writer")
        #expect(holder.readLine() == "holding")
        let waiting = try start("write-and-reopen")
        #expect(waiting.readLine() == "open")
        try waiting.writeLine("write")
        holder.kill()
        #expect(waiting.readLine() == "code \(LMDBError.Code.writerLockOrphaned.rawValue)")
        #expect(waiting.readLine() == "closed")
        try waiting.writeLine("write")
        #expect(waiting.readLine() == "written")
    }

    /// A writer alone needs no advice: the next opening makes the locks again.
    @Test func aKilledWriterAlone_leavesAUsableFile() throws {
        for _ in 0..<3 {
            _ = try kill(aProcess: "hold-writer")
            let writer = try start("write", "table", "0", "10", "10")
            #expect(writer.readLine() == "done")
            #expect(writer.wait() == 0)
        }
    }

    /// A reader holds none of the locks.
    @Test func aKilledReader_stopsNobody() throws {
        let open = try start("write-and-reopen")
        #expect(open.readLine() == "open")
        _ = try kill(aProcess: "hold-reader")
        try open.writeLine("write")
        #expect(open.readLine() == "written")
    }
}
