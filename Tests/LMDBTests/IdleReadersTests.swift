// Reads that begin and end without a lock, concurrent with changes of the map and the handles.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct IdleReadersTests {
    /// At all times, a reader sees a single complete commit. Both tables have the same number of entries, never fewer
    /// than in an earlier read, and all tables from the beginning exist.
    @Test func readers_seeWholeCommits_whileTablesComeAndGo_andTheMapGrows() throws {
        let test = try TestEnvironment(
            EnvironmentOptions(mapSize: 4 << 20, durability: .noSync, busyTimeout: .seconds(60)))
        let environment = test.environment
        let (left, right) = (try environment.createDatabase("left"), try environment.createDatabase("right"))
        let pairs = 1000
        let tables = 60
        let created = Mutexed(0)
        let isOver = Mutexed(false)

        let writer = RunningThread {
            let value = [UInt8](repeating: 1, count: 4000)
            for number in 0..<pairs {
                try environment.write { transaction in
                    try transaction.put(value, for: key(number), in: left)
                    try transaction.put([1], for: key(number), in: right)
                }
            }
        }
        let creator = RunningThread {
            defer { created.set(tables) }  // so that no thread waits for it forever
            for number in 0..<tables {
                let table = try environment.createDatabase("table \(number)")
                try environment.write { try $0.put(key(number), for: [1], in: table) }
                created.set(number + 1)
            }
        }
        let dropper = RunningThread {
            for number in stride(from: 0, to: tables, by: 2) {
                while created.value <= number { sched_yield() }
                try Difference.refuse(!environment.dropDatabase("table \(number)"), "nothing to drop")
            }
        }
        let readers = (0..<6).map { reader in
            RunningThread {
                var seen = 0
                var reads = 0
                while !isOver.value || reads == 0 {
                    reads += 1
                    let known = created.value
                    let now = try environment.read { transaction in
                        let count = try transaction.count(of: left)
                        try Difference.refuse(count != transaction.count(of: right), "unequal tables")
                        if reads % 8 == reader {
                            let scanned = try transaction.pairs(of: right).count
                            try Difference.refuse(count != scanned, "\(count) pairs, \(scanned) scanned")
                            // A nested reader, which sees as much or more.
                            let inner = try environment.read { try $0.count(of: left) }
                            try Difference.refuse(inner < count, "\(inner) after \(count)")
                        }
                        return count
                    }
                    try Difference.refuse(now < seen, "\(now) after \(seen)")
                    seen = now
                    // The tables with odd numbers remain, each with its own number in it.
                    guard known >= 2 else { continue }
                    let number = (reads % (known / 2)) * 2 + 1
                    let table = try environment.openDatabase("table \(number)")
                    let value = try environment.read { try $0.get([1], from: table) }
                    try Difference.refuse(value != key(number), "table \(number) holds \(String(describing: value))")
                }
                return seen
            }
        }
        let changes: [RunningThread<Void>] = [writer, creator, dropper]
        let outcomes = changes.map { thread in Result { try thread.value() } }
        isOver.set(true)
        for outcome in outcomes { try outcome.get() }
        for reader in readers { #expect(try reader.value() <= pairs) }
        #expect(try environment.read { try $0.count(of: left) } == pairs)
        #expect(try environment.databaseNames().count == 2 + tables / 2)
        #expect(try environment.info.mapSize >= 8 << 20)
    }

    /// The map is replaced while threads only begin reads: in an unmapped map, each would crash.
    @Test(arguments: 0..<8)
    func noReader_isLeftInAMapThatIsGone(run: Int) throws {
        let test = try TestEnvironment(
            EnvironmentOptions(mapSize: 1 << 20, durability: .noSync, busyTimeout: .seconds(60)))
        let environment = test.environment
        let table = try environment.createDatabase("table")
        let isOver = Mutexed(false)
        let readers = (0..<3).map { _ in
            RunningThread {
                while !isOver.value {
                    try environment.read { transaction in
                        let count = try transaction.count(of: table)
                        if count > 0 { _ = try transaction.get(key(count - 1), from: table) }
                    }
                }
            }
        }
        let value = [UInt8](repeating: 1, count: 10_000)
        var written = 0
        let outcome = Result {
            while try environment.info.mapSize < 32 << 20 {
                try environment.write { try $0.put(value, for: key(written), in: table) }
                written += 1
            }
        }
        isOver.set(true)
        try outcome.get()
        for reader in readers { try reader.value() }
        #expect(try test.pairs(of: table).count == written)
    }

    /// More concurrent readers than slots for idle readers: no reader is lost, and no reader has two threads.
    @Test func moreReadersThanPlaces_areKept_andUsedAgain() throws {
        let test = try TestEnvironment(EnvironmentOptions(maximumReaders: 64, durability: .noSync))
        let environment = test.environment
        let table = try environment.createDatabase("table")
        for round in 0..<20 {
            try environment.write { try $0.put(key(round), for: [1], in: table) }
            func nest(_ depth: Int) throws {
                try environment.read { transaction in
                    if depth > 1 { try nest(depth - 1) }
                    #expect(try transaction.get([1], from: table) == key(round))
                }
            }
            try nest(50)
            let threads = (0..<8).map { _ in
                RunningThread {
                    for _ in 0..<50 {
                        let value = try environment.read { outer in
                            try environment.read { try $0.get([1], from: table) } == outer.get([1], from: table)
                        }
                        try Difference.refuse(!value, "two snapshots of one commit")
                    }
                }
            }
            for thread in threads { try thread.value() }
        }
        // No thread has created a reader while others were idle.
        #expect(try environment.info.readers == 50)
    }
}

extension Difference {
    static func refuse(_ isWrong: Bool, _ what: @autoclosure () -> String) throws {
        if isWrong { throw Difference(what: what()) }
    }
}
