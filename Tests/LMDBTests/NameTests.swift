// Open files that lose their names: two processes would write under two locks.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct NameTests {
    private let directory: TemporaryDirectory
    private let path: String
    private let files = FileManager.default

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("test.mdb")
    }

    private func withTable(_ body: (Environment, Database) throws -> Void) throws {
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let table = try environment.createDatabase("table")
        try environment.write { try $0.put([1], for: [1], in: table) }
        try body(environment, table)
    }

    @Test(arguments: ["remove", "replace", "move"])
    func lockFileThatGoes_stopsWriters_andNotReaders(how: String) throws {
        try withTable { environment, table in
            let lock = path + "-lock"
            switch how {
            case "remove": try files.removeItem(atPath: lock)
            case "move": try files.moveItem(atPath: lock, toPath: directory.path("elsewhere"))
            default:
                try files.moveItem(atPath: lock, toPath: directory.path("elsewhere"))
                try files.copyItem(atPath: directory.path("elsewhere"), toPath: lock)
            }
            let error = failure { try environment.write { try $0.put([2], for: [1], in: table) } }
            #expect(error?.code == .lockFileReplaced)
            #expect(error?.path == lock)
            #expect(try environment.read { try $0.get([1], from: table) } == [1])
        }
        // Opened again, the environment has a lock file that all processes share.
        try withTable { environment, table in
            try environment.write { try $0.put([3], for: [1], in: table) }
        }
    }

    @Test func fileThatIsMovedOrReplaced_stopsWriters() throws {
        try withTable { environment, table in
            try files.moveItem(atPath: path, toPath: directory.path("moved.mdb"))
            let error = failure { try environment.write { try $0.put([2], for: [1], in: table) } }
            #expect(error?.code == .fileReplaced)
            #expect(error?.path == path)
            try files.copyItem(atPath: directory.path("moved.mdb"), toPath: path)
            #expect(failure { try environment.write { _ in } }?.code == .fileReplaced)
            #expect(try environment.read { try $0.get([1], from: table) } == [1])
        }
    }

    /// The story: a backup was moved to the path of a file that was still open. After the path was opened again, both
    /// environments had the same lock file. Closing the old environment wiped the reader slots of the new environment.
    /// A snapshot of the new environment then showed later writes.
    @Test func anotherFileInItsPlace_isRefused_whileTheOldOneHasTheLockFile() throws {
        try withTable { environment, table in
            let backup = directory.path("backup.mdb")
            try environment.copy(to: backup)
            try files.moveItem(atPath: path, toPath: directory.path("old.mdb"))
            try files.moveItem(atPath: backup, toPath: path)
            let error = failure { _ = try Environment(path: path, options: EnvironmentOptions(durability: .noSync)) }
            #expect(error?.code == .fileReplaced)
            #expect(error?.path == path)
            // This process still holds the lock.
            let child = try ChildProcess(["hold-reader", directory.path("old.mdb")])
            #expect(child.readLine() == "holding")
            #expect(try environment.read { try $0.get([1], from: table) } == [1])
        }
        try withTable { environment, table in
            try environment.write { try $0.put([2], for: [1], in: table) }
        }
    }

    @Test func lockFileUnderAnyName_isNotOpened() throws {
        try withTable { environment, _ in
            let lock = path + "-lock"
            try files.linkItem(atPath: lock, toPath: directory.path("other"))
            try files.moveItem(atPath: path, toPath: directory.path("moved.mdb"))
            for name in [lock, directory.path("other")] {
                #expect(failure { _ = try Environment(path: name) }?.code == .invalid)
                #expect(failure { _ = try FileVerification.run(name) }?.code == .invalid)
            }
            try files.moveItem(atPath: directory.path("moved.mdb"), toPath: path)
            try environment.write { _ in }
        }
    }

    @Test func lockFile_canBeWrittenByWhoMayReadTheFile() throws {
        func mode(_ path: String) throws -> Int? {
            try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        for (file, lock) in [(0o600, 0o600), (0o640, 0o660), (0o444, 0o666)] {
            let path = directory.path("\(file).mdb")
            do { _ = try Environment(path: path) }
            try files.removeItem(atPath: path + "-lock")
            try files.setAttributes([.posixPermissions: file], ofItemAtPath: path)
            let environment = try Environment(path: path, options: EnvironmentOptions(isReadOnly: true))
            #expect(try mode(environment.path + "-lock") == lock)
        }
    }

    @Test func temporary_hasNoNamesToLose() throws {
        var options = EnvironmentOptions(durability: .noSync)
        options.isTemporary = true
        let environment = try Environment(path: path, options: options)
        #expect(try directory.names() == [])
        try environment.write { _ = try $0.createDatabase("table") }
        #expect(try environment.databaseNames() == ["table"])
    }
}
