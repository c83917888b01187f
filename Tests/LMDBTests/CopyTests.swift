// Copies of an environment in use.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct CopyTests {
    @Test(arguments: [false, true])
    func copyWhileWritersWrite_isOneCommit(isCompacting: Bool) throws {
        let test = try TestEnvironment()
        let (left, right) = (
            try test.environment.createDatabase("left"), try test.environment.createDatabase("right")
        )
        let isOver = Mutexed(0)
        let isUnderWay = DispatchSemaphore(value: 0)
        let value = [UInt8](repeating: 1, count: 200)
        let writers = (0..<2).map { thread in
            RunningThread {
                var number = 0
                while isOver.value == 0 || number < 20 {
                    try test.environment.write { transaction in
                        try transaction.put(value, for: key(thread << 32 | number), in: left)
                        try transaction.put(value, for: key(thread << 32 | number), in: right)
                        if number > 50 { try transaction.delete(key(thread << 32 | (number - 50)), from: left) }
                        if number > 50 { try transaction.delete(key(thread << 32 | (number - 50)), from: right) }
                    }
                    if number == 0 { isUnderWay.signal() }
                    number += 1
                }
            }
        }
        defer { isOver.set(1) }
        isUnderWay.wait()
        for round in 0..<5 {
            let path = test.directory.path("copy \(round)")
            try test.environment.copy(to: path, compacting: isCompacting)
            let copy = try Environment(path: path)
            let tables = try [copy.openDatabase("left"), copy.openDatabase("right")]
            let pairs = try copy.read { try [$0.pairs(of: tables[0]), $0.pairs(of: tables[1])] }
            #expect(pairs[0] == pairs[1])
            #expect(!pairs[0].isEmpty)
        }
        isOver.set(1)
        for writer in writers { try writer.value() }
    }

    @Test func copy_neverReplacesAFile_andLeavesNoneBehindInVain() throws {
        let test = try TestEnvironment()
        #expect(failure { try test.environment.copy(to: test.path) }?.code == .fileExists)
        let missing = test.directory.path("missing/copy")
        let error = failure { try test.environment.copy(to: missing) }
        #expect(error?.code == .noSuchFile)
        #expect(error?.path == missing)
        let cut = failure { try test.environment.copy(to: test.directory.path("a\0b")) }
        #expect(cut?.code == .invalidArgument)
        #expect(try test.directory.names() == ["test.mdb", "test.mdb-lock"])
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every directory"))
    func copyWhoseDirectoryCannotBeFlushed_isNotLeftBehind() throws {
        let test = try TestEnvironment()
        let directory = test.directory.path("closed")
        let files = FileManager.default
        try files.createDirectory(atPath: directory, withIntermediateDirectories: false)
        try files.setAttributes([.posixPermissions: 0o300], ofItemAtPath: directory)
        #expect(failure { try test.environment.copy(to: directory + "/copy") }?.code == .permissionDenied)
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        #expect(try files.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test func compactedCopy_holdsNothingDeleted() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        let secret = Data("a secret, in so many words".utf8)
        try test.environment.write { transaction in
            for number in 0..<2000 {
                try transaction.put(number % 10 == 0 ? Array(secret) : [1, 2, 3], for: key(number), in: table)
            }
            try transaction.put([UInt8](secret + Data(count: 20_000)), for: key(5000), in: table)
        }
        try test.environment.write { transaction in
            for number in [5000] + Array(stride(from: 0, to: 2000, by: 10)) {
                try transaction.delete(key(number), from: table)
            }
        }
        let path = test.directory.path("copy.mdb")
        try test.environment.copy(to: path, compacting: true)
        func holdsSecret(_ path: String) throws -> Bool {
            try Data(contentsOf: URL(fileURLWithPath: path)).range(of: secret) != nil
        }
        #expect(try holdsSecret(test.path))
        #expect(try !holdsSecret(path))
    }

    @Test func compactedCopy_isSmaller() throws {
        let test = try TestEnvironment()
        let table = try test.environment.createDatabase("table")
        for _ in 0..<3 {
            try test.environment.write { transaction in
                for number in 0..<2000 { try transaction.put(key(number), for: key(number), in: table) }
            }
            try test.environment.write { try $0.removeAll(from: table) }
        }
        for (name, compacts) in [("plain", false), ("compact", true)] {
            try test.environment.copy(to: test.directory.path(name), compacting: compacts)
        }
        let sizes = try ["plain", "compact"].map { try Environment(path: test.directory.path($0)).info.usedSize }
        #expect(sizes[1] < sizes[0])
    }
}
