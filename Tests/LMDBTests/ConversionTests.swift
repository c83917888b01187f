// The conversion of files to the format of the loaded liblmdb: equal entries, later commits, and nothing lost when it
// cannot be done. The samples have the same entries in both formats, so each engine converts the other one's.

import Foundation
import Testing
import TroveTestSupport

@testable import LMDB

@Suite struct ConversionTests {
    private let directory: TemporaryDirectory
    private let path: String
    /// The format that the loaded library does not read.
    private static let other: FileFormat = Engine.format == .version1 ? .version3 : .version1

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
        try Samples.copy(Self.other, to: path)
    }

    private func options(_ conversion: Conversion = .automatic) -> EnvironmentOptions {
        var options = EnvironmentOptions(busyTimeout: .milliseconds(200))
        options.conversion = conversion
        return options
    }

    private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Expects that an opening fails, and that the file stays as it is, alone but for its lock file.
    private func expectRefusal(
        _ code: LMDBError.Code, _ conversion: Conversion = .automatic, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try bytes()
        let error = failure { _ = try Environment(path: path, options: options(conversion)) }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.path?.hasSuffix("test.mdb") == true, sourceLocation: sourceLocation)
        #expect(try bytes() == before, sourceLocation: sourceLocation)
        let names = try Set(directory.names()).subtracting(["test.mdb-lock"])
        #expect(names == ["test.mdb"], sourceLocation: sourceLocation)
    }

    /// Expects the entries of the samples.
    private func expectEntries(of environment: Environment) throws {
        #expect(try Set(environment.databaseNames()) == Set(SampleEntries.tables.map(\.name)))
        for (name, entries) in SampleEntries.tables {
            let table = try environment.openDatabase(name)
            let pairs = try environment.read { try $0.pairs(of: table) }
            #expect(pairs == entries.map { Pair(key: $0.key, value: $0.value) }, "\(name)")
        }
    }

    @Test func anOpening_convertsTheFile() throws {
        let before = try FileVerification.run(path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let environment = try Environment(path: path, options: options())
        let report = try #require(environment.conversion)
        #expect(report.from == Self.other && report.to == Engine.format && report.original == nil)
        #expect(report.tables == SampleEntries.tables.count)
        #expect(report.entries == SampleEntries.tables.reduce(0) { $0 + UInt64($1.entries.count) })
        #expect(report.sizeBefore == before.fileSize)
        try expectEntries(of: environment)
        #expect(try environment.info.lastTransaction > Int(before.transaction))
        let after = try FileVerification.run(path)
        #expect(after.findings.isEmpty)
        #expect(after.format == Engine.format)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        #expect(try directory.names() == ["test.mdb", "test.mdb-lock"])
        // Later commits use the free pages, and both meta pages.
        let table = try environment.openDatabase("many")
        for round in 0..<5 {
            try environment.write { transaction in
                for number in 0..<200 { try transaction.put([UInt8(round)], for: key(number), in: table) }
            }
        }
        #expect(try FileVerification.run(path).findings.isEmpty)
        try environment.close()
        let again = try Environment(path: path, options: options())
        #expect(again.conversion == nil)
    }

    @Test func theOriginal_isKeptOnRequest() throws {
        let before = try bytes()
        let name = Self.other == .version1 ? "test.mdb.lmdb-0.9" : "test.mdb.lmdb-1.0"
        // The name is taken.
        try Data([1]).write(to: URL(fileURLWithPath: directory.path(name)))
        let environment = try Environment(path: path, options: options(.keepingOriginal))
        let original = try #require(environment.conversion?.original)
        #expect(original.hasSuffix("\(name)-2"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: original)) == before)
        try expectEntries(of: environment)
    }

    /// The rename of an earlier conversion was prevented after the link.
    @Test func aLeftoverOfAConversion_isNoObstacle() throws {
        let name = directory.path("test.mdb.lmdb-\(Self.other == .version1 ? "0.9" : "1.0")")
        try FileManager.default.linkItem(atPath: path, toPath: name)
        let environment = try Environment(path: path, options: options(.keepingOriginal))
        #expect(environment.conversion?.original == name)
        try expectEntries(of: environment)
    }

    @Test func aFileInADirectory_andThroughALink_isConvertedInPlace() throws {
        let folder = directory.path("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/data.mdb")
        let link = directory.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
        try expectEntries(of: Environment(path: link, options: options()))
        #expect(try FileVerification.run(folder).format == Engine.format)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder)
    }

    // MARK: What is not converted

    @Test func withoutTheWish_nothingIsConverted() throws {
        try expectRefusal(.otherFormat, .never)
        #expect(try directory.names() == ["test.mdb"])
        var readOnly = options()
        readOnly.isReadOnly = true
        #expect(failure { _ = try Environment(path: path, options: readOnly) }?.code == .otherFormat)
    }

    @Test func aFileWithASecondName_isRefused() throws {
        let other = try TemporaryDirectory()
        try FileManager.default.linkItem(atPath: path, toPath: other.path("second"))
        try expectRefusal(.hardLinked)
    }

    @Test func aDamagedFile_isRefused() throws {
        let sound = try RawFile(path)
        let leaf = sound.leaves(below: sound.root(sound.record(ofTable: 2)))[0]
        for damage in 0..<3 {
            var file = sound
            switch damage {
            case 0: file.set(0, 2, at: file.kindPlace(leaf))
            case 1: file.bytes.removeLast(file.pageSize * 8)
            default: file.set(1 << 40, 8, at: file.mainRecord + 40)
            }
            try file.write(to: path)
            try expectRefusal(.corrupted)
        }
    }

    @Test func aForeignTable_isRefused() throws {
        var file = try RawFile(path)
        file.set(0x04, 2, at: file.record(ofTable: 3) + 4)
        try file.write(to: path)
        try expectRefusal(.foreignTables)
        let error = failure { _ = try Environment(path: path, options: options()) }
        #expect(error?.description.contains("“many”") == true)
    }

    @Test func aCancelledConversion_leavesTheFile() throws {
        let before = try bytes()
        let error = failure { _ = try Environment(path: path, options: options()) { _, _ in false } }
        #expect(error?.code == .cancelled)
        #expect(try bytes() == before)
        #expect(try directory.names() == ["test.mdb", "test.mdb-lock"])
        try expectEntries(of: Environment(path: path, options: options()))
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func aFullDisk_isNamed_andNothingIsLost() throws {
        let disk = try SmallDisk(megabytes: 2)
        try Samples.copy(Self.other, to: disk.path("test.mdb"))
        let before = try Data(contentsOf: URL(fileURLWithPath: disk.path("test.mdb")))
        let error = failure { _ = try Environment(path: disk.path("test.mdb"), options: options()) }
        #expect(error?.code == .diskFull)
        #expect(error?.limit ?? 0 > 16 << 20)
        #expect(try Data(contentsOf: URL(fileURLWithPath: disk.path("test.mdb"))) == before)
    }

    // MARK: Concurrent use

    /// A file is converted once, and every opener gets the same environment.
    @Test func manyThreads_convertOnce() throws {
        let openers = (0..<8).map { _ in
            RunningThread { [path, options = options()] in try Environment(path: path, options: options) }
        }
        let environments = try openers.map { try $0.value() }
        #expect(environments.count { $0.conversion != nil } == 1)
        for environment in environments { try expectEntries(of: environment) }
        for environment in environments { try environment.close() }
        #expect(try FileVerification.run(path).findings.isEmpty)
    }

    /// Another process holds the lock by which liblmdb shows that an environment is open.
    @Test func aFileInUseElsewhere_isNotConverted() throws {
        let child = try ChildProcess(["lock-file", path])
        #expect(child.readLine() == "locked")
        try expectRefusal(.otherEngineInUse)
        try child.writeLine("end")
        #expect(child.wait() == 0)
        try expectEntries(of: Environment(path: path, options: options()))
    }

    /// The lock of the conversion is the environment's until it is closed: another process does not take the file as
    /// unused.
    @Test func theConvertedFile_isLocked_untilItIsClosed() throws {
        let environment = try Environment(path: path, options: options())
        func owner() throws -> String? { try ChildProcess(["lock-owner", path + "-lock"]).readLine() }
        #expect(try owner() == "\(getpid())")
        try environment.close()
        #expect(try owner() == "nobody")
    }
}
