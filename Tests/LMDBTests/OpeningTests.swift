// Opening: the paths that can be opened, the paths that are rejected, and the files that remain.

import Foundation
@testable import LMDB
import Testing
import TroveTestSupport

@Suite struct OpeningTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func refusal(of path: String, _ options: EnvironmentOptions = EnvironmentOptions()) -> LMDBError? {
        failure { _ = try Environment(path: path, options: options) }
    }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: directory.path(name))[.posixPermissions] as? Int
    }

    @Test func newFile_isWholeAndPrivate_andLeavesNoOtherName() throws {
        let environment = try Environment(path: directory.path("new.mdb"))
        #expect(try directory.names() == ["new.mdb", "new.mdb-lock"])
        #expect(try mode(of: "new.mdb") == 0o600)
        #expect(try mode(of: "new.mdb-lock") == 0o600)
        #expect(environment.path.hasSuffix("/new.mdb"))
    }

    /// The story: the system returns directory entries in a buffer. A read of 256 bytes for each name, the size of its
    /// type, went beyond the end of the buffer, and crashed in directories with many names.
    @Test func directoryOfManyNames_isReadToItsEnd() throws {
        for number in 0..<3000 {
            let isMade = FileManager.default.createFile(atPath: directory.path("\(number)"), contents: nil)
            try #require(isMade)
        }
        let remainder = "new.mdb.creating-" + String(repeating: "0", count: 16)
        try Data([1]).write(to: URL(fileURLWithPath: directory.path(remainder)))
        _ = try Environment(path: directory.path("new.mdb"))
        let names = try directory.names()
        #expect(names.count == 3002)
        #expect(!names.contains(remainder))
    }

    @Test func fileMode_isTheOptions() throws {
        _ = try Environment(path: directory.path("shared.mdb"), options: EnvironmentOptions(fileMode: 0o640))
        #expect(try mode(of: "shared.mdb") == 0o640)
    }

    @Test func directory_holdsLiblmdbsOwnLayout() throws {
        let environment = try Environment(path: directory.path)
        #expect(try directory.names() == ["data.mdb", "lock.mdb"])
        #expect(environment.path.hasSuffix("/data.mdb"))
        _ = try environment.createDatabase("table")
        #expect(try environment.databaseNames() == ["table"])
    }

    @Test func dataFileOfADirectory_isTheSameEnvironment_underTheSameLock() throws {
        for order in [[directory.path, directory.path("data.mdb")], [directory.path("data.mdb"), directory.path]] {
            let environments = try order.map { try Environment(path: $0) }
            #expect(environments[0].shared === environments[1].shared)
            #expect(try directory.names() == ["data.mdb", "lock.mdb"])
        }
    }

    @Test func rows_outliveTheEnvironment() throws {
        for round in 0..<3 {
            let environment = try Environment(path: directory.path("kept.mdb"))
            let table = try environment.createDatabase("table")
            try environment.write { try $0.put([UInt8(round)], for: key(round), in: table) }
            #expect(try environment.read { try $0.count(of: table) } == round + 1)
        }
    }

    @Test(arguments: [
        ("text", Data("hello, world\n".utf8), LMDBError.Code.invalid),
        ("long text", Data(repeating: UInt8(ascii: "x"), count: 10_000), .invalid),
        ("sqlite", Data("SQLite format 3\0".utf8) + Data(repeating: 1, count: 8192), .invalid),
        ("zeros", Data(count: 16_384), .invalid),
        ("empty", Data(), .emptyFile),
    ])
    func otherFiles_areRefusedWithTheirPath_andLeftAlone(name: String, bytes: Data, code: LMDBError.Code) throws {
        let path = directory.path(name)
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = try #require(refusal(of: path))
        #expect(error.code == code)
        #expect(error.path?.hasSuffix("/" + name) == true)
        #expect(error.description.contains(name))
        #expect(try directory.names() == [name])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func otherFormatVersion_isRefused() throws {
        let path = directory.path("versioned.mdb")
        _ = try Environment(path: path)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[PageLayout.loaded.headerSize + 4] = 99
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(refusal(of: path)?.code == .versionMismatch)
    }

    @Test func missingDirectory_isNamed() throws {
        let error = try #require(refusal(of: directory.path("missing/file.mdb")))
        #expect(error.code == .noSuchFile)
        #expect(error.path?.contains("missing") == true)
        #expect(refusal(of: "")?.code == .noSuchFile)
    }

    @Test func pathThroughAFile_andPathWithNUL_areRefused() throws {
        try Data([1]).write(to: URL(fileURLWithPath: directory.path("file")))
        #expect(refusal(of: directory.path("file/below")) != nil)
        #expect(refusal(of: directory.path("a\0b"))?.code == .invalidArgument)
        #expect(try directory.names() == ["file"])
    }

    @Test func device_isNoFile() {
        #expect(refusal(of: "/dev/null")?.code == .notAFile)
    }

    @Test func danglingLink_createsItsTarget() throws {
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.mdb")
        let environment = try Environment(path: link)
        #expect(try directory.names() == ["link", "target.mdb", "target.mdb-lock"])
        #expect(environment.path.hasSuffix("/target.mdb"))
    }

    @Test func linkToItself_isRefused() throws {
        let link = directory.path("loop")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "loop")
        #expect(refusal(of: link) != nil)
    }

    @Test func readOnly_readsAndRefusesToWriteOrCreate() throws {
        let options = EnvironmentOptions(isReadOnly: true)
        #expect(refusal(of: directory.path("none.mdb"), options)?.code == .noSuchFile)
        #expect(try directory.names().isEmpty)
        do {
            let environment = try Environment(path: directory.path("some.mdb"))
            let table = try environment.createDatabase("table")
            try environment.write { try $0.put([7], for: [1], in: table) }
        }
        let environment = try Environment(path: directory.path("some.mdb"), options: options)
        let table = try environment.openDatabase("table")
        #expect(try environment.read { try $0.get([1], from: table) } == [7])
        #expect(failure { try environment.write { _ in } }?.code == .readOnlyEnvironment)
        #expect(failure { try environment.dropDatabase("table") }?.code == .readOnlyEnvironment)
        #expect(failure { _ = try environment.createDatabase("other") }?.code == .readOnlyEnvironment)
    }

    @Test func temporary_leavesNoFiles() throws {
        var options = EnvironmentOptions(durability: .noSync)
        options.isTemporary = true
        let environment = try Environment(path: directory.path("gone.mdb"), options: options)
        #expect(try directory.names().isEmpty)
        let table = try environment.createDatabase("table")
        try environment.write { try $0.put([7], for: [1], in: table) }
        #expect(try environment.read { try $0.get([1], from: table) } == [7])
    }

    @Test func temporary_leavesNothing_whenItsProcessIsKilled() throws {
        let child = try ChildProcess(["hold-temporary", directory.path("gone.mdb")])
        #expect(child.readLine() == "holding")
        #expect(try directory.names().isEmpty)
        child.kill()
        #expect(try directory.names().isEmpty)
    }

    @Test func absurdSizes_areRefusedOrClamped_neverTrapped() throws {
        for size in [Int.max, Int.max - 1, 1 << 61] {
            let error = refusal(of: directory.path("huge.mdb"), EnvironmentOptions(mapSize: size))
            #expect(error != nil)
        }
        for size in [Int.min, -1, 0, 1] {
            #expect(refusal(of: directory.path("small.mdb"), EnvironmentOptions(mapSize: size)) == nil)
        }
        #expect(try directory.names() == ["small.mdb", "small.mdb-lock"])
        for number in [Int.min, -1, 0, 1_000_001, 1 << 32, .max] {
            let readers = refusal(of: directory.path("none.mdb"), EnvironmentOptions(maximumReaders: number))
            #expect(readers?.code == .optionOutOfRange)
            let databases = refusal(of: directory.path("none.mdb"), EnvironmentOptions(maximumDatabases: number))
            #expect(databases?.code == .optionOutOfRange)
            #expect("\(databases, default: "")".contains("\(number) is not from 1 to 1000000"))
        }
        #expect(refusal(of: directory.path("most.mdb"), EnvironmentOptions(maximumReaders: 100_000)) == nil)
    }

    @Test func manyThreads_createOneFile() throws {
        let path = directory.path("race.mdb")
        let threads = (0..<8).map { _ in RunningThread { try Environment(path: path) } }
        let environments = try threads.map { try $0.value() }
        #expect(Set(environments.map { ObjectIdentifier($0.shared) }).count == 1)
        #expect(try directory.names() == ["race.mdb", "race.mdb-lock"])
    }

    @Test func closingAndReopening_onManyThreads_losesNothing() throws {
        let path = directory.path("churn.mdb")
        let threads = (0..<4).map { thread in
            RunningThread {
                for round in 0..<40 {
                    let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
                    let table = try environment.createDatabase("table")
                    try environment.write { try $0.put([], for: key(thread << 32 | round), in: table) }
                }
            }
        }
        for thread in threads { try thread.value() }
        let environment = try Environment(path: path)
        let table = try environment.openDatabase("table")
        #expect(try environment.read { try $0.count(of: table) } == 160)
    }
}
