// Several processes: killed holders of locks and slots, forks, exhausted reader slots.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct ProcessTests {
    @Test func killedWriter_blocksNoOne_andLeavesNothing() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        for round in 0..<3 {
            let child = try ChildProcess(["hold-writer", test.path])
            #expect(child.readLine() == "holding")
            let waiting = RunningThread { try test.environment.write { try $0.put([1], for: key(round), in: table) } }
            child.kill()
            try waiting.value()
        }
        #expect(try test.pairs(of: table).count == 3)
        #expect(try test.environment.databaseNames() == ["table"])
    }

    @Test func staleReaders_areSweptAtOpening_andLiveOnesAreNot() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("test.mdb")
        let living = try ChildProcess(["hold-reader", path])
        #expect(living.readLine() == "holding")
        let dying = try ChildProcess(["hold-reader", path])
        #expect(dying.readLine() == "holding")
        dying.kill()
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let processes = try environment.readers().map(\.process)
        #expect(processes == [living.identifier])
        #expect(try environment.sweepStaleReaders() == 0)
        try living.writeLine("end")
        #expect(living.readLine() == "done")
        #expect(living.wait() == 0)
    }

    @Test func readerThatDies_isSweptByTheWritersOfALongLivedProcess() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let child = try ChildProcess(["hold-reader", test.path])
        #expect(child.readLine() == "holding")
        child.kill()
        #expect(try test.environment.readers().contains { $0.process == child.identifier })
        for number in 0..<Environment.commitsBetweenSweeps {
            try test.environment.write { try $0.put([1], for: key(number), in: table) }
        }
        #expect(try !test.environment.readers().contains { $0.process == child.identifier })
    }

    /// A process whose map cannot be created again reopens the file, and continues when there is address space again.
    @Test func mapThatTheSystemRefuses_isAnError_andNotTheEnd() throws {
        let test = try TestEnvironment(EnvironmentOptions(mapSize: 256 << 20, durability: .noSync))
        let table = try test.environment.createDatabase("table")
        let child = try ChildProcess(["starve", test.path, "table"])
        #expect(child.readLine() == "1 pairs")
        try test.environment.write { transaction in
            for number in 0..<100 {
                try transaction.put([UInt8](repeating: 1, count: 1 << 20), for: key(number), in: table)
            }
        }
        try child.writeLine("starve")
        #expect(child.readLine() == "code \(LMDBError.Code.noAddressSpace.rawValue)")
        #expect(child.readLine() == "code \(LMDBError.Code.noAddressSpace.rawValue)")
        #expect(child.readLine() == "101 pairs")
        #expect(child.readLine() == "written")
        #expect(child.wait() == 0)
        #expect(try test.environment.read { try $0.count(of: table) } == 102)
    }

    @Test func exhaustedReaders_areSwept_thenTyped() throws {
        let test = try TestEnvironment(EnvironmentOptions(maximumReaders: 3, durability: .noSync))
        let child = try ChildProcess(["hold-reader", test.path])
        #expect(child.readLine() == "holding")
        child.kill()
        try test.environment.read { _ in
            try test.environment.read { _ in
                try test.environment.read { _ in  // takes the dead process's slot
                    let error = failure { try test.environment.read { _ in } }
                    #expect(error?.code == .tooManyReaders)
                    #expect(error?.limit == 3)
                }
            }
        }
        try test.environment.read { _ in }
        #expect(try test.environment.readers().allSatisfy { $0.process == ProcessInfo.processInfo.processIdentifier })
    }

    @Test func slotsFullOfTheDead_areSweptByWhoOpensNext() throws {
        let test = try TestEnvironment(EnvironmentOptions(maximumReaders: 2, durability: .noSync))
        let dying = try (0..<2).map { _ in
            let child = try ChildProcess(["hold-reader", test.path])
            #expect(child.readLine() == "holding")
            return child
        }
        for child in dying { child.kill() }
        let living = try ChildProcess(["hold-reader", test.path])
        #expect(living.readLine() == "holding")
    }

    @Test func idleReaders_giveTheirSlotsToOtherThreads() throws {
        let test = try TestEnvironment(EnvironmentOptions(maximumReaders: 2, durability: .noSync))
        try test.environment.read { _ in try test.environment.read { _ in } }
        let child = try ChildProcess(["hold-reader", test.path])
        // Both slots are idle here, but occupied: another process gets no slot until this process closes the
        // environment.
        #expect(child.readLine()?.contains("reader") == true)
        try test.environment.read { _ in try test.environment.read { _ in } }
    }

    @Test func fork_refusesTheChild_andSparesTheParent() throws {
        let directory = try TemporaryDirectory()
        let child = try ChildProcess(["fork", directory.path("test.mdb")])
        #expect(child.readLine() == "unharmed")
        #expect(child.wait() == 0)
    }
}
