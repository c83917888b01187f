// Files that lose their names while they are open: two processes would write under two locks.

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
        // Opened anew, it has a lock that all share.
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

    @Test func temporary_hasNoNamesToLose() throws {
        var options = EnvironmentOptions(durability: .noSync)
        options.isTemporary = true
        try Environment(path: path, options: options).write { _ = try $0.createDatabase("table") }
    }
}
