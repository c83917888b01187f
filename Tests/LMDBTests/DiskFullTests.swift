// A full disk: reported as such, although liblmdb usually reports an input or output error, and harmless.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@Suite struct DiskFullTests {
    @Test func inputOrOutputError_isAFullDisk_whereNoSpaceIsLeft() {
        func code(_ code: LMDBError.Code, _ available: UInt64?) -> LMDBError.Code {
            LMDBError.Code(writing: code.rawValue, availableBytes: available)
        }
        #expect(code(.inputOutput, 0) == .diskFull)
        #expect(code(.inputOutput, 4096) == .diskFull)
        #expect(code(.inputOutput, 1 << 30) == .inputOutput)
        #expect(code(.inputOutput, nil) == .inputOutput)
        #expect(code(.diskFull, 1 << 30) == .diskFull)
        #expect(code(.mapFull, 0) == .mapFull)
    }

    @Test(
        .enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"),
        arguments: [10_000, 1_000_000, 5_000_000])
    func fullDisk_isReported_losesNothing_andIsForgottenWhenThereIsSpace(valueSize: Int) throws {
        let disk = try SmallDisk(megabytes: 8)
        let path = disk.path("test.mdb")
        let ballast = URL(fileURLWithPath: disk.path("ballast"))
        var committed = 0
        do {
            let environment = try Environment(path: path)
            let table = try environment.createDatabase("table")
            func write(_ size: Int) throws {
                let value = [UInt8](repeating: 7, count: size)
                try environment.write { try $0.put(value, for: key(committed), in: table) }
                committed += 1
            }
            try Data(count: 4 << 20).write(to: ballast)
            try write(100)
            var error: LMDBError?
            while error == nil { error = failure { try write(valueSize) } }
            #expect(error?.code == .diskFull)
            #expect(error?.path == environment.path)
            #expect(error?.description.contains("free some space") == true)
            #expect(try environment.read { try $0.count(of: table) } == committed)

            let copy = disk.path("copy.mdb")
            let copying = failure { try environment.copy(to: copy) }
            #expect(copying?.code == .diskFull)
            #expect(copying?.path == copy)
            #expect(try disk.names() == ["ballast", "test.mdb", "test.mdb-lock"])

            try FileManager.default.removeItem(at: ballast)
            try write(1_000_000)
            #expect(try environment.read { try $0.count(of: table) } == committed)
        }
        let environment = try Environment(path: path)
        let table = try environment.openDatabase("table")
        #expect(try environment.read { try $0.count(of: table) } == committed)
        #expect(try environment.read { try $0.get(key(committed - 1), from: table) }?.count == 1_000_000)
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func openingOnAFullDisk_isReported_andLeavesNothing() throws {
        let disk = try SmallDisk(megabytes: 8)
        let path = disk.path("test.mdb")
        do { _ = try Environment(path: path).createDatabase("table") }
        let ballast = disk.path("ballast")
        _ = FileManager.default.createFile(atPath: ballast, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: ballast))
        func fill() { while (try? file.write(contentsOf: Data(count: 4096))) != nil {} }
        fill()

        #expect(try Environment(path: path).databaseNames() == ["table"])
        let lockSize = try FileManager.default.attributesOfItem(atPath: path + "-lock")[.size] as? UInt64
        try FileManager.default.removeItem(atPath: path + "-lock")
        fill()
        #expect(failure { _ = try Environment(path: path) }?.code == .diskFull)
        // A lock file with holes: a process that takes a slot in a hole would crash.
        _ = FileManager.default.createFile(atPath: path + "-lock", contents: nil)
        let lock = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "-lock"))
        try lock.truncate(atOffset: try #require(lockSize))
        try lock.close()
        #expect(failure { _ = try Environment(path: path) }?.code == .diskFull)
        try FileManager.default.removeItem(atPath: path + "-lock")
        #expect(failure { _ = try Environment(path: disk.path("new.mdb")) }?.code == .diskFull)
        #expect(try disk.names() == ["ballast", "test.mdb"])

        try file.close()
        try FileManager.default.removeItem(atPath: ballast)
        #expect(try Environment(path: path).databaseNames() == ["table"])
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func transactionThatOutgrowsMemoryAndDisk_isTheSame_whereItFirstWrites() throws {
        let disk = try SmallDisk(megabytes: 8)
        let environment = try Environment(path: disk.path("test.mdb"))
        let table = try environment.createDatabase("table")
        // Enough pages to make liblmdb write some of them before the commit.
        let value = [UInt8](repeating: 7, count: 3000)
        var refused: LMDBError?
        let error = failure {
            try environment.write { transaction in
                for number in 0..<200_000 where refused == nil {
                    refused = transaction.failure { try $0.put(value, for: key(number), in: table) }
                }
            }
        }
        #expect(refused?.code == .diskFull)
        #expect(error == refused)
        #expect(try environment.read { try $0.count(of: table) } == 0)
    }
}
