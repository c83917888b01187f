// Media and files without permission to write, or to read.

import Foundation
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@Suite("Protected files") struct ProtectionTests {
    private static let canMount = SmallDisk.isAvailable
    private static let isRoot = getuid() == 0

    @Test(.enabled(if: canMount, "only root on Linux can mount a small disk"))
    func aReadOnlyMedium_isRead_withoutALock() throws {
        let disk = try SmallDisk(megabytes: 8)
        let path = disk.path("a.trove")
        do {
            let store = try Store(path: path, options: StoreOptions(durability: .noSync))
            for number in 0..<10 { try store.insert(Line(writer: "a", number: number)) }
        }
        let names = try disk.names()
        try disk.makeReadOnly()
        do {
            let store = try Store(path: path, options: StoreOptions(isReadOnly: true))
            #expect(try Line.query().count(in: store) == 10)
            #expect(
                storeError { try store.insert(Line(writer: "a", number: 99)) }
                    == .transaction(.readOnly(path: store.path)))
        }
        for missing in [path, disk.path("new.trove")] {
            guard case .file(.noPermission(let named, _)) = storeError({ try Store(path: missing) }) else {
                Issue.record("\(missing) was opened for writing")
                continue
            }
            #expect(named.hasPrefix(missing))
        }
        #expect(try disk.names() == names)
    }

    /// Without the lock file, no writer would see a reader, and the reader would read reused pages.
    @Test(.enabled(if: isRoot, "only root can become another user"))
    func aReaderThatMayNotWriteTheLockFile_isRefused_withItsPath() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        try Store(path: path).insert(Line(writer: "a", number: 1))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
        let cases: [(file: Int, lock: Int, answers: [String])] = [
            (0o600, 0o600, ["no permission \(path)", "no permission \(path)"]),
            (0o644, 0o600, ["no permission \(path)", "no permission \(path)"]),
            (0o644, 0o666, ["records 1", "no permission \(path)"]),
            (0o666, 0o666, ["records 1", "records 1"]),
        ]
        for (file, lock, answers) in cases {
            try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: path)
            try FileManager.default.setAttributes([.posixPermissions: lock], ofItemAtPath: path + "-lock")
            let child = try ChildProcess(["as-nobody", path], executable: "TroveStoreWorker")
            for answer in answers {
                let line = try #require(child.readLine())
                #expect(line.hasPrefix(answer), "file \(String(file, radix: 8)), lock \(String(lock, radix: 8))")
            }
            #expect(child.wait() == 0)
        }
    }
}
