// The size of the map: it grows before it is full, between transactions, while threads and other processes work.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct MapTests {
    private static let smallest = 1 << 20

    private func smallEnvironment(busyTimeout: Duration = .seconds(20)) throws -> (TestEnvironment, Database) {
        let test = try TestEnvironment(
            EnvironmentOptions(mapSize: Self.smallest, durability: .noSync, busyTimeout: busyTimeout))
        return (test, try test.environment.createDatabase("table"))
    }

    private func fill(_ test: TestEnvironment, _ table: Database, from first: Int = 0, count: Int) throws {
        let value = [UInt8](repeating: 1, count: 1000)
        for number in first..<(first + count) {
            try test.environment.write { try $0.put(value, for: key(number), in: table) }
        }
    }

    @Test func smallMap_growsBeforeItIsFull() throws {
        let (test, table) = try smallEnvironment()
        try fill(test, table, count: 6000)
        #expect(try test.environment.info.mapSize >= 8 << 20)
        #expect(try test.environment.read { try $0.count(of: table) } == 6000)
    }

    @Test func mapThatDoesNotGrow_isALimit_untilItIsRaised() throws {
        let directory = try TemporaryDirectory()
        func open(_ size: Int) throws -> (Environment, Database) {
            let environment = try Environment(
                path: directory.path("test.mdb"),
                options: EnvironmentOptions(mapSize: size, growsMap: false, durability: .noSync))
            return (environment, try environment.createDatabase("table"))
        }
        var pairs = 0
        do {
            let (environment, table) = try open(Self.smallest)
            let error = failure {
                while true {
                    try environment.write { try $0.put([UInt8](repeating: 1, count: 1000), for: key(pairs), in: table) }
                    pairs += 1
                }
            }
            #expect(error?.code == .mapFull)
            #expect(error?.limit == Self.smallest)
            #expect(try environment.info.mapSize == Self.smallest)
            #expect(try environment.read { try $0.count(of: table) } == pairs)
            #expect(pairs > 500)
        }
        let (environment, table) = try open(2 * Self.smallest)
        try environment.write { try $0.put([1], for: key(pairs), in: table) }
        #expect(try environment.read { try $0.count(of: table) } == pairs + 1)
    }

    /// liblmdb uses the pages of a delete only two commits later, and a failed transaction is no commit.
    @Test(arguments: [false, true])
    func fullMap_hasRoomAgain_afterADelete(reopens: Bool) throws {
        let directory = try TemporaryDirectory()
        func open() throws -> (Environment, Database) {
            let environment = try Environment(
                path: directory.path("test.mdb"),
                options: EnvironmentOptions(mapSize: Self.smallest, growsMap: false, durability: .noSync))
            return (environment, try environment.createDatabase("table"))
        }
        let value = [UInt8](repeating: 1, count: 30_000)
        var count = 0
        func insert(_ environment: Environment, _ table: Database) throws {
            try environment.write { try $0.put(value, for: key(count), in: table) }
            count += 1
        }
        var (environment, table) = try open()
        var error: LMDBError?
        while error == nil { error = failure { try insert(environment, table) } }
        #expect(error?.code == .mapFull)
        #expect(count > 20)
        let full = count
        _ = try environment.write { try $0.delete(ScanRange(upTo: key(full / 2)), from: table) }
        if reopens {
            try environment.close()
            (environment, table) = try open()
        }
        for _ in 0..<(full / 2 - 5) { try insert(environment, table) }
        #expect(try environment.read { try $0.count(of: table) } == full - 5)
    }

    /// A single value of one page fewer than the last delete has freed: after the failure, the next attempt succeeds.
    @Test func writeThatHasFailedForSpace_succeedsWhenRepeated_afterASmallDelete() throws {
        let directory = try TemporaryDirectory()
        let environment = try Environment(
            path: directory.path("test.mdb"),
            options: EnvironmentOptions(mapSize: Self.smallest, growsMap: false, durability: .noSync))
        let table = try environment.createDatabase("table")
        let value = [UInt8](repeating: 1, count: 30_000)
        var count = 0
        func insert() throws {
            try environment.write { try $0.put(value, for: key(count), in: table) }
            count += 1
        }
        while failure({ try insert() }) == nil {}
        for _ in 0..<3 {
            _ = try environment.write { try $0.delete(key(count - 1), from: table) }
            if failure({ try insert() }) != nil { try insert() }
        }
        #expect(count > 20)
    }

    @Test func reopenedSmaller_keepsHeadRoom() throws {
        let (test, table) = try smallEnvironment()
        try fill(test, table, count: 3000)
        let path = test.directory.path("copy.mdb")
        try test.environment.copy(to: path)
        let copy = try Environment(path: path, options: EnvironmentOptions(mapSize: Self.smallest))
        let info = try copy.info
        #expect(info.mapSize >= 2 * info.usedSize)
    }

    @Test func map_growsWhileThreadsAndProcessesReadAndWrite() throws {
        let (test, table) = try smallEnvironment()
        let pairs = 1500
        let writer = try ChildProcess(["write", test.path, "table", "\(10 * pairs)", "\(pairs)", "1000"])
        let reader = try ChildProcess(["read-until", test.path, "table", "\(3 * pairs)"])
        let writers = (0..<2).map { number in
            RunningThread { try fill(test, table, from: number * pairs, count: pairs) }
        }
        let readers = (0..<2).map { _ in
            RunningThread {
                var seen = 0
                while seen < 3 * pairs {
                    let now = try test.pairs(of: table).count
                    guard now >= seen else { throw Difference(what: "\(seen) pairs became \(now)") }
                    seen = now
                }
            }
        }
        for thread in writers { try thread.value() }
        #expect(writer.readLine() == "done")
        for thread in readers { try thread.value() }
        #expect(reader.readLine() == "done")
        #expect(try test.pairs(of: table).count == 3 * pairs)
        #expect(try test.environment.info.mapSize >= 4 << 20)
    }

    @Test func mapEnlargedElsewhere_isAdopted_whenTheLastTransactionEnds() throws {
        let (test, table) = try smallEnvironment()
        let isOpen = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        let holder = RunningThread {
            try test.environment.read { _ in
                isOpen.signal()
                mayEnd.wait()
            }
        }
        isOpen.wait()
        let child = try ChildProcess(["write", test.path, "table", "0", "3000", "1000"])
        #expect(child.readLine() == "done")
        let waiters = (0..<3).map { _ in RunningThread { try test.pairs(of: table).count } }
        mayEnd.signal()
        try holder.value()
        for waiter in waiters { #expect(try waiter.value() == 3000) }
        try fill(test, table, from: 3000, count: 1)
    }

    @Test func mapEnlargedElsewhere_isReportedToAThreadWithAReader_andToOneThatWaitsTooLong() throws {
        let (test, table) = try smallEnvironment(busyTimeout: .milliseconds(30))
        try test.environment.read { reader in
            let child = try ChildProcess(["write", test.path, "table", "0", "3000", "1000"])
            #expect(child.readLine() == "done")
            #expect(failure { try test.environment.read { _ in } }?.code == .mapResizedElsewhere)
            #expect(failure { try test.environment.write { _ in } }?.code == .mapResizedElsewhere)
            let other = try onAnotherThread { failure { try test.environment.read { _ in } }?.code }
            #expect(other == .mapResizedElsewhere)
            #expect(try reader.count(of: table) == 0)
        }
        #expect(try test.pairs(of: table).count == 3000)
    }

    @Test func transactionLargerThanTheMap_isTyped_dead_andHarmless() throws {
        let (test, table) = try smallEnvironment()
        try fill(test, table, count: 1)
        let tooMuch = [UInt8](repeating: 1, count: 2 << 20)
        var seen: LMDBError?
        let error = failure {
            try test.environment.write { transaction in
                try transaction.put([1], for: key(5), in: table)
                seen = transaction.failure { try $0.put(tooMuch, for: key(6), in: table) }
                // The closure catches the error and continues to use the transaction: it must not commit its first
                // half.
                #expect(transaction.failure { try $0.put([1], for: key(7), in: table) }?.code == .mapFull)
            }
        }
        #expect(error == seen)
        #expect(seen?.code == .mapFull)
        #expect(seen?.limit == Self.smallest)
        #expect(seen?.path?.hasSuffix("test.mdb") == true)
        #expect(seen?.database == "table")
        #expect(try test.pairs(of: table).count == 1)
        try fill(test, table, from: 1, count: 10)
        #expect(try test.pairs(of: table).count == 11)
    }

    /// No closure runs twice, so the program repeats the transaction. Meanwhile the map grows.
    @Test func transactionLargerThanAGrowingMap_succeedsWhenRepeated() throws {
        let (test, table) = try smallEnvironment()
        let value = [UInt8](repeating: 1, count: 6 << 20)
        var attempts = 0
        func attempt() throws {
            attempts += 1
            try test.environment.write { try $0.put(value, for: key(1), in: table) }
        }
        while let error = failure({ try attempt() }) {
            #expect(error.code == .mapFull)
            guard attempts < 10 else { break }
        }
        #expect(attempts == 4)
        #expect(try test.environment.read { try $0.get(key(1), from: table) }?.count == value.count)
        #expect(try test.environment.info.mapSize == 8 << 20)
    }

    @Test func fullMapInANestedTransaction_leavesItsParentUsable() throws {
        let (test, table) = try smallEnvironment()
        try test.environment.write { transaction in
            try transaction.put([1], for: key(1), in: table)
            let error = failure {
                try transaction.nested { child in
                    try child.put([UInt8](repeating: 1, count: 2 << 20), for: key(2), in: table)
                }
            }
            #expect(error?.code == .mapFull)
            try transaction.put([3], for: key(3), in: table)
        }
        #expect(try test.pairs(of: table).map(\.key) == [key(1), key(3)])
    }

    @Test func longReader_delaysGrowth_notWriters() throws {
        let (test, table) = try smallEnvironment()
        try test.environment.read { _ in
            // The reader keeps every old page, so each small transaction takes new pages.
            try onAnotherThread { [self] in
                var number = 0
                while try test.environment.info.usedSize < Self.smallest / 16 * 15 {
                    try fill(test, table, from: number, count: 1)
                    number += 1
                }
            }
            #expect(try test.environment.info.mapSize == Self.smallest)
        }
        try fill(test, table, from: 500, count: 1000)
        #expect(try test.environment.info.mapSize > Self.smallest)
    }
}
