// Database handles: usable after commit, dead after a rollback, and never valid for another table.

import LMDB
import Testing
import TroveTestSupport

@Suite struct DatabaseTests {
    private let test: TestEnvironment
    private let environment: Environment

    init() throws {
        test = try TestEnvironment(
            EnvironmentOptions(maximumDatabases: 8, durability: .noSync, busyTimeout: .milliseconds(50)))
        environment = test.environment
    }

    @Test func created_isUsableAtOnce_andEverywhereAfterItsCommit() throws {
        let table = try environment.write { transaction in
            let table = try transaction.createDatabase("table")
            try transaction.put([1], for: [1], in: table)
            #expect(try transaction.createDatabase("table") === table)
            #expect(try transaction.database("table") === table)
            return table
        }
        #expect(try environment.openDatabase("table") === table)
        #expect(try environment.createDatabase("table") === table)
        #expect(try test.pairs(of: table).count == 1)
        #expect(try environment.databaseNames() == ["table"])
    }

    @Test func rolledBack_isDead_andNeverWritesIntoTheNextTable() throws {
        for nests in [false, true] {
            var dead: Database?
            #expect(throws: Rollback.self) {
                try environment.write { transaction in
                    guard nests else {
                        dead = try transaction.createDatabase("dead")
                        throw Rollback()
                    }
                    do {
                        try transaction.nested { child in
                            try child.nested { dead = try $0.createDatabase("dead") }
                            throw Rollback()
                        }
                    } catch is Rollback {}
                    let next = try transaction.createDatabase("next")
                    let handle = try #require(dead)
                    #expect(transaction.failure { try $0.put([1], for: [1], in: handle) }?.code == .databaseNotUsable)
                    #expect(try transaction.count(of: next) == 0)
                    throw Rollback()
                }
            }
            let handle = try #require(dead)
            let next = try environment.createDatabase("next \(nests)")
            try environment.write { transaction in
                #expect(transaction.failure { try $0.put([1], for: [1], in: handle) }?.code == .databaseNotUsable)
                #expect(transaction.failure { try $0.removeAll(from: handle) }?.code == .databaseNotUsable)
            }
            #expect(failure { _ = try test.pairs(of: handle) }?.code == .databaseNotUsable)
            #expect(try test.pairs(of: next).isEmpty)
        }
        #expect(try environment.databaseNames() == ["next false", "next true"])
    }

    @Test func committedNested_livesWithItsParent() throws {
        let table = try environment.write { transaction in
            let table = try transaction.nested { try $0.createDatabase("table") }
            try transaction.put([1], for: [1], in: table)
            return table
        }
        #expect(try test.pairs(of: table).count == 1)
    }

    @Test func olderSnapshot_seesAnEmptyTable() throws {
        try environment.read { reader in
            let table = try onAnotherThread { [environment] in
                let table = try environment.createDatabase("later")
                try environment.write { try $0.put([1], for: [1], in: table) }
                return table
            }
            #expect(try reader.get([1], from: table) == nil)
            #expect(try reader.pairs(of: table).isEmpty)
            #expect(try reader.count(of: table) == 0)
            #expect(try reader.statistics(of: table) == reader.statistics(of: table))
            #expect(try reader.database("later") == nil)
            var cursor = try reader.cursor(on: table)
            #expect(try cursor.moveToFirst() == false)
        }
    }

    @Test func uncommitted_isOfNoUseToReaders() throws {
        try environment.write { transaction in
            let table = try transaction.createDatabase("table")
            #expect(failure { _ = try test.pairs(of: table) }?.code == .databaseNotUsable)
        }
    }

    @Test func ofAnotherEnvironment_isRefused() throws {
        let other = try TestEnvironment()
        let table = try other.environment.createDatabase("table")
        #expect(failure { _ = try test.pairs(of: table) }?.code == .databaseNotUsable)
    }

    @Test func createdByAnotherProcess_isFound() throws {
        let inOwnReader = try environment.shared.beginRead()
        let child = try ChildProcess(["write", test.path, "theirs", "0", "3", "10"])
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
        #expect(try inOwnReader.database(named: "theirs") == nil)
        inOwnReader.endRead()
        try environment.write { transaction in
            let table = try #require(try transaction.database("theirs"))
            #expect(try transaction.count(of: table) == 3)
        }
        #expect(try test.pairs(of: environment.openDatabase("theirs")).count == 3)
        #expect(try environment.databaseNames() == ["theirs"])
    }

    @Test func reopened_findsItsTablesByName_beforeAnyHandleIsOpen() throws {
        let path = test.directory.path("again.mdb")
        do { _ = try Environment(path: path).createDatabase("table") }
        for _ in 0..<2 {
            let environment = try Environment(path: path)
            let names = try environment.databaseNames()
            let core = try environment.shared.beginRead()
            #expect(try core.hasDatabase(named: "table"))
            #expect(try core.database(named: "other") == nil)
            core.endRead()
            #expect(try environment.write { try $0.database("table")?.name } == "table")
            #expect(names == ["table"])
        }
    }

    @Test func namesOfOtherBytes_areOtherDatabases() throws {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let test = try TestEnvironment()
        try test.environment.write { transaction in
            for (number, name) in names.enumerated() {
                let table = try transaction.createDatabase(name)
                try transaction.put([UInt8(number)], for: [1], in: table)
            }
        }
        for (number, name) in names.enumerated() {
            let table = try test.environment.openDatabase(name)
            #expect(try test.environment.read { try $0.get([1], from: table) } == [UInt8(number)])
        }
    }

    @Test func missing_isReported() throws {
        let error = failure { _ = try environment.openDatabase("missing") }
        #expect(error?.code == .databaseNotFound)
        #expect(error?.database == "missing")
        #expect(try environment.read { try $0.database("missing") } == nil)
    }

    @Test func oneTooMany_isTyped_andHarmless() throws {
        try environment.write { transaction in
            for number in 0..<8 { _ = try transaction.createDatabase("table \(number)") }
            let error = transaction.failure { _ = try $0.createDatabase("table 8") }
            #expect(error?.code == .tooManyDatabases)
            #expect(error?.limit == 8)
            #expect(error?.database == "table 8")
        }
        #expect(try environment.databaseNames().count == 8)
    }

    @Test func dropped_isGone_andItsHandleToo() throws {
        let old = try environment.createDatabase("table")
        try environment.write { try $0.put([1], for: [1], in: old) }
        let keeper = try environment.createDatabase("keeper")
        try environment.write { try $0.put([2], for: [2], in: keeper) }
        #expect(try test.pairs(of: old).count == 1)  // leaves a pooled cursor on the table

        #expect(try environment.dropDatabase("table"))
        #expect(try !environment.dropDatabase("table"))
        #expect(try environment.databaseNames() == ["keeper"])
        try environment.read { reader in
            let successor = try onAnotherThread { [environment] in
                let table = try environment.createDatabase("successor")
                try environment.write { try $0.put([3], for: [3], in: table) }
                return table
            }
            #expect(try reader.pairs(of: successor).isEmpty)
            #expect(reader.failure { _ = try $0.pairs(of: old) }?.code == .databaseNotUsable)
            #expect(try reader.pairs(of: keeper).count == 1)
        }
        #expect(failure { _ = try test.pairs(of: old) }?.code == .databaseNotUsable)
        let again = try environment.createDatabase("table")
        #expect(try test.pairs(of: again).isEmpty)
        #expect(try test.pairs(of: environment.openDatabase("successor")).map(\.key) == [[3]])
    }

    @Test func dropping_waitsForNobodyForever() throws {
        let table = try environment.createDatabase("table")
        try environment.read { reader in
            #expect(failure { try environment.dropDatabase("table") }?.code == .busy)
            let other = try onAnotherThread { [environment] in failure { try environment.dropDatabase("table") } }
            #expect(other?.code == .busy)
            #expect(try reader.count(of: table) == 0)
        }
        #expect(try environment.dropDatabase("table"))
    }

    @Test func dropping_adoptsAMapThatAnotherProcessEnlarged() throws {
        let test = try TestEnvironment(EnvironmentOptions(mapSize: 1 << 20, durability: .noSync))
        let table = try test.environment.createDatabase("table")
        let other = try test.environment.createDatabase("other")
        let child = try ChildProcess(["write", test.path, "other", "0", "3000", "1000"])
        #expect(child.readLine() == "done")
        #expect(try test.environment.dropDatabase("table"))
        #expect(try test.environment.databaseNames() == ["other"])
        #expect(failure { _ = try test.pairs(of: table) }?.code == .databaseNotUsable)
        #expect(try test.pairs(of: other).count == 3000)
    }

    @Test func droppedByAnotherProcess_isEmptyOrRefused_andNeverAnotherTable() throws {
        let table = try environment.createDatabase("table")
        let keeper = try environment.createDatabase("keeper")
        try environment.write { transaction in
            try transaction.put([1], for: [1], in: table)
            try transaction.put([2], for: [2], in: keeper)
        }
        let child = try ChildProcess(["drop", test.path, "table"])
        #expect(child.readLine() == "done")
        #expect(try environment.databaseNames() == ["keeper"])
        #expect(try test.pairs(of: table).isEmpty)
        // liblmdb crashes at a put with such a handle.
        for _ in 0..<2 {
            let error = failure { try environment.write { try $0.put([3], for: [3], in: table) } }
            #expect(error?.code == .databaseNotFound)
            #expect(error?.database == "table")
        }
        try environment.write { transaction in
            #expect(try transaction.get([1], from: table) == nil)
            #expect(try transaction.delete([1], from: table) == false)
            #expect(try transaction.pairs(of: table).isEmpty)
            #expect(transaction.failure { try $0.append([3], for: [3], in: table) }?.code == .databaseNotFound)
            try transaction.put([2], for: [2], in: keeper)
        }
        #expect(try environment.databaseNames() == ["keeper"])
        #expect(try test.pairs(of: keeper) == [Pair(key: [2], value: [2])])
        // After another process creates a table of the same name, the handle leads to the new table.
        let writer = try ChildProcess(["write", test.path, "table", "0", "3", "10"])
        #expect(writer.readLine() == "done")
        #expect(try test.pairs(of: table).count == 3)
        #expect(try test.pairs(of: keeper) == [Pair(key: [2], value: [2])])
    }

    @Test func droppedTablesPages_areUsedAgain_twoTransactionsLater() throws {
        let value = [UInt8](repeating: 1, count: 1000)
        let keeper = try environment.createDatabase("keeper")
        var sizes: [Int] = []
        for round in 0..<6 {
            let table = try environment.createDatabase("table")
            try environment.write { transaction in
                for number in 0..<1000 { try transaction.put(value, for: key(number), in: table) }
            }
            #expect(try environment.dropDatabase("table"))
            for number in 0..<2 { try environment.write { try $0.put([UInt8(round)], for: key(number), in: keeper) } }
            sizes.append(try environment.info.usedSize)
        }
        #expect(sizes[0] > 1_000_000)
        #expect(sizes[5] < sizes[0] + 200_000)
    }

    @Test func dropThatFails_leavesTheHandle() throws {
        let table = try environment.createDatabase("table")
        try environment.write { try $0.put([1], for: [1], in: table) }
        try environment.read { _ in #expect(failure { try environment.dropDatabase("table") }?.code == .busy) }
        #expect(try test.pairs(of: table).count == 1)
        #expect(try environment.openDatabase("table") === table)
    }

    @Test func opening_waitsForWritersNotForever_andTheirTurnsGoOn() throws {
        let child = try ChildProcess(["write", test.path, "theirs", "0", "3", "10"])
        #expect(child.readLine() == "done")
        try environment.write { _ in
            let error = try onAnotherThread { [environment] in failure { _ = try environment.openDatabase("theirs") } }
            #expect(error?.code == .busy)
            #expect(error?.path == environment.path)
            #expect(environment.writers.count == 1)
        }
        let turns = (0..<4).map { number in
            RunningThread { [environment] in
                let table = try environment.createDatabase("ours")
                try environment.write { try $0.put([], for: key(number), in: table) }
            }
        }
        for turn in turns { try turn.value() }
        #expect(environment.writers.count == 0)
        #expect(try test.pairs(of: environment.openDatabase("theirs")).count == 3)
    }

    @Test func removeAll_emptiesOnly() throws {
        let table = try environment.createDatabase("table")
        try environment.write { transaction in
            for number in 0..<2000 { try transaction.put(key(number), for: key(number), in: table) }
            try transaction.removeAll(from: table)
            #expect(try transaction.count(of: table) == 0)
            try transaction.append([1], for: [0], in: table)
            try transaction.put([2], for: [1], in: table)
        }
        #expect(try test.pairs(of: table).map(\.key) == [[0], [1]])
    }
}
