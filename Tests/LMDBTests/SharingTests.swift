// A single environment for each file in a process, whatever name opens the file.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct SharingTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let files = FileManager.default

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("one.mdb")
    }

    @Test func everyName_leadsToOneEnvironment() throws {
        let first = try Environment(path: path)
        try files.createSymbolicLink(atPath: directory.path("symbolic"), withDestinationPath: path)
        try files.linkItem(atPath: path, toPath: directory.path("hard"))
        let names = ["one.mdb", "./one.mdb", "symbolic", "hard"]
        for name in names {
            #expect(try Environment(path: directory.path(name)).shared === first.shared, "\(name)")
        }
        try files.moveItem(atPath: path, toPath: directory.path("renamed"))
        #expect(try Environment(path: directory.path("renamed")).shared === first.shared)
    }

    @Test func closingOneOfTwo_leavesTheOthersSnapshot() throws {
        let first = try Environment(path: path)
        let table = try first.createDatabase("table")
        try first.write { try $0.put([1], for: [1], in: table) }
        try first.read { transaction in
            do { _ = try Environment(path: path) }
            try onAnotherThread { [path] in
                let second = try Environment(path: path)
                try second.write { try $0.put([2], for: [1], in: table) }
            }
            #expect(try transaction.get([1], from: table) == [1])
        }
        #expect(try first.read { try $0.get([1], from: table) } == [2])
    }

    @Test func whatIsDoneHere_keepsTheLockByWhichOthersKnowOfIt() throws {
        let environment = try Environment(path: path)
        func lockOwner() throws -> String? { try ChildProcess(["lock-owner", path + "-lock"]).readLine() }
        let here = String(ProcessInfo.processInfo.processIdentifier)
        #expect(try lockOwner() == here)
        let table = try environment.createDatabase("table")
        try environment.write { try $0.put([1], for: [1], in: table) }
        for isReadOnly in [false, true] {
            _ = try Environment(path: path, options: EnvironmentOptions(isReadOnly: isReadOnly))
        }
        for isCompacting in [false, true] {
            try environment.copy(to: directory.path("copy \(isCompacting)"), compacting: isCompacting)
        }
        _ = try environment.readers()
        try environment.sweepStaleReaders()
        try environment.synchronize()
        _ = try FileVerification.run(path)
        #expect(try environment.dropDatabase("table"))
        #expect(try lockOwner() == here)

        // A test whether the lock file is a data file would open and close it.
        try files.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: path + "-lock")
        for name in [path + "-lock", directory.path("link")] {
            #expect(failure { _ = try Environment(path: name) }?.code == .invalid)
            #expect(failure { _ = try FileVerification.run(name) }?.code == .invalid)
        }
        #expect(try lockOwner() == here)
        _ = try Environment(path: directory.path("another-lock"))
    }

    @Test func lockFileOfADirectory_isNoEnvironment() throws {
        let environment = try Environment(path: directory.path)
        #expect(failure { _ = try Environment(path: directory.path("lock.mdb")) }?.code == .invalid)
        #expect(failure { _ = try FileVerification.run(directory.path("lock.mdb")) }?.code == .invalid)
        withExtendedLifetime(environment) {}
    }

    @Test func secondHardLink_isRefused_unlessAllowed() throws {
        do { _ = try Environment(path: path) }
        try files.linkItem(atPath: path, toPath: directory.path("twin"))
        for name in ["one.mdb", "twin"] {
            let error = try #require(failure { _ = try Environment(path: directory.path(name)) })
            #expect(error.code == .hardLinked)
            #expect(error.path?.hasSuffix(name) == true)
        }
        _ = try Environment(path: path, options: EnvironmentOptions(allowsHardLinks: true))
    }

    @Test func remainderOfACutCreation_isRemoved() throws {
        do { _ = try Environment(path: path) }
        try files.linkItem(atPath: path, toPath: path + ".creating-00000000000000ff")
        _ = try Environment(path: path)
        #expect(try directory.names() == ["one.mdb", "one.mdb-lock"])
    }

    @Test func remaindersOfCutCreations_areRemovedByTheNextOne_andNothingElseIs() throws {
        for number in ["00000000000000fe", "00000000000000ff"] {
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + ".creating-" + number))
        }
        let others = [
            "one.mdb.creating-notes", "one.mdb.creating-00000000000000FF", "two.mdb.creating-00000000000000ff",
        ]
        for name in others { try Data([1]).write(to: URL(fileURLWithPath: directory.path(name))) }
        do { _ = try Environment(path: path) }
        #expect(try directory.names() == (["one.mdb", "one.mdb-lock"] + others).sorted())
    }

    @Test func otherOptions_areRefused_whileItIsOpen() throws {
        let first = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        #expect(failure { _ = try Environment(path: path) }?.code == .openedDifferently)
        let reader = try Environment(path: path, options: EnvironmentOptions(durability: .noSync, isReadOnly: true))
        #expect(reader.options.isReadOnly)
        #expect(failure { try reader.write { _ in } }?.code == .readOnlyEnvironment)
        #expect(failure { _ = try reader.createDatabase("new") }?.code == .readOnlyEnvironment)
        #expect(failure { _ = try reader.dropDatabase("new") }?.code == .readOnlyEnvironment)
        try first.write { _ in }
    }

    @Test(arguments: 0..<8)
    func reader_canUseEveryDatabaseOfItsSnapshot_whileOthersAreCreated(run: Int) throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let rounds = 500
        let writer = RunningThread {
            for round in 0..<rounds { try environment.write { _ = try $0.createDatabase("table \(round)") } }
        }
        // Each reader polls for the next table, so the first reader that sees the table began during its commit.
        let readers = (0..<2).map { _ in
            RunningThread<Int> {
                var next = 0
                while next < rounds {
                    let reader = try environment.shared.beginRead()
                    defer { reader.endRead() }
                    while next < rounds, try reader.hasDatabase(named: "table \(next)") {
                        _ = try reader.database(named: "table \(next)")
                        next += 1
                    }
                }
                return next
            }
        }
        try writer.value()
        for reader in readers { #expect(try reader.value() == rounds) }
    }

    @Test func readOnlyFirst_refusesAWriter() throws {
        do { _ = try Environment(path: path) }
        let first = try Environment(path: path, options: EnvironmentOptions(isReadOnly: true))
        #expect(failure { _ = try Environment(path: path) }?.code == .openedDifferently)
        withExtendedLifetime(first) {}
    }

    @Test func openTransaction_keepsTheFileOpen() throws {
        let table: Database
        let core: TransactionCore
        weak var shared: SharedEnvironment?
        do {
            let environment = try Environment(path: path)
            table = try environment.createDatabase("table")
            try environment.write { try $0.put([1], for: [1], in: table) }
            shared = environment.shared
            core = try environment.shared.beginRead()
        }
        #expect(shared != nil)
        #expect(try core.count(table) == 1)
        let impatient = EnvironmentOptions(busyTimeout: .milliseconds(1))
        let error = failure { _ = try Environment(path: path, options: impatient) }
        #expect(error == nil || error?.code == .busy)  // never a second environment in parallel to the first
        core.endRead()
        #expect(shared == nil)
    }

    @Test func anotherFileInItsPlace_isAnotherEnvironment() throws {
        let first = try Environment(path: path)
        _ = try first.createDatabase("table")
        try files.removeItem(atPath: path)
        try files.removeItem(atPath: path + "-lock")
        let second = try Environment(path: path)
        #expect(first.shared !== second.shared)
        #expect(try second.databaseNames().isEmpty)
    }
}
